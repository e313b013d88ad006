"""Tables that are stored by columns, such as Parquet: record batches to rows.

How a file is opened is all that tells one such format from another: an
:class:`OpenTable` yields record batches from any row on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from typing import Any, Protocol

from ..chunk import Broken, Chunk, Piece
from ..column_names import Named
from ..format_detection import STREAM
from ..input_files import InputFile
from ..pyarrow_import import first_line, unreadable
from ..read_options import ReadOptions
from .columns import Table, table_chunk
from .table_layout import Layout, decide, same_kinds

__all__ = ["ROWS", "OpenTable", "TableReader"]

ROWS = 1 << 14  # rows a batch at most


class OpenTable(Protocol):
    """A file that holds a table."""

    @property
    def n_rows(self) -> int | None:
        """How many rows it has, where it says so."""
        ...

    def batches(self, at: int, columns: list[str] | None) -> Iterator[Any]:
        """Record batches of at most ``ROWS`` rows, from row `at` on.

        Some of the columns, or all. Cut from the beginning in the same way each time.
        """
        ...

    def close(self) -> None:
        """Be done."""
        ...


class TableReader:
    """The reader of a format that is stored by columns."""

    lined = False

    def __init__(
        self,
        open_table: Callable[[InputFile], OpenTable],
        options: ReadOptions,
        names: Mapping[int, str],
        *,
        labelled: bool,
        frozen: bool,
    ) -> None:
        self.options = options
        self._open = open_table
        self._labelled = labelled
        self._named = Named(names)
        self._layout: Layout | None = None

    @property
    def n_features(self) -> int | None:
        """Known as soon as the first rows were seen."""
        return None if self._layout is None else self._layout.n_features

    @property
    def named(self) -> Mapping[int, str]:
        """The names of columns, and of words so far."""
        return self._named.names

    def n_rows(self, place: InputFile) -> int | None:
        """As the file says."""
        if not place.again and place.beginning().startswith(STREAM):
            return None  # it could not be opened again
        with closing(self._open(place)) as table:
            return table.n_rows

    def pieces(self, place: InputFile, at: int) -> Generator[Piece]:
        """Record batches."""
        with closing(self._open(place)) as table:
            first = next(_checked(table.batches(0, None)), None)
            if first is None:
                raise ValueError(f"{place.name}: it has no rows")
            needed = self._needed(first, place)
            n = table.n_rows
            for batch in _checked(table.batches(at, needed)):
                if place.end is not None and at >= place.end:
                    return
                if n:
                    place.portion = (at + batch.num_rows) / n
                yield Piece(batch, at, at + batch.num_rows)
                at += batch.num_rows

    def parse(self, piece: Piece) -> Table:
        """The rows of a record batch."""
        assert self._layout is not None
        return table_chunk(piece.data, self._layout, self._named.known)

    def merge(self, parsed: Table) -> Chunk:
        """Remember the names of new words."""
        self._named.add(parsed.fresh)
        return parsed.chunk

    def _needed(self, first: Any, place: InputFile) -> list[str]:
        """The columns to read, decided on by the first file."""
        layout = self._layout
        if layout is None:
            layout, self.options = decide(
                first, self.options, place.name, header=True, labelled=self._labelled
            )
            self._layout = layout
            self._named.begin(layout)
        else:
            same_kinds(first, layout, self.options, place.name)
        names = [name for name, _ in layout.columns]
        roles = (layout.label, layout.weight, layout.group, layout.id)
        return list(dict.fromkeys([*names, *(name for name in roles if name)]))


def _checked(batches: Iterator[Any]) -> Iterator[Any]:
    """Record batches that are what they say; Broken at the first that is not."""
    try:
        for batch in batches:
            batch.validate(full=True)
            yield batch
    except unreadable() as error:
        raise Broken(f"it cannot be read on: {first_line(error)}") from None
