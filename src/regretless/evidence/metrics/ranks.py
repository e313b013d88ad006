"""Scores beside labels, in order: what AUC and every threshold need, in one pass.

Scores wait in a buffer. When it is full they are sorted and put into a table of cells.
While rows fit into the buffer, or there are at most CELLS different scores, a cell is
one score, and everything is exact. Then neighbors are joined, as long as they hold at
most N/K of all N negatives and P/K of all P positives together. The order of rows in
one cell is lost, and such pairs count as half:

    AUC = P(s+ > s-) + P(s+ = s-)/2,    lost: sum_cells p_c n_c / (2 P N) <= 1/(2K)

with p_c positives and n_c negatives in cell c. Within a cell about as many pairs are in
order as not, so the error is far smaller than what is lost, as ``python -m
benchmarks.metrics`` measures on streams that are smooth, rare, growing, drifting and
sorted. A stream that is built against the table can do worse.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.storage import COUNTS, Stored, checked_array, checked_int
from ...parts.documents import Document
from ...parts.rows import Longs
from ...parts.state import Floats

CELLS = 10_240  # of a table
BUFFER = 32_768  # scores that wait to be sorted
FINE = CELLS // 2  # K, where so many cells are enough
COARSE = CELLS // 4 - 1  # K, where always are
MOST = 2**62
NOTHING = (np.zeros((2, 2), np.int64), np.zeros(2), np.zeros((3, 0)))


class RankCurve(NamedTuple):
    """Counts for every threshold: predict 1 where the score is above it.

    Attributes
    ----------
    thresholds : array
        From the largest down; the first is +inf, which predicts no 1.
    true_positives, false_positives : array
        How many rows of label 1, and of label 0, are above each threshold.
    """

    thresholds: Floats
    true_positives: Floats
    false_positives: Floats


class RankTable(Stored):
    """How labels are ordered by scores, in constant memory.

    Examples
    --------
    >>> import numpy as np
    >>> table = RankTable()
    >>> table.feed(np.array([0.1, 0.4, 0.35, 0.8]), np.array([0.0, 0.0, 1.0, 1.0]))
    >>> table.auc(), table.average_precision(), table.exact
    (0.75, 0.8333333333333333, True)
    """

    def __init__(self) -> None:
        # What waits: positives from the left, negatives from the right.
        self._waiting = np.zeros(BUFFER)
        self._ends = np.array([0, BUFFER])
        self._values, self._counts = _room(0)  # counts: negatives, positives, joined
        self._spare = _room(0)
        self._used = 0
        self.rows = 0

    @property
    def exact(self) -> bool:
        """Whether no two different scores share a cell."""
        return not self._table()[1][:, 2].any()

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        arrays = (self._waiting, self._values, self._counts, *self._spare)
        return sum(array.nbytes for array in arrays)

    def feed(
        self,
        scores: Floats,
        targets: Floats,
        into: tuple[Longs, Floats, Floats] = NOTHING,
    ) -> None:
        """Put rows with these scores, finite, into the table; targets above 0 are 1.

        `into` are the counts, sums and bins of :func:`measure_two`.
        """
        from ...engine.kernels.compiled import entry
        from ...engine.kernels.ranks import measure_two

        scores = np.ascontiguousarray(scores, np.float64)
        targets = np.ascontiguousarray(targets, np.float64)
        done = 0
        while done < scores.size:
            room = int(self._ends[1] - self._ends[0])
            if not room:
                self._merge()
                continue
            part = slice(done, done + room)
            given = (scores[part], targets[part], self._ends, self._waiting, *into)
            entry(measure_two, given)(*given)
            done += room
        self.rows += scores.size

    def auc(self) -> float:
        """The probability that a positive row scores above a negative one.

        nan while one of the labels has not come.
        """
        negatives, positives, _ = self._table()[1].T
        below = np.cumsum(negatives) - 0.5 * negatives
        pairs = float(positives.sum()) * float(negatives.sum())
        return float((positives * below).sum() / pairs) if pairs else float("nan")

    def auc_lost(self) -> float:
        """The share of pairs whose order is not known, halved; 0 where it is exact."""
        negatives, positives, joined = self._table()[1].T.astype(np.float64)
        pairs = float(negatives.sum()) * float(positives.sum())
        lost = float((negatives * positives * joined).sum())
        return 0.5 * lost / pairs if pairs else 0.0

    def average_precision(self) -> float:
        """sum_k (R_k - R_{k-1}) P_k over thresholds, as scikit-learn defines it.

        Within a joined cell labels are taken to be evenly mixed.
        """
        _, counts = self._table()
        joined, counts = counts[:, 2], counts[:, :2]
        false, hits = counts[::-1].cumsum(axis=0).astype(np.float64).T
        if not hits.size or not hits[-1]:
            return float("nan")
        new = counts[::-1, 1].astype(np.float64)
        precision = hits / (hits + false)
        mixed = joined[::-1] > 0
        if mixed.any():
            size = counts[::-1].sum(axis=1)[mixed].astype(np.float64)
            before = (hits + false)[mixed] - size
            share = new[mixed] / size
            rest = (hits - new)[mixed] - share * before
            ratio = size / np.maximum(before, 1e-300)
            precision[mixed] = share + rest * np.log1p(ratio) / size
        return float((new * precision).sum() / hits[-1])

    def curve(self) -> RankCurve:
        """What is above every threshold that makes a difference."""
        values, counts = self._table()
        down = counts[::-1, :2].cumsum(axis=0)
        thresholds = np.concatenate([[np.inf], np.nextafter(values[::-1], -np.inf)])
        above = np.concatenate([np.zeros((1, 2)), down.astype(np.float64)])
        return RankCurve(thresholds, above[:, 1], above[:, 0])

    def above(self, threshold: float) -> tuple[int, int]:
        """How many negatives, and how many positives, score above `threshold`."""
        values, counts = self._table()
        first = int(np.searchsorted(values, threshold, side="right"))
        negatives, positives, _ = counts[first:].sum(axis=0).tolist()
        return negatives, positives

    def state_dict(self) -> Document:
        """All that it keeps, as plain data and arrays (copies)."""
        yes, no = self._labels()
        return {
            "values": self._values[: self._used].copy(),
            "counts": self._counts[: self._used].copy(),
            "positives": yes.copy(),
            "negatives": no.copy(),
            "rows": self.rows,
        }

    def load_state(self, stored: Document, /) -> None:
        """Restore from `stored`; raise ``ValueError`` if it is invalid."""
        values = checked_array(stored, "values")
        used = values.size
        counts = checked_array(stored, "counts", np.int64, (used, 3), COUNTS)
        yes, no = (checked_array(stored, name) for name in ("positives", "negatives"))
        if used > CELLS or yes.size + no.size > BUFFER:
            raise ValueError("its table of scores is out of range")
        if (np.diff(values) <= 0.0).any():
            raise ValueError("its table of scores is not in order")
        self._used = used
        if used:
            self._values, self._counts = _room(CELLS)
            self._values[:used] = values
            self._counts[:used] = counts
        self._ends[:] = yes.size, BUFFER - no.size
        self._waiting[: yes.size] = yes
        self._waiting[BUFFER - no.size :] = no
        self.rows = checked_int(stored, "rows", 0, MOST)

    def _labels(self) -> tuple[Floats, Floats]:
        """The scores that wait, of positives and of negatives."""
        left, right = self._ends.tolist()
        return self._waiting[:left], self._waiting[right:]

    def _table(self) -> tuple[Floats, Longs]:
        """Scores and counts, with what has waited so far; nothing is changed by it."""
        yes, no = self._labels()
        if not self._used:  # all rows are there
            return cells_of(no, yes)
        values, counts, used = self._values, self._counts, self._used
        if yes.size or no.size:
            used = self._merged(no, yes)
            values, counts = self._spare
        return values[:used], counts[:used]

    def _merge(self) -> None:
        """Put what has waited into the cells."""
        yes, no = self._labels()
        self._used = self._merged(no, yes)
        here = (self._values, self._counts)
        (self._values, self._counts), self._spare = self._spare, here
        self._ends[:] = 0, BUFFER

    def _merged(self, no: Floats, yes: Floats) -> int:
        """Write the cells, with these scores, into the spare table: how many."""
        from ...engine.kernels.compiled import entry
        from ...engine.kernels.ranks import merge_scores

        if not self._spare[0].size:
            self._spare = _room(CELLS)
        yes.sort()
        no.sort()
        counted = self._counts[: self._used]
        negatives, positives, joined = counted.sum(axis=0).tolist()
        negatives, positives = negatives + no.size, positives + yes.size
        exact = () if joined else ((0, 0),)
        shares = [(negatives // k, positives // k) for k in (FINE, COARSE)]
        for most in (*exact, *shares):
            tables = (self._values, self._counts, self._used)
            given = (*tables, no, yes, most, *self._spare)
            used = int(entry(merge_scores, given)(*given))
            if used >= 0:
                return used
        raise AssertionError("COARSE shares always fit")


def _room(cells: int) -> tuple[Floats, Longs]:
    """An empty table."""
    return np.zeros(cells), np.zeros((cells, 3), np.int64)


def cells_of(negatives: Floats, positives: Floats) -> tuple[Floats, Longs]:
    """Scores as a table with a cell for each that is different."""
    joined = np.concatenate([negatives, positives])
    values, where = np.unique(joined, return_inverse=True)
    counts = np.zeros((values.size, 3), np.int64)
    for column, some in enumerate(np.split(where, [negatives.size])):
        counts[:, column] = np.bincount(some, minlength=values.size)
    return values, counts
