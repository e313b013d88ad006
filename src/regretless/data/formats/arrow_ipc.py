"""Arrow IPC (Feather): files, and streams, which may come through a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..format_detection import STREAM
from ..input_files import InputFile
from ..pyarrow_import import arrow, first_line, unreadable
from .tabular import ROWS, TableReader

__all__ = ["ArrowReader", "open_arrow"]


class ArrowFile:
    """A file with an index of its record batches."""

    def __init__(self, source: Any, place: InputFile) -> None:
        self._source = source
        self._file = arrow("ipc").open_file(source)
        self._place = place

    @property
    def n_rows(self) -> int | None:
        """As the file says, without reading its rows."""
        files = arrow("dataset")
        fragment = files.IpcFileFormat().make_fragment(self._place.random())
        try:
            return fragment.count_rows()
        except unreadable():
            return None  # what is wrong is said when its rows are read

    def batches(self, at: int, columns: list[str] | None) -> Iterator[Any]:
        """Record batches in slices."""
        for k in range(self._file.num_record_batches):
            batch = self._file.get_batch(k)
            if at < batch.num_rows:
                yield from _slices(batch, at, columns)
            at = max(at - batch.num_rows, 0)

    def close(self) -> None:
        """Be done."""
        self._source.close()


class ArrowStream:
    """A stream of record batches, which is read once from its beginning."""

    n_rows: int | None = None

    def __init__(self, stream: Any, file: Any) -> None:
        self._stream = stream
        self._file = file
        self._first: Any = None

    def batches(self, at: int, columns: list[str] | None) -> Iterator[Any]:
        """Record batches in slices. A look at the first one loses nothing."""
        while True:
            batch, self._first = self._first, None
            if batch is None:
                batch = next(self._stream, None)
            if batch is None:
                return
            if columns is None:
                self._first = batch
            if at < batch.num_rows:
                yield from _slices(batch, at, columns)
            at = max(at - batch.num_rows, 0)

    def close(self) -> None:
        """Be done."""
        self._stream.close()
        self._file.close()


def _slices(batch: Any, at: int, columns: list[str] | None) -> Iterator[Any]:
    if columns is not None:
        batch = batch.select(columns)
    for begin in range(at, batch.num_rows, ROWS):
        yield batch.slice(begin, ROWS)


def open_arrow(place: InputFile) -> ArrowFile | ArrowStream:
    """Open an Arrow IPC file or stream."""
    ipc = arrow("ipc")
    first = place.beginning()
    stored = first.startswith(b"ARROW1")
    if not stored and not first.startswith(STREAM):
        raise ValueError(f"{place.name}: it is not an Arrow file")
    file = place.random() if stored else place.arrow_stream()
    try:
        if stored:
            return ArrowFile(file, place)
        return ArrowStream(ipc.open_stream(file), file)
    except unreadable() as error:
        file.close()
        what = first_line(error)
        raise ValueError(f"{place.name}: it is not an Arrow file: {what}") from None


ArrowReader = partial(TableReader, open_arrow)
