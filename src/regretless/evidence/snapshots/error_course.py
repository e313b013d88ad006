"""The errors of a frozen hypothesis over time: counts in at most 64 blocks of rows."""

from __future__ import annotations

import numpy as np

from ...engine.storage import COUNTS, Range, Stored, keep
from ...parts.rows import Longs
from ...parts.state import Bools, Floats

BLOCKS = 64


class ErrorCourse(Stored):
    """Errors by blocks of equal length; where they are full, two become one.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.snapshots.error_course import ErrorCourse
    >>> course = ErrorCourse()
    >>> course.feed(np.arange(1000) >= 900)
    >>> course.last()
    (104, 100)
    """

    kept = keep(rounds=COUNTS, size=Range(1, 2**62), _errors=COUNTS)

    def __init__(self) -> None:
        self.rounds = 0
        self.size = 1  # rows in a block
        self._errors: Longs = np.zeros(BLOCKS, np.int64)

    def check_state(self) -> None:
        """All rows have a block."""
        if self.rounds > BLOCKS * self.size:
            raise ValueError("these are not the errors of a frozen hypothesis")

    def feed(self, wrong: Bools) -> None:
        """Add some more rows: which are errors."""
        if not wrong.size:
            return
        before, self.rounds = self.rounds, self.rounds + wrong.size
        while self.rounds > BLOCKS * self.size:
            pairs = self._errors.reshape(-1, 2).sum(axis=1)
            self._errors = np.concatenate([pairs, np.zeros_like(pairs)])
            self.size *= 2
        first, last = before // self.size, (self.rounds - 1) // self.size
        begins = np.arange(first, last + 1) * self.size - before
        begins[0] = 0
        self._errors[first : last + 1] += np.add.reduceat(wrong, begins, dtype=np.int64)

    def last(self, share: float = 0.1) -> tuple[int, int]:
        """Rows and errors of the last blocks that hold a `share` of all rows."""
        full = -(-self.rounds // self.size)  # the last one may not be full
        first = min(full - 1, int((1.0 - share) * self.rounds) // self.size)
        first = max(first, 0)
        return self.rounds - first * self.size, int(self._errors[first:].sum())

    def rates(self) -> Floats:
        """The share of errors in each full block."""
        return self._errors[: self.rounds // self.size] / self.size
