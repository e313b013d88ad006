"""The cache: parsed rows in an Arrow IPC file beside the data, read at memory speed.

What is in it, and how it is checked, is in ``stored``. A cache that was made from other
files, older ones, or with other options, is not used. One that is damaged is discarded,
and the files themselves are read from there on.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..engine.storage.atomic import Draft
from ..parts.documents import Document
from .arrow_rows import (
    BatchEntry,
    Damaged,
    batch_of,
    checksum,
    chunk_of,
    ending,
    sealed,
)
from .chunk import Chunk, Piece
from .formats.readers import Reader
from .input_files import InputFile
from .parsed import Parsed
from .pyarrow_import import (
    ArrowSchema,
    BatchFile,
    RecordBatch,
    arrow,
    first_line,
    unreadable,
)
from .read_options import ReadOptions

__all__ = [
    "CacheReader",
    "CacheWriter",
    "DamagedCache",
    "cache_path",
    "discard_cache",
    "fingerprint",
    "open_cache",
]

VERSION = 2
SUFFIX = ".rgcache"
LATER = ("on_bad_rows", "positive")  # options that say what to do with parsed rows


class DamagedCache(Exception):  # noqa: N818 - it is the file that is named
    """A cache that cannot be read on: the files themselves can, from here.

    Attributes
    ----------
    k, at : int
        The file, and the position in it.
    width : int
        How many features came before.
    """

    def __init__(self, what: str, k: int = 0, at: int = 0, width: int = 0) -> None:
        super().__init__(what)
        self.k, self.at, self.width = k, at, width


def cache_path(places: list[InputFile]) -> Path | None:
    """Beside the first file; None where files are not all on this machine."""
    if not all(place.local for place in places):
        return None
    return Path(places[0].path + SUFFIX)


def fingerprint(places: list[InputFile], options: ReadOptions) -> Document:
    """What a cache must have been made from to be used."""
    plain = options.as_dict()
    sources: list[list[object]] = []
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

    def __init__(self, path: Path, made_from: Document) -> None:
        self._path = path
        self._draft: Draft | None = None
        self._made_from = made_from
        self._index: list[BatchEntry] = []
        self._schema: ArrowSchema | None = None
        self._writer: Any = None
        self._sink: Any = None

    def add(self, k: int, piece: Piece, chunk: Chunk) -> bool:
        """One more chunk. False if it cannot be kept: then nothing is."""
        batch = None if chunk.problems else batch_of(chunk)
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
            BatchEntry(
                k,
                piece.begin,
                piece.end,
                chunk.n_lines,
                chunk.n_features,
                checksum(batch),
            )
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
        self._write(empty, custom_metadata=sealed(end))
        with self._draft.explained():
            self._writer.close()
            self._sink.close()
        self._draft.commit()
        self._draft = self._writer = None
        return True

    def tried(self, write: Callable[[], bool]) -> bool:
        """Whether it could be written on; what is read needs no cache."""
        try:
            return write()
        except OSError as error:
            self.drop()
            why = error.strerror or str(error)
            warnings.warn(f"{why}: no cache is kept", RuntimeWarning, stacklevel=2)
            return False

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

    def _write(self, batch: RecordBatch, **more: object) -> None:
        assert self._draft is not None
        with self._draft.explained():
            self._writer.write_batch(batch, **more)


class CacheReader(Reader):
    """Reads what a :class:`CacheWriter` wrote, as if from the files themselves."""

    def __init__(self, file: BatchFile, end: Document, places: list[InputFile]) -> None:
        self._file = file
        self._index: list[BatchEntry] = end["index"]
        self._places = {place.path: k for k, place in enumerate(places)}
        super().__init__(ReadOptions.from_dict(end["options"]), dict(end["names"]))
        self.n_features = end["n_features"]
        self.lined = end["lined"]

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """The chunks of a file, from the position `at` on."""
        k = self._places[place.path]
        mine = [(i, entry) for i, entry in enumerate(self._index) if entry.k == k]
        for i, entry in mine:
            if entry.begin >= at:
                place.portion = entry.end / mine[-1][1].end
                try:
                    batch = self._file.get_batch(i)
                except unreadable() as error:
                    raise self._damaged(i, error) from None
                yield Piece((batch, i), entry.begin, entry.end)

    def parse(self, piece: Piece) -> Parsed:
        """The arrays of a record batch, as they are."""
        batch: RecordBatch = piece.data[0]
        i: int = piece.data[1]
        try:
            return Parsed(chunk_of(batch, self._index[i]))
        except Damaged as error:
            raise self._damaged(i, error) from None

    def _damaged(self, i: int, error: Exception) -> DamagedCache:
        """What to raise of batch `i`: where the one before it ended."""
        k, before = self._index[i].k, self._index[:i]
        at = before[-1].end if before and before[-1].k == k else 0
        width = max((entry.n_features for entry in before), default=0)
        return DamagedCache(f"record batch {i}: {first_line(error)}", k, at, width)


def open_cache(
    path: Path, made_from: Document, places: list[InputFile]
) -> CacheReader | None:
    """The reader of a cache; None if there is none, or it is not of these files.

    Raises
    ------
    DamagedCache
        Where it cannot be read.
    """
    if not path.exists():
        return None
    try:
        # Read, not mapped: mapped pages would count as memory in use, and copying is
        # faster than learning by far.
        file = arrow("ipc").open_file(arrow().OSFile(str(path)))
        end = ending(file)
        if end["made_from"] != made_from:
            return None
        return CacheReader(file, end, places)
    except unreadable() as error:
        raise DamagedCache(first_line(error)) from None


def discard_cache(
    places: list[InputFile], options: ReadOptions, error: DamagedCache
) -> CacheWriter:
    """Remove a damaged cache and say so; what writes the next one."""
    path = Path(places[0].path + SUFFIX)
    with suppress(OSError):
        path.unlink()
    warnings.warn(
        f"{path}: the cache is damaged ({error}): discarded, reading {places[0].name}",
        RuntimeWarning,
        stacklevel=2,
    )
    return CacheWriter(path, fingerprint(places, options))
