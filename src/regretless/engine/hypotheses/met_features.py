"""Numbers for the features that rows have had, so that what is known of them is close.

Words are hashed to many more columns than a file has words. What a panel knows of a
feature takes some hundred bytes a class, so it is kept by a number: they are given out
as features come. No result depends on how features are numbered.
"""

from __future__ import annotations

import copy

import numpy as np

from ...parts.rows import Dense, Ints, Longs, Rows, Sparse
from ...parts.state import Floats
from ..memory import zeros

__all__ = ["MetFeatures", "spread_out"]

UNMET = -1


class MetFeatures:
    """From columns to numbers.

    Parameters
    ----------
    n_features : int
        Columns that may come.
    columns : array
        Those that have, in the order of their numbers.
    """

    def __init__(self, n_features: int, columns: Longs) -> None:
        self._numbers: Ints = np.full(n_features, UNMET, np.int32)
        self._numbers[columns] = np.arange(columns.size)
        self.count = columns.size

    @property
    def table(self) -> Ints:
        """The number of each column, -1 where it has not come."""
        return self._numbers

    @property
    def room(self) -> int:
        """Columns that may come."""
        return self._numbers.size

    def grow(self, n_features: int) -> None:
        """Let more columns come."""
        more = n_features - self.room
        if more > 0:
            self._numbers = np.pad(self._numbers, (0, more), constant_values=UNMET)

    def numbers(self) -> tuple[Longs, Ints]:
        """The columns that have come, in order, and their numbers."""
        columns = np.flatnonzero(self._numbers != UNMET)
        return columns, self._numbers[columns]

    def copy(self) -> MetFeatures:
        """One that goes its own way from now on."""
        other = copy.copy(self)
        other._numbers = self._numbers.copy()
        return other

    def new(self, rows: Rows) -> Ints:
        """The columns of rows that have not come before, each once."""
        columns = _columns(rows)
        new = columns[self._numbers[columns] == UNMET]
        return np.unique(new) if new.size else new

    def add(self, columns: Ints) -> None:
        """Give the next numbers to columns that are new."""
        first, self.count = self.count, self.count + columns.size
        self._numbers[columns] = np.arange(first, self.count)

    def find(self, rows: Rows) -> tuple[Rows, Rows]:
        """Rows with numbers in place of columns, and as they came; both of one type.

        Features that have not come have all the next number.
        """
        columns = _columns(rows)
        numbers = self._numbers[columns]
        numbers[numbers == UNMET] = self.count
        if isinstance(rows, Sparse):
            first, last = int(rows.starts[0]), int(rows.starts[-1])
            values = rows.values[first:last]
            return Sparse(rows.starts - first, numbers, values), rows
        if np.array_equal(numbers, columns):
            return rows, rows
        n = rows.values.size // rows.width
        starts, values = rows.width * np.arange(n + 1), rows.values
        came = np.tile(columns, n)
        return Sparse(starts, np.tile(numbers, n), values), Sparse(starts, came, values)


def _columns(rows: Rows) -> Ints:
    """The columns of all entries; of dense rows, those of one."""
    if isinstance(rows, Dense):
        return np.arange(rows.width, dtype=np.int32)
    return rows.columns[rows.starts[0] : rows.starts[-1]]


def spread_out(found: Floats, columns: Longs, width: int) -> Floats:
    """Numbers of these columns among `width`, the others 0; of many classes a row each.

    The classes of a column lie side by side, so that all others take no memory.
    """
    shape = (width, *found.shape[:-1])
    out = zeros(shape, np.dtype(np.float64), scattered=True)
    out[columns] = found.T
    return out.T
