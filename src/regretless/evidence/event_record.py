"""The record of rows that come one at a time: gathered, then looked at together.

Every label is tested. Of the rows themselves those of :mod:`.fingerprints.schedule` are
hashed and measured: all of the first 4,096, later one in 32.

Whatever ends an event before its end leaves a record of this many events or of one
more: a label counts once it is in the list, and what was gathered is looked at by a
copy of the record, which takes its place when it is ready.
"""

from __future__ import annotations

import numpy as np

from ..parts.rows import Ints, Longs, Sparse
from ..parts.state import Floats
from .fingerprints.schedule import chosen
from .row_record import RowRecord

ROOM = 1024  # rows that are looked at together: the record is copied for that
FAR = 2**16  # rows, among which some are looked at
NOTHING = object()  # has been asked


class EventRecord:
    """What a learner that is fed row by row remembers of its rows.

    Attributes
    ----------
    skips : int
        From this many labels on, rows are looked at.
    labels : list of float
        The labels that wait to be tested; each row that comes adds its own, as the last
        thing that is done for it.
    asked : event or NOTHING
        The one that was predicted last, if that was after the last one was learned.
    """

    def __init__(self, record: RowRecord) -> None:
        self._begin(record)
        self.asked: object = NOTHING

    @property
    def rows(self) -> int:
        """How many have come."""
        return self._record.rows + len(self.labels)

    def fresh(self) -> EventRecord:
        """One of no rows, for the same events to be entered again."""
        other = EventRecord(RowRecord(self._record.task))
        other._late, other.asked = self._late, self.asked
        return other

    def answer(self, x: object) -> None:
        """An event is learned: see whether it is the one that was predicted last."""
        try:
            late = not (x is self.asked or x == self.asked)
        except Exception:  # an event of the user's own may not compare
            late = True
        self._late, self.asked = self._late + late, NOTHING

    def add(self, row: Sparse) -> None:
        """Gather a batch of one row, before its label is entered."""
        if len(self.labels) == self._blocks[-1][1]:
            self._next_block()
        n, place = int(row.starts[1]), len(self.labels) - self.skips
        if place >= 0:
            at = self._blocks[-1][2] + place
            self._gathered[at:] = [(row.columns[:n].copy(), row.values[:n].copy())]

    def now(self) -> RowRecord:
        """What is known so far, as a copy."""
        self._look()
        return self._record.copy()

    def __getstate__(self) -> tuple[RowRecord, object]:
        return self.now(), None if self.asked is NOTHING else (self.asked,)

    def __setstate__(self, state: tuple[RowRecord, tuple[object] | None]) -> None:
        self._begin(state[0])
        self.asked = NOTHING if state[1] is None else state[1][0]

    def _begin(self, record: RowRecord) -> None:
        """Go on from a record, and look up which rows are looked at next."""
        first = record.rows
        begin, end = next(chosen(first, first + FAR))
        labels: list[float] = []
        gathered: list[tuple[Ints, Floats]] = []
        blocks = [(begin - first, min(end, begin + ROOM) - first, 0)]
        self._record, self._late, self.labels = record, record.late, labels
        self._gathered, self._blocks, self.skips = gathered, blocks, begin - first

    def _next_block(self) -> None:
        """All of a block has come: look up the next one, or look at them all."""
        begin, end, place = self._blocks[-1]
        place += end - begin
        if place >= ROOM:
            self._look()
            return
        first = self._record.rows
        begin, end = next(chosen(first + end, first + end + FAR))
        block = (begin - first, min(end, begin + ROOM - place) - first, place)
        self._blocks, self.skips = [*self._blocks, block], begin - first

    def _look(self) -> None:
        """Look at what was gathered, and count the rows that were skipped."""
        record = self._record.copy()
        record.late = self._late
        n = len(self.labels)
        if n:
            record.feed_labels(np.array(self.labels))
        came = 0
        for begin, end, place in self._blocks:
            record.seen.rows += min(n, begin) - came
            came = max(min(n, end), min(n, begin))
            gathered = self._gathered[place : place + max(0, came - begin)]
            if gathered:
                columns, values = zip(*gathered, strict=True)
                starts: Longs = np.cumsum([0, *(each.size for each in values)])
                rows = Sparse(starts, np.concatenate(columns), np.concatenate(values))
                record.feed_lengths(rows, len(values), np.arange(len(values)))
                record.seen.feed(rows, len(gathered))
        self._begin(record)
