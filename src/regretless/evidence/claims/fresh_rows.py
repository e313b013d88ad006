"""Rows that were set aside, counted: all of them, and those without a learned copy."""

from __future__ import annotations

import numpy as np

from ...data.selection import chosen_rows
from ...parts.rows import Dense, Longs, Sparse
from ...parts.state import Bools, Floats
from ..fingerprints import Fingerprints
from ..snapshots.snapshot import compared
from .guard import Counted, sides_of


class FreshRows:
    """Counts of rows that judge a model, compared with those that it has learned.

    Parameters
    ----------
    seen : Fingerprints or None
        Of the rows that were learned; None: nothing is known of them.
    """

    def __init__(self, seen: Fingerprints | None) -> None:
        self._seen = None if seen is None else seen.copy()
        self._rows = self._errors = 0
        self._sides = np.zeros((2, 4), np.int64)

    def add(
        self,
        chosen: Longs,
        wrong: Bools,
        rows: Dense | Sparse | None = None,
        targets: Floats | None = None,
    ) -> None:
        """Count the rows whose numbers are `chosen`; `wrong` says which are errors."""
        errs = wrong[chosen]
        self._rows += chosen.size
        self._errors += int(np.count_nonzero(errs))
        if self._seen is None or rows is None or targets is None:
            return
        at, ago = self._seen.feed(chosen_rows(rows, chosen), chosen.size).T
        labels = np.nan_to_num(targets[chosen])
        self._sides += compared(labels[at], errs[at], ago == 0)

    @property
    def counted(self) -> Counted:
        """What was counted."""
        return Counted(self._rows, self._errors, sides_of(self._sides))

    @property
    def replay(self) -> str:
        """That they are rows which were learned before, in words; "" if not."""
        found = None if self._seen is None else self._seen.replay
        return "" if found is None else str(found)
