"""Files that went wrong: either they are refused in one line, or read as others do.

The others: pandas for CSV, json for JSON lines, pyarrow for Parquet and Arrow, NumPy
and scipy for archives. What differs on purpose is listed in docs/formats.md, and only
that. A few here, in the tests; many by ``python -m benchmarks.mutated``.
"""

from __future__ import annotations

import csv
import io
import json
import math
import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
from scipy import sparse

from naive_tables import naive_hash
from regretless.data.file_source import FileSource
from regretless.data.formats.field_kinds import MISSING, is_number
from regretless.data.formats.readers import Wanted
from regretless.data.read_options import ReadOptions
from regretless.engine.feature_names import numbered
from regretless.errors import BadRow

BITS = 12
NUMBERS = (0.0, 1.0, -2.5, 1e-3, 12345678.9, -1e300, 5e-324, 0.1, 3.0)
WORDS = (
    "rome",
    "",
    "bonn",
    "a b",
    "köln",
    "NA",
    "x,y",
    'say "hi"',
    "1",
    "true",
    "two\nlines",
)
PIECES = (
    b",", b'"', b'""', b"\n", b"\r\n", b"\r", b" ", b"\t", b";", b"'", b"\\", b"\x00",
    b"\xff", b"\xef\xbb\xbf", b"nan", b"NaN", b"inf", b"-inf", b"1e400", b"1e-400",
    b"NA", b"null", b"true", b"false", b"0x10", b"1_0", b"1e5", b".5", b"5.", b"+1",
    b"00", b"-", b"{", b"}", b"[", b"]", b":", b'"a":1,', b'"a":{"a":2}', b"[1,2]",
    b'["u","v"]', b"\xc3\xa9", b"\\u0041", b"\\ud800", b"9007199254740993", b"label",
)  # fmt: skip
Row = tuple[Any, float, dict[Any, float]]


class RefusedError(Exception):
    """The peer does not read it."""


# What is written.


def columns_of(dice: random.Random, n: int) -> dict[str, list[Any]]:
    """Columns of every kind, some of them, with entries missing."""

    def entries(values: Any, missing: float = 0.1) -> list[Any]:
        return [
            None if dice.random() < missing else dice.choice(values) for _ in range(n)
        ]

    made = {
        "a": entries(NUMBERS),
        "b": entries((0, 1, -7, 2**40)),
        "city": entries(WORDS),
        "on": entries((True, False)),
        "c": entries((1.5, math.nan, math.inf), 0.0)
        if dice.random() < 0.1
        else [1.0] * n,
    }
    names = [name for name in made if dice.random() < 0.7] or ["a"]
    dice.shuffle(names)
    kinds = ((-1, 1), (0, 1, 2), ("no", "yes"), (0.5, -3.25))
    return {"label": entries(dice.choice(kinds), 0.05), **{k: made[k] for k in names}}


def make_csv(dice: random.Random) -> bytes:
    made = columns_of(dice, dice.randrange(1, 12))
    for name in ("a", "b", "c", "on"):
        shown = {None: "", True: "true", False: "false"}
        if name in made:
            made[name] = [shown.get(x, x) if x is None or x is True or x is False else x
                          for x in made[name]]  # fmt: skip
    sink = io.StringIO(newline="")
    end = dice.choice(("\n", "\r\n"))
    pd.DataFrame(made).to_csv(sink, index=False, lineterminator=end)
    return sink.getvalue().encode()


def make_jsonl(dice: random.Random) -> bytes:
    made = columns_of(dice, dice.randrange(1, 12))
    lines = []
    for row in zip(*made.values(), strict=True):
        event = {k: v for k, v in zip(made, row, strict=True) if v is not None}
        if dice.random() < 0.3:
            event["user"] = {"age": dice.choice(NUMBERS), "tags": ["u", "v", "u"]}
        if dice.random() < 0.3:
            event["v"] = [1, -2.5, True]
        lines.append(json.dumps(event, ensure_ascii=dice.random() < 0.5))
    return "\n".join(lines).encode()


def arrow_table(dice: random.Random) -> Any:
    made = columns_of(dice, dice.randrange(1, 40))
    n = len(made["label"])
    table = pa.table(made)
    if dice.random() < 0.3:
        vectors = pa.array([[float(i), 2.0] for i in range(n)], pa.list_(pa.float32()))
        table = table.append_column("v", vectors)
    if dice.random() < 0.3:
        whole = pa.array([dice.choice((None, 3, 200)) for _ in range(n)], pa.uint8())
        table = table.append_column("d", whole)
    if "city" in made and dice.random() < 0.5:
        at = table.schema.get_field_index("city")
        coded = table["city"].cast(pa.string()).combine_chunks().dictionary_encode()
        table = table.set_column(at, "city", coded)
    return table


def make_parquet(dice: random.Random) -> bytes:
    sink = pa.BufferOutputStream()
    pa.parquet.write_table(
        arrow_table(dice), sink, row_group_size=dice.choice((7, 100)),
        compression=dice.choice(("none", "snappy", "zstd")),
        data_page_version=dice.choice(("1.0", "2.0")),
        use_dictionary=dice.random() < 0.5,
    )  # fmt: skip
    return sink.getvalue().to_pybytes()


def make_arrow(dice: random.Random) -> bytes:
    sink = pa.BufferOutputStream()
    table = arrow_table(dice)
    if dice.random() < 0.5:
        packed = dice.choice(("uncompressed", "lz4", "zstd"))
        pa.feather.write_feather(table, sink, compression=packed, chunksize=13)
    else:
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=11)
    return sink.getvalue().to_pybytes()


def make_npz(dice: random.Random) -> bytes:
    n, width = dice.randrange(1, 9), dice.randrange(1, 5)
    X = np.array([[dice.choice(NUMBERS) for _ in range(width)] for _ in range(n)])
    arrays: dict[str, Any] = {
        "X": X.astype(dice.choice(("f8", "f4", "i4", "u1", ">f8")))
    }
    if dice.random() < 0.5:
        kind = dice.choice(("csr", "csc", "coo"))
        matrix = getattr(sparse, f"{kind}_array")(X)
        arrays = {
            "format": np.array(kind),
            "shape": np.array(X.shape),
            "data": matrix.data,
        }
        if kind == "coo":
            arrays |= {"row": matrix.coords[0], "col": matrix.coords[1]}
        else:
            arrays |= {"indices": matrix.indices, "indptr": matrix.indptr}
    labels = dice.choice(((-1, 1), (0.5, math.nan), ("no", "yes"), (True, False)))
    arrays["y"] = np.array([dice.choice(labels) for _ in range(n)])
    if dice.random() < 0.2:
        arrays["y"] = arrays["y"].reshape(-1, 1)
    sink = io.BytesIO()
    (np.savez if dice.random() < 0.5 else np.savez_compressed)(sink, **arrays)
    return sink.getvalue()


def mutate(data: bytes, dice: random.Random, text: bool) -> bytes:
    """The bytes with a few of them changed; now and then none."""
    made = bytearray(data)
    for _ in range(dice.choice((0, 1, 1, 2, 5))):
        at = dice.randrange(len(made) + 1)
        size = dice.choice((1, 1, 2, 4, 30))
        what = dice.randrange(6)
        if text and what < 3:
            made[at : at + dice.choice((0, 0, 1))] = dice.choice(PIECES)
        elif what == 0:
            made[at : at + 1] = bytes([dice.randrange(256)])
        elif what == 1 and at < len(made):
            made[at] ^= 1 << dice.randrange(8)
        elif what == 2:
            made[at : at + 4] = dice.choice(
                (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f")
            )
        elif what == 3:
            del made[at : at + size]
        elif what == 4:
            other = dice.randrange(len(made) + 1)
            made[at:at] = made[other : other + size]
        elif dice.random() < 0.2:
            del made[at:]
    return bytes(made)


# What we read.


def ours(path: Path) -> tuple[list[Row], Any]:
    """Labels, weights and features of all rows, and how they were read."""
    hashed = path.suffix in (".csv", ".parquet", ".arrow")
    options = ReadOptions(bits=BITS if hashed else None, threads=0)
    source = FileSource(str(path), options, Wanted(direct=18), binary=False)
    found: list[Row] = []
    for _, _, chunk in source.chunks():
        for i, label in enumerate(chunk.labels.tolist()):
            weight = 1.0 if chunk.weights is None else float(chunk.weights[i])
            found.append((plain_label(label), weight, entries_of(chunk.rows, i)))
    return found, source


def entries_of(rows: Any, i: int) -> dict[int, float]:
    """The entries of a row that are not 0."""
    if hasattr(rows, "width"):
        values = rows.values[i * rows.width : (i + 1) * rows.width]
        return {j: x for j, x in enumerate(values.tolist()) if x}
    span = slice(rows.starts[i], rows.starts[i + 1])
    pairs = zip(rows.columns[span].tolist(), rows.values[span].tolist(), strict=True)
    return {j: x for j, x in pairs if x}


# What others read.


def table_row(row: dict[str, Any], source: Any) -> Row:
    """A row with its features numbered and hashed, slowly."""
    options = source.options
    found: dict[int, float] = {}
    j = 0
    for name, kind in options.columns:
        if kind in ("word", "text"):
            continue
        width = int(kind.partition(":")[2] or 1)
        values = row[name] if kind.startswith("vector") else [row[name]]
        for k, value in enumerate(values or ()):
            if value:
                found[j + k] = float(value)
        j += width
    for name, kind in options.columns:
        if kind == "word":
            word = "" if row[name] is None else row[name]
            slot = j + naive_hash(f"{name}={word}") % 2**BITS
            found[slot] = found.get(slot, 0.0) + 1.0
    return plain_label(row.get(options.label)), 1.0, found


def plain_label(label: Any) -> Any:
    """Missing ones are None."""
    if isinstance(label, str) or label is None:
        return label or None
    return None if math.isnan(label) else float(label)


def csv_rows(data: bytes, header: bool) -> tuple[list[str], list[Any]]:
    """The header, if there is one, and the rows, as words.

    As pandas reads them; or as Python's csv, where a carriage return stands alone: then
    pandas drops a delimiter behind an empty line.
    """
    if re.search(rb"\r(?!\n)", data):
        text = str(data.removeprefix(b"\xef\xbb\xbf"), "utf-8", "surrogateescape")
        rows: list[Any] = [
            row for row in csv.reader(io.StringIO(text, newline="")) if row
        ]
        names = rows.pop(0) if header else [str(k) for k in range(len(rows[0]))]
        if any(len(row) != len(names) for row in rows):
            raise RefusedError("a row has more or fewer fields than there are columns")
    else:
        try:
            frame = pd.read_csv(
                io.BytesIO(data), dtype=str, na_filter=False, index_col=False,
                header=0 if header else None, encoding_errors="surrogateescape",
                low_memory=False,
            )  # fmt: skip
        except (ValueError, pd.errors.ParserError) as error:
            raise RefusedError(str(error)) from None
        names, rows = list(frame.columns), list(frame.itertuples(index=False))
    return [str(name).strip() for name in names], rows


def peer_csv(data: bytes, source: Any) -> list[Row]:
    names, fields = csv_rows(data, source.options.header)
    kinds = dict(source.options.columns)
    label = source.options.label
    if label not in source.options.categorical:
        kinds[label] = "number"
    rows = []
    for values in fields:
        row: dict[str, Any] = dict(zip(names, values, strict=True))
        for name, kind in kinds.items():
            if kind in ("number", "flag"):
                row[name] = csv_number(row[name], kind)
        rows.append(table_row(row, source))
    return rows


def csv_number(field: str, kind: str) -> float | None:
    bare = field.strip(" \t")
    if bare in MISSING:
        return None
    if kind == "flag" and bare.lower() in ("true", "false"):
        return float(bare.lower() == "true")
    if not is_number(field):
        raise RefusedError(f"{field!r} is not a number")
    return float(bare)


def peer_jsonl(data: bytes, source: Any) -> list[Row]:
    rows: list[Row] = []
    names = {name: j for j, name in numbered(source.names, 0)}
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RefusedError(str(error)) from None
        if not isinstance(event, dict):
            raise RefusedError("it is not an object")
        label = event.pop(source.options.label, None)
        flat: dict[str, float] = {}
        flatten(event, "", flat)
        found = {names[name]: value for name, value in flat.items() if value}
        rows.append((plain_label(label), 1.0, found))
    if any(isinstance(row[0], str) for row in rows):
        rows = [(word_label(row[0]), *row[1:]) for row in rows]
    return rows


def word_label(label: Any) -> str | None:
    """A number among words: as the words of a block are read."""
    if isinstance(label, str):
        return label or None
    return None if label is None else str(label)


def flatten(event: dict[str, Any], prefix: str, found: dict[str, float]) -> None:
    def add(name: str, value: float) -> None:
        found[name] = found.get(name, 0.0) + value

    for key, value in event.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            flatten(value, f"{name}.", found)
        elif isinstance(value, str):
            add(f"{name}={value}", 1.0)
        elif isinstance(value, list):
            for k, each in enumerate(value):
                if isinstance(each, str):
                    add(f"{name}={each}", 1.0)
                else:
                    add(f"{name}[{k}]", float(each))
        elif value is not None:
            add(name, float(value))


def peer_table(table: Any, source: Any) -> list[Row]:
    rows = table.to_pylist()
    return [table_row(row, source) for row in rows]


def peer_parquet(data: bytes, source: Any) -> list[Row]:
    with refusing():
        return peer_table(pa.parquet.read_table(pa.BufferReader(data)), source)


def peer_arrow(data: bytes, source: Any) -> list[Row]:
    with refusing():
        file = pa.BufferReader(data)
        stored = data.startswith(b"ARROW1")
        reader = pa.ipc.open_file(file) if stored else pa.ipc.open_stream(file)
        table = reader.read_all()
        table.validate(full=True)
        return peer_table(table, source)


class refusing:  # noqa: N801 - a context
    """What pyarrow and NumPy raise means that they do not read it."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, AssertionError):
            raise RefusedError(str(error)) from None


def peer_npz(data: bytes, source: Any) -> list[Row]:
    with refusing():
        arrays = dict(np.load(io.BytesIO(data)).items())
        if "X" in arrays:
            X = np.asarray(arrays["X"], float)
        else:
            kept = {k: v for k, v in arrays.items() if k not in ("y", "names")}
            sink = io.BytesIO()
            np.savez(sink, **kept)
            matrix = sparse.load_npz(io.BytesIO(sink.getvalue()))
            matrix.tocoo().check_format() if hasattr(
                matrix.tocoo(), "check_format"
            ) else None
            X = matrix.toarray().astype(float)
        labels = arrays[source.options.label].reshape(-1).tolist()
        if len(X) != len(labels):
            raise RefusedError("lengths differ")
        return [
            (plain_label(y), 1.0, {j: v for j, v in enumerate(x) if v})
            for x, y in zip(X.tolist(), labels, strict=True)
        ]


MAKE: dict[str, Callable[[random.Random], bytes]] = {
    "csv": make_csv, "jsonl": make_jsonl, "parquet": make_parquet, "arrow": make_arrow,
    "npz": make_npz,
}  # fmt: skip
PEER: dict[str, Callable[[bytes, Any], list[Row]]] = {
    "csv": peer_csv, "jsonl": peer_jsonl, "parquet": peer_parquet, "arrow": peer_arrow,
    "npz": peer_npz,
}  # fmt: skip


def made(kind: str, seed: int) -> bytes:
    """The mutated file of this number."""
    dice = random.Random(f"{kind} {seed}")
    return mutate(MAKE[kind](dice), dice, kind in ("csv", "jsonl"))


def check(kind: str, path: Path, data: bytes) -> str:
    """What became of a file; AssertionError where rows differ silently.

    Parameters
    ----------
    kind : str
        The format.
    path : Path
        The file, which holds `data`.
    data : bytes
        What is in it.
    """
    try:
        found, source = ours(path)
    except (ValueError, OSError, TypeError) as error:
        line = str(error)
        assert "\n" not in line, line
        where = (isinstance(error, BadRow) and error.where) or line
        assert path.name in str(where) or path.name in line, line
        return "refused"
    try:
        right = PEER[kind](data, source)
    except RefusedError as error:
        raise AssertionError(f"read, but the peer says: {error}") from None
    assert len(found) == len(right), f"{len(found)} rows, the peer has {len(right)}"
    for k, (one, other) in enumerate(zip(found, right, strict=True)):
        assert one == other, f"row {k}: {one!r:.200} is {other!r:.200} for the peer"
    return "the same"


def read_alone(kind: str, data: bytes) -> None:
    """Let pyarrow read a file as it would without us; what it raises is no matter."""
    file = pa.BufferReader(data)
    with suppress(Exception):
        if kind == "csv":
            pa.csv.read_csv(file)
        elif kind == "parquet":
            pa.parquet.read_table(file).validate(full=True)
        elif kind == "arrow":
            stored = data.startswith(b"ARROW1")
            reader = pa.ipc.open_file(file) if stored else pa.ipc.open_stream(file)
            for batch in reader if not stored else map(reader.get_batch, range(99)):
                batch.validate(full=True)
        elif kind == "npz":
            dict(np.load(io.BytesIO(data)).items())
