"""Readers of tables: the first rows decide what every column is."""

from __future__ import annotations

import numpy as np

from ..chunk import Chunk, Lines
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
    known : ndarray of uint8
        1 for each feature of words that has its name. Threads may look at an older
        state: they name a feature once more, and nothing changes.
    """

    def start(self) -> None:
        """Nothing is known of the columns."""
        self.layout: Layout | None = None
        self.known = np.zeros(1, np.uint8)

    def decide(self, first: RecordBatch, where: str, *, header: bool) -> Layout:
        """Take what the columns are, and their names, from the first rows."""
        self.layout, self.options = decide(
            first, self.options, where, header=header, labelled=self.labelled
        )
        self.n_features = self.layout.n_features
        self.named.update(self.layout.names())
        self.hashed = bool(self.layout.words or self.layout.texts)
        if self.hashed:
            self.known = np.zeros(2**self.layout.bits, np.uint8)
            hashed = np.array(list(self.named), np.int64) - self.layout.n_numbers
            if hashed.size and hashed.max() >= self.known.size:
                raise ValueError(f"{where}: features beyond the last are named")
            self.known[hashed[hashed >= 0]] = 1
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
            return named_chunk(batch, self.layout, self.known, lines, self.by_name)
        parsed = table_chunk(batch, self.layout, self.known, lines, numbers)
        tags, name = parsed.chunk.tags, self.layout.id
        if not self.labelled or name is None or tags is None or tags.dtype != object:
            return parsed
        faults = Faults(tags.size)
        faults.add(tags == "", lambda i: f"column {name!r} has no id")
        return parsed._replace(chunk=faults.drop(parsed.chunk))

    def merge(self, parsed: Parsed) -> Chunk:
        """Remember the names of new words, in the order of the stream."""
        for feature, name in parsed.names:
            if feature not in self.named:
                assert self.layout is not None
                self.named[feature] = name
                self.known[feature - self.layout.n_numbers] = 1
        return parsed.chunk
