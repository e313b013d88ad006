"""Columns that only rise, or only fall: ids and time stamps, which time itself moves.

Of exchangeable rows a column is in order through the first 64 with a chance of one in
64!, so leaving it out of a test changes nothing where rows are alike.
"""

from __future__ import annotations

import numpy as np

from ..engine.storage import COUNTS, Range, Sized, Stored, keep
from ..parts.rows import Dense, Ints, Longs, Sparse
from ..parts.state import Floats

ENOUGH = 64  # rows that say which columns are in order


class RisingColumns(Stored):
    """The first rows of a stream, until they have said which columns are in order.

    Attributes
    ----------
    found : array
        Their numbers.
    """

    kept = keep(
        found=Sized("found"),
        rows=Range(0, ENOUGH),
        _sizes=Sized("first", holds=COUNTS),
        _columns=Sized("entries", holds=COUNTS),
        _values=Sized("entries"),
    )

    def __init__(self) -> None:
        self.found: Longs = np.zeros(0, np.int64)
        self.rows = 0  # that were looked at
        self._forget()

    def _forget(self) -> None:
        self._sizes: Longs = np.zeros(0, np.int64)  # of the first rows, until enough
        self._columns: Ints = np.zeros(0, np.int32)
        self._values: Floats = np.zeros(0)

    def _first(self) -> list[tuple[Ints, Floats]]:
        """The first rows."""
        cuts = self._sizes.cumsum()[:-1]
        pieces = np.split(self._columns, cuts), np.split(self._values, cuts)
        return list(zip(*pieces, strict=True)) if self._sizes.size else []

    def check_state(self) -> None:
        """The first rows are rows."""
        if (
            self._sizes.size != self.rows % ENOUGH
            or self._sizes.sum() != self._columns.size
            or any(np.unique(each).size < each.size for each, _ in self._first())
        ):
            raise ValueError("the first rows are not as they were kept")

    def look(self, rows: Dense | Sparse, n: int) -> int:
        """Look at some of `n` rows, and say how many of them these are."""
        taken = min(n, ENOUGH - self.rows)
        if not taken:
            return 0
        if isinstance(rows, Dense):
            values, sizes = rows.values[: taken * rows.width], [rows.width] * taken
            columns = np.tile(np.arange(rows.width, dtype=np.int32), taken)
        else:
            part = slice(int(rows.starts[0]), int(rows.starts[taken]))
            columns, values = rows.columns[part], rows.values[part]
            sizes = np.diff(rows.starts[: taken + 1])
        self.rows += taken
        self._sizes = np.r_[self._sizes, sizes].astype(np.int64)
        self._columns = np.concatenate([self._columns, columns])
        self._values = np.concatenate([self._values, values])
        if self.rows == ENOUGH:
            self.found = _in_order(self._first())
            self._forget()
        return taken


def _in_order(first: list[tuple[Ints, Floats]]) -> Longs:
    """The columns that all of these rows have, and in which they rise, or fall."""
    known, counts = np.unique(
        np.concatenate([columns for columns, _ in first]), return_counts=True
    )
    common = known[counts == len(first)]
    table = np.zeros((len(first), common.size))
    for i, (columns, values) in enumerate(first):
        order = np.argsort(columns)
        at = np.searchsorted(columns, common, sorter=order)
        table[i] = values[order[at]] if common.size else ()
    steps = np.diff(table, axis=0)
    same = (steps >= 0.0).all(axis=0) | (steps <= 0.0).all(axis=0)
    return common[same & (steps != 0.0).any(axis=0)].astype(np.int64)
