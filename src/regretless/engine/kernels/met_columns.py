"""Numbers for columns: one look-up each in an open table, which new ones enter.

A place of the table holds a column in its lower 32 bits and in its upper ones the
column's number, counted from 1; 0 is an empty place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import kernel

__all__ = ["number_columns"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)


@kernel
def number_columns(
    columns: Any, at: Any, table: Any, met: Any, count: Any, new: int, numbers: Any
) -> None:
    """Write the number of each column, from at[0] on; new ones get the next.

    It stops where the table is half full. Where `new` is 0 all columns that are not in
    the table have the number that comes next.
    """
    mask = np.uint64(table.size - 1)
    known = count[0]
    i = at[0]
    while i < columns.size:
        column = np.int64(columns[np.uint64(i)])
        place = ((np.uint64(column) * GOLDEN) >> HALF) & mask
        found = table[place]
        while found != 0 and found & 0xFFFFFFFF != column:
            place = (place + np.uint64(1)) & mask
            found = table[place]
        number = (found >> 32) - 1
        if found == 0:
            number = known
            if new != 0:
                if known == met.size:
                    break
                table[place] = (known + 1) << 32 | column
                met[np.uint64(known)] = column
                known += 1
        numbers[np.uint64(i)] = number
        i += 1
    at[0] = i
    if new != 0:
        count[0] = known
