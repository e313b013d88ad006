"""Add up the entries of a row that share a column, as hashed columns may.

A small open table remembers where in the row each column stands. A place it remembers
counts only if it lies within the row being written, so that a new row finds the table
empty without anybody clearing it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...parts.generic import compiled

FULL, OVERFLOW = -2, -3


@compiled
def fold(columns: Any, values: Any, begin: int, end: int, seen: Any) -> int:
    """Add up the like ones among the entries from `begin` to `end`; their new end.

    The first of them stays where it is in the row. FULL where the table is too small
    for the row, OVERFLOW where a value or a sum is not finite.
    """
    if 2 * (end - begin) > seen.size:
        return FULL
    mask = seen.size - 1
    k = begin
    for i in range(begin, end):
        column = columns[np.uint64(i)]
        value = values[np.uint64(i)]
        slot = column & mask
        where = seen[np.uint64(slot)]
        while begin <= where < k and columns[np.uint64(where)] != column:
            slot = (slot + 1) & mask
            where = seen[np.uint64(slot)]
        if begin <= where < k:
            value += values[np.uint64(where)]
        else:
            where = seen[np.uint64(slot)] = k
            k += 1
        if not math.isfinite(value):
            return OVERFLOW
        columns[np.uint64(where)] = column
        values[np.uint64(where)] = value
    return k


@compiled
def forget(seen: Any) -> None:
    """Empty the table: after a row that was given up, its places might count again."""
    for slot in range(seen.size):
        seen[slot] = -1
