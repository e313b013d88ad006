"""The record of rows that come one at a time: gathered, then looked at together.

Every label is tested. Of the rows themselves those of :mod:`.fingerprints.schedule` are
hashed and measured: all of the first 4,096, later one in 32.
"""

from __future__ import annotations

import numpy as np

from ..parts.rows import Ints, Longs, Sparse
from ..parts.state import Floats
from .fingerprints.schedule import chosen
from .row_record import RowRecord

ROOM = 512  # rows that are looked at together
FAR = 2**16  # rows, among which some are looked at


class EventRecord:
    """What a learner that is fed row by row remembers of its rows.

    Attributes
    ----------
    skips : int
        How many rows to come are not looked at. Each row that comes counts it down,
        and where it is 0, :meth:`add` takes the row.
    labels : list of float
        The labels that wait to be tested; each row that comes adds its own.
    asked : event or None
        The one that was predicted last.
    open : int
        How many were predicted since one was learned.
    """

    def __init__(self, record: RowRecord) -> None:
        self._record = record
        self._gathered: list[tuple[Ints, Floats]] = []
        self.labels: list[float] = []
        self.asked: object = None
        self.open = 0
        self._plan()

    def answer(self, x: object) -> None:
        """An event is learned: see whether it is the one that was predicted last."""
        self._record.late += not (x is self.asked or x == self.asked)
        self.asked, self.open = None, 0

    def add(self, row: Sparse) -> None:
        """Gather a batch of one row."""
        n = int(row.starts[1])
        self._gathered.append((row.columns[:n].copy(), row.values[:n].copy()))
        self._left -= 1
        if self._left == 0:
            self._flush()
            self._plan()

    def now(self) -> RowRecord:
        """What is known so far, as a copy."""
        self._flush()
        return self._record.copy()

    def __getstate__(self) -> tuple[RowRecord, object, int]:
        self._flush()
        return self._record, self.asked, self.open

    def __setstate__(self, state: tuple[RowRecord, object, int]) -> None:
        self.__init__(state[0])
        self.asked, self.open = state[1:]

    def _plan(self) -> None:
        """Look up which rows are looked at next."""
        first = self._record.rows
        begin, end = next(chosen(first, first + FAR))
        self.skips = self._planned = begin - first
        self._left = min(end - begin, ROOM)

    def _flush(self) -> None:
        """Count the rows that were skipped, and look at those that were gathered."""
        record = self._record
        if self.labels:
            record.feed_labels(np.array(self.labels))
            self.labels.clear()
        record.seen.rows += self._planned - self.skips
        self._planned = self.skips
        if self._gathered:
            columns, values = zip(*self._gathered, strict=True)
            starts: Longs = np.cumsum([0, *(each.size for each in values)])
            rows = Sparse(starts, np.concatenate(columns), np.concatenate(values))
            record.feed_lengths(rows, len(values), np.arange(len(values)))
            record.seen.feed(rows, len(self._gathered))
            self._gathered = []
