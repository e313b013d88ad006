"""Fingerprints of rows that come one at a time: gathered, then hashed together."""

from __future__ import annotations

import numpy as np

from ...parts.rows import Ints, Longs, Sparse
from ...parts.state import Floats
from .sample import Fingerprints
from .schedule import chosen

__all__ = ["OneByOne"]

ROOM = 512  # rows that are hashed together
FAR = 2**16  # rows, among which some are hashed


class OneByOne:
    """The fingerprints of a learner that is fed row by row.

    Attributes
    ----------
    skips : int
        How many rows to come are not hashed. Whoever feeds counts it down, and calls
        :meth:`add` for a row where it is 0.
    """

    def __init__(self, seen: Fingerprints | None = None) -> None:
        self._seen = Fingerprints() if seen is None else seen
        self._gathered: list[tuple[Ints, Floats, float]] = []
        self._plan()

    def add(self, row: Sparse, target: float) -> None:
        """Gather a batch of one row."""
        n = int(row.starts[1])
        self._gathered.append((row.columns[:n].copy(), row.values[:n].copy(), target))
        self._left -= 1
        if self._left == 0:
            self._flush()
            self._plan()

    def now(self) -> Fingerprints:
        """What is known so far, as a copy."""
        self._flush()
        return self._seen.copy()

    def __getstate__(self) -> dict[str, Fingerprints]:
        self._flush()
        return {"seen": self._seen}

    def __setstate__(self, state: dict[str, Fingerprints]) -> None:
        self.__init__(state["seen"])

    def _plan(self) -> None:
        """Look up which rows are hashed next."""
        first = self._seen.rows
        begin, end = next(chosen(first, first + FAR))
        self.skips = self._planned = begin - first
        self._left = min(end - begin, ROOM)

    def _flush(self) -> None:
        """Count the rows that were skipped, and hash those that were gathered."""
        self._seen.rows += self._planned - self.skips
        self._planned = self.skips
        if self._gathered:
            columns, values, targets = zip(*self._gathered, strict=True)
            starts: Longs = np.cumsum([0, *(each.size for each in values)])
            rows = Sparse(starts, np.concatenate(columns), np.concatenate(values))
            self._seen.feed(rows, np.array(targets))
            self._gathered = []
