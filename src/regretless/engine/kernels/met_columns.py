"""Numbers for columns: one look-up each in an open table, which new ones enter.

A place of the table holds a column in its lower 32 bits and in its upper ones the
column's number, counted from 1; 0 is an empty place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import kernel

__all__ = ["AT", "COUNT", "number_columns"]

AT, COUNT = range(2)
"""What the state holds: how many columns were looked up, and how many have numbers."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)


@kernel
def number_columns(
    columns: Any, table: Any, met: Any, state: Any, new: int, numbers: Any
) -> None:
    """Write the number of each column, from state[AT] on; new ones get the next.

    It stops where the table is half full. Where `new` is 0 all columns that are not in
    the table have the number that comes next.
    """
    mask = np.uint64(table.size - 1)
    count = state[COUNT]
    i = state[AT]
    while i < columns.size:
        column = np.int64(columns[np.uint64(i)])
        place = ((np.uint64(column) * GOLDEN) >> HALF) & mask
        found = table[place]
        while found != 0 and found & 0xFFFFFFFF != column:
            place = (place + np.uint64(1)) & mask
            found = table[place]
        number = (found >> 32) - 1
        if found == 0:
            number = count
            if new != 0:
                if 2 * count >= table.size or count >= met.size:
                    break
                table[place] = (count + 1) << 32 | column
                met[np.uint64(count)] = column
                count += 1
        numbers[np.uint64(i)] = number
        i += 1
    state[AT] = i
    state[COUNT] = count
