"""The cache: parsed rows in an Arrow IPC file beside the data, read at memory speed.

A record batch a chunk, with the columns ``label``, ``line``, ``weight`` (if any) and
``values``: lists of numbers, beside lists of their ``columns`` where rows are sparse.
An empty last batch carries what is known when all is read: the names of features, the
options as they turned out, and where every chunk stands in which file. A cache that was
made from other files, older ones, or with other options, is not used.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..parts.rows import Dense, Sparse
from ..storage.atomic import Draft
from .arrow import arrow
from .chunk import Chunk, Piece
from .options import ReadOptions
from .places import Place
from .readers import Reader

__all__ = [
    "CacheReader",
    "CacheWriter",
    "Entry",
    "cache_path",
    "chunk_of",
    "fingerprint",
    "open_cache",
]

VERSION = 1
SUFFIX = ".rgcache"
LATER = ("on_bad_rows", "positive")  # options that say what to do with parsed rows


class Entry(NamedTuple):
    """Where a chunk stands: its file, its piece, its lines; and its width."""

    k: int
    begin: int
    end: int
    n_lines: int
    n_features: int


def cache_path(places: list[Place]) -> Path | None:
    """Beside the first file; None where files are not all on this machine."""
    if not all(place.local for place in places):
        return None
    return Path(places[0].path + SUFFIX)


def fingerprint(places: list[Place], options: ReadOptions) -> dict[str, Any]:
    """What a cache must have been made from to be used."""
    plain = options.as_dict()
    sources: list[list[Any]] = []
    for place in places:
        status = Path(place.path).stat()
        sources.append([place.path, status.st_size, status.st_mtime_ns])
    return {
        "version": VERSION,
        "sources": sources,
        "options": {name: plain[name] for name in plain if name not in LATER},
    }


class CacheWriter:
    """Writes chunks as they come; the file appears when all are written."""

    def __init__(self, path: Path, made_from: dict[str, Any]) -> None:
        self._path = path
        self._draft: Draft | None = None
        self._made_from = made_from
        self._index: list[Entry] = []
        self._schema: Any = None
        self._writer: Any = None
        self._sink: Any = None

    def add(self, k: int, piece: Piece, chunk: Chunk) -> bool:
        """One more chunk. False if it cannot be kept: then nothing is."""
        batch = None if chunk.problems else _batch(chunk)
        if batch is None or self._schema not in (None, batch.schema):
            self.drop()
            return False
        if self._writer is None:
            self._draft = Draft(self._path)
            self._schema = batch.schema
            self._sink = arrow().OSFile(str(self._draft.path), "wb")
            self._writer = arrow("ipc").new_file(self._sink, batch.schema)
        self._write(batch)
        self._index.append(
            Entry(k, piece.begin, piece.end, chunk.n_lines, chunk.n_features)
        )
        return True

    def finish(self, reader: Reader, n_rows: int | None = None) -> bool:
        """Write down what is known now, and let the file appear."""
        if self._writer is None or self._draft is None:
            return False
        end = {
            "made_from": self._made_from,
            "index": self._index,
            "options": reader.options.as_dict(),
            "names": list(reader.named.items()),
            "n_features": reader.n_features,
            "lined": reader.lined,
            "n_rows": n_rows,
        }
        empty = arrow().RecordBatch.from_pylist([], schema=self._schema)
        self._write(empty, custom_metadata={"end": json.dumps(end)})
        with self._draft.explained():
            self._writer.close()
            self._sink.close()
        self._draft.commit()
        self._draft = self._writer = None
        return True

    def drop(self) -> None:
        """Leave nothing behind, unless it was finished."""
        for opened in (self._writer, self._sink):
            if self._draft is not None and opened is not None:
                with suppress(OSError):
                    opened.close()
        if self._draft is not None:
            self._draft.drop()
        self._index, self._schema = [], None
        self._draft = self._writer = None

    def __enter__(self) -> CacheWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.drop()

    def _write(self, batch: Any, **more: Any) -> None:
        assert self._draft is not None
        with self._draft.explained():
            self._writer.write_batch(batch, **more)


class CacheReader:
    """Reads what a :class:`CacheWriter` wrote, as if from the files themselves."""

    def __init__(self, file: Any, end: dict[str, Any], places: list[Place]) -> None:
        self._file = file
        self._index = [Entry(*entry) for entry in end["index"]]
        self._places = {place.path: k for k, place in enumerate(places)}
        self.options = ReadOptions.from_dict(end["options"])
        self.named: Mapping[int, str] = {int(k): name for k, name in end["names"]}
        self.n_features: int | None = end["n_features"]
        self.lined: bool = end["lined"]

    def n_rows(self, place: Place) -> int | None:
        """Not counted."""
        return None

    def pieces(self, place: Place, at: int) -> Generator[Piece]:
        """The chunks of a file, from the position `at` on."""
        k = self._places[place.path]
        mine = [(i, entry) for i, entry in enumerate(self._index) if entry.k == k]
        for i, entry in mine:
            if entry.begin >= at:
                place.portion = entry.end / mine[-1][1].end
                yield Piece((self._file.get_batch(i), entry), entry.begin, entry.end)

    def parse(self, piece: Piece) -> Chunk:
        """The arrays of a record batch, as they are."""
        batch, entry = piece.data
        return chunk_of(batch, entry)

    def merge(self, parsed: Chunk) -> Chunk:
        """A chunk needs nothing of those before it."""
        return parsed


def open_cache(
    path: Path, made_from: dict[str, Any], places: list[Place]
) -> CacheReader | None:
    """The reader of a cache; None if there is none, or it is not of these files."""
    if not path.exists():
        return None
    try:
        # Read, not mapped: mapped pages would count as memory in use, and copying is
        # faster than learning by far.
        file = arrow("ipc").open_file(arrow().OSFile(str(path)))
        last = file.get_batch_with_custom_metadata(file.num_record_batches - 1)
        end = json.loads(last.custom_metadata[b"end"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if end["made_from"] != made_from:
        return None
    return CacheReader(file, end, places)


def _batch(chunk: Chunk) -> Any:
    """A chunk as a record batch, around the same arrays."""
    pa = arrow()
    labels = chunk.labels
    words = labels.dtype == object
    columns: dict[str, Any] = {
        "label": pa.array(labels, pa.string() if words else pa.float64()),
        "line": pa.array(chunk.lines, pa.int64()),
    }
    if words:
        columns["label"] = pa.array(labels.tolist(), pa.string())
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
    return pa.RecordBatch.from_pydict(columns)


def chunk_of(batch: Any, entry: Entry) -> Chunk:
    """A record batch as a chunk, around the same arrays."""
    names = batch.schema.names
    label = batch.column("label")
    if arrow("types").is_string(label.type):
        labels: Any = np.array(label.to_pylist(), dtype=object)
    else:
        labels = label.to_numpy(zero_copy_only=False)
    values = batch.column("values")
    rows: Dense | Sparse
    if "columns" in names:
        indices = batch.column("columns")
        rows = Sparse(
            indices.offsets.to_numpy(),
            indices.values.to_numpy(),
            values.values.to_numpy(),
        )
    else:
        rows = Dense(values.values.to_numpy(), values.type.list_size)
    weights = batch.column("weight").to_numpy() if "weight" in names else None
    lines = batch.column("line").to_numpy()
    return Chunk(rows, labels, entry.n_features, lines, entry.n_lines, weights)
