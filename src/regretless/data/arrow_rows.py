"""Parsed rows as record batches of an Arrow file: written, and checked when read.

A record batch a chunk, with the columns ``label``, ``line``, ``weight`` (if any) and
``values``: lists of numbers, beside lists of their ``columns`` where rows are sparse.
An empty last batch carries in its metadata, as JSON, what is known when all is read: an
entry for each batch, the options as they turned out, the names of features.

Kernels look at no bounds, so everything is looked at here. An entry has a checksum of
the arrays of its batch, as they are handed on, and the JSON has one too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..parts.documents import Document
from ..parts.rows import Dense, Sparse
from .chunk import Array, Chunk
from .encoding.sparse import check_starts, largest
from .pyarrow_import import (
    ArrowColumn,
    ArrowSchema,
    BatchFile,
    RecordBatch,
    arrow,
    first_line,
    unreadable,
)

MARK = {"regretless": "rows"}  # in the schema
MOST = 2**31 - 1  # features: their numbers are int32


class Damaged(ValueError):  # noqa: N818 - it is the file that is named
    """A file of parsed rows that is not as it was written."""


class BatchEntry(NamedTuple):
    """Where a chunk stands: its file, its piece, its lines; its width and checksum."""

    k: int
    begin: int
    end: int
    n_lines: int
    n_features: int
    checksum: str


def batch_of(chunk: Chunk) -> RecordBatch:
    """A chunk as a record batch, around the same arrays."""
    pa = arrow()
    labels = chunk.labels
    words = labels.dtype == object
    columns: dict[str, ArrowColumn] = {
        "label": pa.array(
            labels.tolist() if words else labels, pa.string() if words else pa.float64()
        ),
        "line": pa.array(chunk.lines, pa.int64()),
    }
    if chunk.weights is not None:
        columns["weight"] = pa.array(chunk.weights)
    rows = chunk.rows
    if isinstance(rows, Dense):
        columns["values"] = pa.FixedSizeListArray.from_arrays(
            pa.array(rows.values), rows.width
        )
    else:
        starts = pa.array(rows.starts)
        lists = pa.LargeListArray.from_arrays
        columns["columns"] = lists(starts, pa.array(rows.columns))
        columns["values"] = lists(starts, pa.array(rows.values))
    return pa.RecordBatch.from_pydict(columns, metadata=MARK)


def is_marked(schema: ArrowSchema) -> bool:
    """Whether an Arrow file says that it holds parsed rows."""
    metadata: dict[bytes, bytes] | None = schema.metadata
    return metadata is not None and metadata.get(b"regretless") == b"rows"


def chunk_of(batch: RecordBatch, entry: BatchEntry) -> Chunk:
    """A record batch as a chunk, around the same arrays.

    Raises
    ------
    Damaged
        Where it is not what was written, or what kernels cannot take.
    """
    try:
        batch.validate(full=True)
        if entry.checksum != checksum(batch):
            raise Damaged("its checksum differs")
        return _chunk(batch, entry)
    except Damaged:
        raise
    except unreadable() as error:
        raise Damaged(first_line(error)) from None


def checksum(batch: RecordBatch) -> str:
    """What tells the arrays of this batch from others."""
    sums = np.zeros(2, np.uint64)
    found: list[object] = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        for k, buffer in enumerate(column.buffers()):
            letters = np.frombuffer(b"" if buffer is None else buffer, np.uint8)
            whole = letters.size // 8 * 8
            _sum_words()(letters[:whole].view(np.uint64), sums)
            rest: list[int] = letters[whole:].tolist()
            found.append([name, k, letters.size, sums.tolist(), rest])
    return _text_digest(repr(found))


def with_checksum(end: Document) -> dict[str, str]:
    """The metadata that says what is known at the end, with a checksum."""
    text = json.dumps(end)
    return {"end": text, "checksum": _text_digest(text)}


def ending(file: BatchFile) -> Document:
    """What the last batch of an open Arrow file says.

    Raises
    ------
    KeyError
        Where it says nothing: then another program wrote it.
    Damaged
        Where it is not as it was written.
    """
    last = file.get_batch_with_custom_metadata(file.num_record_batches - 1)
    metadata: dict[bytes, bytes] = last.custom_metadata or {}
    text = metadata[b"end"]
    try:
        end: Document = json.loads(text)
        if metadata.get(b"checksum", b"").decode() != _text_digest(text.decode()):
            raise Damaged("its index is not as it was written")
        end["index"] = [_entry(each) for each in end["index"]]
        end["names"] = [*map(str, end["names"])]
        end["called"] = [(_whole(j), str(name)) for j, name in end["called"]]
        if end["hashed"] is not None:
            end["hashed"] = [*map(_whole, end["hashed"])]
        for name in ("n_features", "n_rows"):
            end[name] = end[name] if end[name] is None else _whole(end[name])
        most = MOST if end["n_features"] is None else end["n_features"]
        if most > MOST or any(entry.n_features > most for entry in end["index"]):
            raise Damaged("its numbers of features cannot be")
    except Damaged:
        raise
    except unreadable():
        raise Damaged("its index cannot be read") from None
    return end


def _entry(parts: list[Any]) -> BatchEntry:
    found = BatchEntry(*parts)
    for number in found[:-1]:
        _whole(number)
    return found


def _whole(number: object) -> int:
    if not isinstance(number, int) or number < 0:
        raise TypeError(f"{number!r:.20} is not a count")
    return number


def _numbers(array: ArrowColumn, kind: type) -> Array:
    """An array of exactly this type, as it is."""
    if array.null_count == 0:
        found = array.to_numpy()
        if found.dtype == kind:
            return found
    raise Damaged("a column is of another type")


def _chunk(batch: RecordBatch, entry: BatchEntry) -> Chunk:
    """The chunk, if all of it is of the right types and lies where it should."""
    n, names = batch.num_rows, batch.schema.names
    label, lists = batch.column("label"), batch.column("values")
    values = _numbers(lists.values, np.float64)
    rows: Dense | Sparse
    if "columns" in names:
        starts = batch.column("columns")
        columns = _numbers(starts.values, np.int32)
        rows = Sparse(_numbers(starts.offsets, np.int64), columns, values)
        inside = check_starts(rows.starts, n, min(columns.size, values.size))
        inside = inside and largest(columns) < entry.n_features
        whole = not starts.null_count
    else:
        rows = Dense(values, lists.type.list_size)
        inside = values.size == n * rows.width and rows.width <= entry.n_features
        whole = True
    if not whole or lists.null_count:
        raise Damaged("it lacks rows")
    if not inside:
        raise Damaged("it has columns out of range")
    if arrow("types").is_string(label.type):
        labels = np.array(label.to_pylist(), dtype=object)
    else:
        labels = _numbers(label, np.float64)
    lines, weights = _numbers(batch.column("line"), np.int64), None
    if "weight" in names:
        weights = _numbers(batch.column("weight"), np.float64)
    return Chunk(rows, labels, entry.n_features, lines, entry.n_lines, weights)


@cache
def _sum_words() -> Callable[[Array, Array], None]:
    from ..engine.kernels.checksum import sum_words
    from ..engine.kernels.compiled import entry

    words = np.zeros(0, np.uint64)
    return entry(sum_words, (words, words))


def _text_digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
