"""Add up the entries of a row that share a column, as hashed columns may.

A small open table remembers where in the row each column stands. A place it remembers
counts only if it lies within the row being written, so that a new row finds the table
empty without anybody clearing it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..generic import compiled

__all__ = ["FULL", "OVERFLOW", "forget", "place"]

FULL, OVERFLOW = -2, -3


@compiled
def place(
    columns: Any, values: Any, begin: int, k: int, column: int, value: float, seen: Any
) -> int:
    """Put an entry at `k`, or add it to its like from `begin` on; where the row ends.

    FULL where the table is too small for the row, OVERFLOW where a sum is not finite.
    """
    if 2 * (k - begin) >= seen.size:
        return FULL
    mask = seen.size - 1
    slot = column & mask
    where = seen[np.uint64(slot)]
    while begin <= where < k:
        if columns[np.uint64(where)] == column:
            total = values[np.uint64(where)] + value
            values[np.uint64(where)] = total
            return k if math.isfinite(total) else OVERFLOW
        slot = (slot + 1) & mask
        where = seen[np.uint64(slot)]
    seen[np.uint64(slot)] = k
    columns[np.uint64(k)] = column
    values[np.uint64(k)] = value
    return k + 1


@compiled
def forget(seen: Any) -> None:
    """Empty the table: after a row that was given up, its places might count again."""
    for slot in range(seen.size):
        seen[slot] = -1
