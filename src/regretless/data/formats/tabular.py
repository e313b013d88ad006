"""Tables that are stored by columns, such as Parquet: record batches to rows.

How a file is opened is all that tells one such format from another: an
:class:`OpenTable` yields record batches from any row on.
"""

from __future__ import annotations

import abc
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Protocol

import numpy as np

from ..chunk import Broken, Chunk, Lines, Piece
from ..format_detection import STREAM
from ..input_files import InputFile
from ..pyarrow_import import RecordBatch, first_line, unreadable
from .objects import flattened, object_of
from .table_layout import same_kinds
from .table_reader import TableReader

ROWS = 1 << 14  # rows a batch at most


class OpenTable(Protocol):
    """A file that holds a table."""

    @property
    def n_rows(self) -> int | None:
        """How many rows it has, where it says so."""
        ...

    def batches(self, at: int, columns: list[str] | None) -> Iterator[RecordBatch]:
        """Record batches of at most ``ROWS`` rows, from row `at` on.

        Some of the columns, or all. Cut from the beginning in the same way each time.
        """
        ...

    def close(self) -> None:
        """Be done."""
        ...


class ColumnarReader(TableReader):
    """The reader of a format that is stored by columns."""

    @abc.abstractmethod
    def open_table(self, place: InputFile) -> OpenTable:
        """Open a file; ValueError if it is not of this format."""

    def n_rows(self, place: InputFile) -> int | None:
        """As the file says."""
        if not place.rereadable and place.beginning().startswith(STREAM):
            return None  # it could not be opened again
        with closing(self.open_table(place)) as table:
            return table.n_rows

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Record batches."""
        with closing(self.open_table(place)) as table:
            first = next(_checked(table.batches(0, None)), None)
            if first is None:
                raise ValueError(f"{place.name}: it has no rows")
            needed = self._needed(first, place)
            n = table.n_rows
            for batch in map(flattened, _checked(table.batches(at, needed))):
                if place.end is not None and at >= place.end:
                    return
                if n:
                    place.portion = (at + batch.num_rows) / n
                yield Piece(batch, at, at + batch.num_rows)
                at += batch.num_rows

    def columns(self, place: InputFile) -> Generator[tuple[RecordBatch, Lines]]:
        """Record batches, and the number of each row, from 1."""
        begin = 1
        with closing(self.open_table(place)) as table:
            names: list[str] | None = None
            for first in _checked(table.batches(0, None)):
                names = first.schema.names
                break  # a stream goes on from here, and begins with its first batch
            for batch in _checked(table.batches(0, names)) if names else ():
                yield batch, np.arange(begin, begin + batch.num_rows)
                begin += batch.num_rows

    def parse(self, piece: Piece) -> Chunk:
        """The rows of a record batch."""
        return self.chunk_of(piece.data)

    def _needed(self, first: RecordBatch, place: InputFile) -> list[str]:
        """The columns to read, decided on by the first file."""
        if self.layout is None:
            layout = self.decide(flattened(first), place.name, header=True)
        else:
            layout = self.layout
            same_kinds(flattened(first), layout, self.options, place.name)
        stored = set(first.schema.names)
        columns = [*dict(layout.columns), *layout.roles]
        return list(dict.fromkeys(object_of(name, stored) for name in columns))


def _checked(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
    """Record batches that are what they say; Broken at the first that is not."""
    try:
        for batch in batches:
            batch.validate(full=True)
            yield batch
    except unreadable() as error:
        raise Broken(f"it cannot be read on: {first_line(error)}") from None
