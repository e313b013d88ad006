"""Columns that only rise, or only fall: ids and time stamps, which time itself moves.

Of exchangeable rows a column is in order through the first 64 with a chance of one in
64!, so leaving it out of a test changes nothing where rows are alike.
"""

from __future__ import annotations

import numpy as np

from ..engine.storage import COUNTS, Stored, checked_array
from ..parts.rows import Dense, Ints, Longs, Sparse
from ..parts.state import Floats

ENOUGH = 64  # rows that say which columns are in order


class RisingColumns:
    """The first rows of a stream, until they have said which columns are in order.

    Attributes
    ----------
    found : array
        Their numbers.
    """

    def __init__(self) -> None:
        self.found: Longs = np.zeros(0, np.int64)
        self.rows = 0  # that were looked at
        self._first: list[tuple[Ints, Floats]] = []

    def look(self, rows: Dense | Sparse, n: int) -> int:
        """Look at some of `n` rows, and say how many of them these are."""
        taken = min(n, ENOUGH - self.rows)
        for i in range(taken):
            if isinstance(rows, Dense):
                values = rows.values[i * rows.width : (i + 1) * rows.width]
                columns = np.arange(rows.width, dtype=np.int32)
            else:
                begin, end = int(rows.starts[i]), int(rows.starts[i + 1])
                columns, values = rows.columns[begin:end], rows.values[begin:end]
            self._first.append((columns.copy(), values.copy()))
        self.rows += taken
        if taken and self.rows == ENOUGH:
            self.found = _in_order(self._first)
            self._first = []
        return taken

    def state_dict(self) -> Stored:
        """All of it, as plain data and arrays."""
        return {
            "found": self.found,
            "rows": self.rows,
            "sizes": np.array([each.size for each, _ in self._first], np.int64),
            "columns": np.concatenate([NONE, *(each for each, _ in self._first)]),
            "values": np.concatenate([np.zeros(0), *(v for _, v in self._first)]),
        }

    def load_state(self, stored: Stored) -> None:
        """Restore from :meth:`state_dict`; raise ``ValueError`` if it is invalid."""
        self.found = checked_array(stored, "found", np.int64, (None,))
        sizes = checked_array(stored, "sizes", np.int64, (None,))
        columns = checked_array(stored, "columns", np.int32, (None,), COUNTS)
        values = checked_array(stored, "values", shape=columns.shape)
        ends = sizes.cumsum()
        self.rows = int(stored["rows"])
        if (
            not 0 <= self.rows <= ENOUGH
            or sizes.size != (self.rows if self.rows < ENOUGH else 0)
            or (sizes < 0).any()
            or sizes.sum() != columns.size
        ):
            raise ValueError("the first rows are not as they were kept")
        cuts = ends[:-1]
        pieces = zip(np.split(columns, cuts), np.split(values, cuts), strict=True)
        self._first = list(pieces) if sizes.size else []
        if any(np.unique(each).size < each.size for each, _ in self._first):
            raise ValueError("one of the first rows has a column twice")


NONE = np.zeros(0, np.int32)


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
