"""Arrow IPC (Feather): files, and streams, which may come through a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..format_detection import STREAM
from ..input_files import InputFile
from ..pyarrow_import import (
    ArrowSource,
    BatchStream,
    RecordBatch,
    arrow,
    first_line,
    unreadable,
)
from .tabular import ROWS, ColumnarReader


class ArrowFile:
    """A file with an index of its record batches."""

    def __init__(self, source: ArrowSource, place: InputFile) -> None:
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

    def batches(self, at: int, columns: list[str] | None) -> Iterator[RecordBatch]:
        """Record batches in slices."""
        count = self._file.num_record_batches
        return _slices(map(self._file.get_batch, range(count)), at, columns)

    def close(self) -> None:
        """Be done."""
        self._source.close()


class ArrowStream:
    """A stream of record batches, which is read once from its beginning."""

    n_rows: int | None = None

    def __init__(self, stream: BatchStream, file: ArrowSource) -> None:
        self._stream = stream
        self._file = file
        self._first: RecordBatch | None = None

    def batches(self, at: int, columns: list[str] | None) -> Iterator[RecordBatch]:
        """Record batches in slices. A look at the first one loses nothing."""
        return _slices(self._batches(look=columns is None), at, columns)

    def _batches(self, *, look: bool) -> Iterator[RecordBatch]:
        while True:
            batch, self._first = self._first, None
            if batch is None:
                batch = next(self._stream, None)
            if batch is None:
                return
            if look:
                self._first = batch
            yield batch

    def close(self) -> None:
        """Be done."""
        self._stream.close()
        self._file.close()


def _slices(
    batches: Iterable[RecordBatch], at: int, columns: list[str] | None
) -> Iterator[RecordBatch]:
    """Slices of at most ``ROWS`` rows, from row `at` on."""
    for batch in batches:
        some = batch if columns is None else batch.select(columns)
        for begin in range(at, batch.num_rows, ROWS):
            yield some.slice(begin, ROWS)
        at = max(at - batch.num_rows, 0)


class ArrowReader(ColumnarReader):
    """The reader of Arrow IPC files and streams."""

    def open_table(self, place: InputFile) -> ArrowFile | ArrowStream:
        """Open a file or a stream."""
        first = place.beginning()
        stored = first.startswith(b"ARROW1")
        if not stored and not first.startswith(STREAM):
            raise ValueError(f"{place.name}: it is not an Arrow file")
        file = place.random() if stored else place.arrow_stream()
        try:
            if stored:
                return ArrowFile(file, place)
            return ArrowStream(arrow("ipc").open_stream(file), file)
        except unreadable() as error:
            file.close()
            what = first_line(error)
            raise ValueError(f"{place.name}: it is not an Arrow file: {what}") from None
