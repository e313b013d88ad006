"""Readers of tables: the first rows decide what every column is."""

from __future__ import annotations

from ..chunk import Chunk, Lines
from ..pyarrow_import import RecordBatch
from ..row_errors import Faults
from .columns import TableNumbers, table_chunk
from .named_rows import named_chunk
from .readers import Reader
from .table_layout import Layout, decide


class TableReader(Reader):
    """A reader of columns; where two words share a feature the first one names it.

    Attributes
    ----------
    layout : Layout or None
        What the columns are, as soon as the first rows were seen.
    """

    layout: Layout | None = None

    def decide(self, first: RecordBatch, where: str, *, header: bool) -> Layout:
        """Take what the columns are, and their names, from the first rows."""
        self.layout, self.options = decide(
            first,
            self.options,
            where,
            header=header,
            labelled=self.wanted.labelled,
            direct=self.wanted.direct,
        )
        hashed = self.layout.words or self.layout.texts
        self.n_features = None if hashed else self.layout.n_numbers
        self.named = self.layout.names()
        if hashed and self.wanted.by_name is None:
            self.hash_names(self.layout.bits, self.layout.n_numbers)
        return self.layout

    def chunk_of(
        self,
        batch: RecordBatch,
        lines: Lines | None = None,
        numbers: TableNumbers | None = None,
    ) -> Chunk:
        """The rows of a record batch."""
        assert self.layout is not None
        if self.wanted.by_name is not None:
            return named_chunk(batch, self.layout, lines, self.wanted.by_name)
        index = None if self.wanted.frozen else self.index
        chunk = table_chunk(batch, self.layout, index, lines, numbers)
        tags = chunk.tags if self.wanted.labelled else None
        if tags is None or tags.dtype != object:
            return chunk
        name = self.layout.id
        faults = Faults(tags.size)
        faults.add(tags == "", lambda i: f"column {name!r} has no id")
        return faults.drop(chunk)
