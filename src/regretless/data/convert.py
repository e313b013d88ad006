"""Write what can be read: as a file of parsed rows, or as LIBSVM text."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.storage.atomic import Draft
from ..parts.rows import Dense
from .arrow_rows import BatchEntry, batch_of, checksum, with_checksum
from .chunk import Array, Chunk
from .encoding.hash_index import NARROW, WIDE
from .file_source import FileSource
from .formats.readers import Wanted
from .input_files import find_places
from .pyarrow_import import ArrowSchema, arrow
from .read_options import ReadOptions
from .skipped_rows import Skipped

ARROW = (".arrow", ".feather", ".ipc")
TEXT = (".svm", ".libsvm", ".svmlight")
PACKED = {".gz": "gzip", ".zst": "zstd"}


def convert_files(
    data: object, output: str, options: ReadOptions
) -> tuple[int, Skipped]:
    """Read `data` and write the rows to `output`; how many, and which were skipped.

    The file appears when all rows are written: a failure leaves what was there before.
    """
    path = Path(output)
    ending, packed = check_target(output)
    source = FileSource(
        find_places(data),
        options,
        # The numbers that features get in one file mean nothing in another.
        Wanted(labelled=False, direct=WIDE if ending in ARROW else NARROW),
        binary=False,
    )
    if ending in ARROW:
        return _to_arrow(source, path), source.skipped
    return _to_text(source, path, packed), source.skipped


def check_target(output: str) -> tuple[str, str | None]:
    """The ending and the compression of `output`; ValueError where it cannot be one."""
    path = Path(output)
    packed = PACKED.get(path.suffix.lower())
    ending = Path(path.stem).suffix.lower() if packed else path.suffix.lower()
    known = ending in TEXT or (ending in ARROW and packed is None)
    if not known:
        raise ValueError(
            f"{output}: write FILE.arrow, or FILE.svm (with .gz or .zst behind it)"
        )
    return ending, packed


def _to_arrow(source: FileSource, path: Path) -> int:
    """A record batch a chunk, and one that says what is known when all is read."""
    rows, index, reader = 0, list[BatchEntry](), source.reader
    schema: ArrowSchema | None = None
    writer: Any = None
    with Draft(path) as draft, ExitStack() as opened:
        for k, piece, chunk in source.chunks():
            batch = batch_of(chunk)
            if schema is None:
                schema = batch.schema
                sink = opened.enter_context(arrow().OSFile(str(draft.path), "wb"))
                writer = opened.enter_context(arrow("ipc").new_file(sink, schema))
            if batch.schema != schema:
                raise ValueError(
                    f"{source.places[k].name}: its rows are not of one kind: some "
                    "labels are words, or some rows have weights"
                )
            writer.write_batch(batch)
            rows += chunk.lines.size
            ends = (piece.begin, piece.end, chunk.n_lines, chunk.n_features)
            index.append(BatchEntry(k, *ends, checksum(batch)))
        if not rows:
            raise ValueError("there are no rows to write")
        names = reader.index
        end = {
            "index": index,
            "options": reader.options.as_dict(),
            "names": reader.named,
            "hashed": names and [names.bits, names.first],
            "called": [*zip(names.met.columns.tolist(), names.named, strict=True)]
            if names
            else [],
            "n_features": None if names else reader.n_features,
            "n_rows": rows,
        }
        empty = arrow().RecordBatch.from_pylist([], schema=schema)
        writer.write_batch(empty, custom_metadata=with_checksum(end))
        opened.close()
        draft.commit()
    return rows


def _to_text(source: FileSource, path: Path, packed: str | None) -> int:
    """Labels as they are, and the entries that are not 0, counted from 1."""
    rows = 0
    with Draft(path) as draft:
        with arrow().output_stream(str(draft.path), compression=packed) as stream:
            for _, _, chunk in source.chunks():
                rows += chunk.lines.size
                stream.write(_text(chunk).encode())
        draft.commit()
    return rows


def _text(chunk: Chunk) -> str:
    """Rows as LIBSVM text, indices from 1; numbers come back to the last bit."""
    if chunk.labels.dtype == object:
        raise ValueError("LIBSVM text has numbers for labels, and these are words")
    if chunk.weights is not None:
        raise ValueError("LIBSVM text has no place for the weights of rows")
    starts, columns, values = _entries(chunk)
    entries = [
        f"{j + 1}:{_number(x)}"
        for j, x in zip(columns.tolist(), values.tolist(), strict=True)
    ]
    labels = ["" if np.isnan(y) else _number(y) for y in chunk.labels.tolist()]
    bounds = starts.tolist()
    return "".join(
        " ".join(([label] if label else []) + entries[bounds[i] : bounds[i + 1]]) + "\n"
        for i, label in enumerate(labels)
    )


def _number(x: float) -> str:
    return str(int(x)) if x.is_integer() and abs(x) < 1e15 else repr(x)


def _entries(chunk: Chunk) -> tuple[Array, Array, Array]:
    """Where rows start, and their columns and values; zeros of tables are left out."""
    rows = chunk.rows
    if not isinstance(rows, Dense):
        return rows.starts, rows.columns, rows.values
    table = rows.values.reshape(-1, rows.width)
    lines, columns = np.nonzero(table)
    counts = np.bincount(lines, minlength=len(table))
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return starts, columns, table[lines, columns]
