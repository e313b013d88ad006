"""Parquet: row groups are read page by page, so memory holds some of one at most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..input_files import InputFile
from ..pyarrow_import import RecordBatch, arrow, first_line, unreadable
from .tabular import ROWS, ColumnarReader

BUFFER = 1 << 16  # bytes read at once from each column


class ParquetTable:
    """A Parquet file."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.n_rows: int = file.metadata.num_rows

    @property
    def group_sizes(self) -> list[int]:
        """How many rows each row group has."""
        about = self._file.metadata
        return [about.row_group(k).num_rows for k in range(about.num_row_groups)]

    def batches(self, at: int, columns: list[str] | None) -> Iterator[RecordBatch]:
        """Record batches, which never span row groups."""
        begin = 0
        for group in range(self._file.metadata.num_row_groups):
            size = self._file.metadata.row_group(group).num_rows
            if begin + size > at:
                yield from self._group(group, at - begin, columns)
            begin += size

    def _group(
        self, group: int, skip: int, columns: list[str] | None
    ) -> Iterator[RecordBatch]:
        left = self._file.metadata.row_group(group).num_rows
        for batch in self._file.iter_batches(
            ROWS, row_groups=[group], columns=columns, use_threads=False
        ):
            if skip < batch.num_rows:
                yield batch.slice(max(skip, 0))
            skip -= batch.num_rows
            left -= batch.num_rows
        if left:
            raise ValueError(f"row group {group} has not as many rows as it says")

    def close(self) -> None:
        """Be done."""
        self._file.close(force=True)


def open_parquet(place: InputFile) -> ParquetTable:
    """Open a Parquet file."""
    try:
        file = arrow("parquet").ParquetFile(
            place.random(), buffer_size=BUFFER, pre_buffer=False
        )
    except unreadable() as error:
        what = first_line(error)
        if what.startswith(place.name):
            raise
        raise ValueError(f"{place.name}: it is not a Parquet file: {what}") from None
    return ParquetTable(file)


class ParquetReader(ColumnarReader):
    """The reader of Parquet files."""

    def open_table(self, place: InputFile) -> ParquetTable:
        """See :func:`open_parquet`."""
        return open_parquet(place)
