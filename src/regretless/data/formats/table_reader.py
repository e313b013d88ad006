"""Readers of tables: the first rows decide what every column is."""

from __future__ import annotations

from ..chunk import Lines
from ..encoding.hash_index import HashIndex
from ..parsed import Parsed
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
            labelled=self.labelled,
            direct=self.direct,
        )
        hashed = self.layout.words or self.layout.texts
        self.n_features = None if hashed else self.layout.n_numbers
        self.named = self.layout.names()
        if hashed and self.by_name is None:
            about = self.layout.bits, self.layout.n_numbers, self.known
            self.index = HashIndex(*about, direct=self.direct > 0)
            self.n_features = self.index.n_features
        return self.layout

    def chunk_of(
        self,
        batch: RecordBatch,
        lines: Lines | None = None,
        numbers: TableNumbers | None = None,
    ) -> Parsed:
        """The rows of a record batch."""
        assert self.layout is not None
        if self.by_name is not None:
            return named_chunk(batch, self.layout, lines, self.by_name)
        index = None if self.frozen else self.index
        parsed = table_chunk(batch, self.layout, index, lines, numbers)
        tags, name = parsed.chunk.tags, self.layout.id
        if not self.labelled or name is None or tags is None or tags.dtype != object:
            return parsed
        faults = Faults(tags.size)
        faults.add(tags == "", lambda i: f"column {name!r} has no id")
        return parsed._replace(chunk=faults.drop(parsed.chunk))
