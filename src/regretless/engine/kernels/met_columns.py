"""Numbers for columns: one look-up each in an open table, which new ones enter.

A place of the table holds a column in its lower 32 bits and in its upper ones the
column's number, counted from 1; 0 is an empty place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import compiled
from .compiled import kernel

NEW = 2**30
"""What is added to a hashed column where its number would stand, and it has none."""
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)


@compiled
def place_of(table: Any, column: Any) -> Any:
    """The place of a column, or the empty one where it would be."""
    mask = np.uint64(table.size - 1)
    place = ((np.uint64(column) * GOLDEN) >> HALF) & mask
    while table[place] != 0 and table[place] & 0xFFFFFFFF != column:
        place = (place + np.uint64(1)) & mask
    return place


@kernel
def number_columns(
    columns: Any, at: Any, table: Any, met: Any, count: Any, new: int, numbers: Any
) -> None:
    """Write the number of each column, from at[0] on; new ones get the next.

    It stops where the table is half full. Where `new` is 0 all columns that are not in
    the table have the number that comes next.
    """
    known = count[0]
    i = at[0]
    while i < columns.size:
        column = np.int64(columns[np.uint64(i)])
        place = place_of(table, column)
        number = (table[place] >> 32) - 1
        if number < 0:
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


@kernel
def look_up(columns: Any, first: int, table: Any, numbers: Any) -> None:
    """Write the number of each column that is hashed; of one without, NEW + column.

    Columns before the `first` are numbers.
    """
    for i in range(columns.size):
        column = np.int64(columns[np.uint64(i)])
        if column >= first:
            slot = column - first
            number = table[place_of(table, slot)] >> 32
            column = first + number - 1 if number > 0 else NEW + slot
        numbers[np.uint64(i)] = column


@kernel
def number_row(rows: Any, table: Any, count: Any, learned: int, numbers: Any) -> int:
    """Write the numbers of the only row; `learned`, or -1 where one has to be met."""
    for k in range(rows.starts[0], rows.starts[1]):
        number = (table[place_of(table, np.int64(rows.columns[k]))] >> 32) - 1
        if number < 0:
            if learned != 0:
                return -1
            number = count[0]
        numbers[k] = number
    return learned


@kernel
def tell_apart(rows: Any, known: int, columns: Any) -> int:
    """Write columns of rows; those from `known` on get the next ones, each its own."""
    for i in range(rows.starts.size - 1):
        new = known
        for k in range(rows.starts[i], rows.starts[i + 1]):
            columns[k] = rows.columns[k]
            if columns[k] >= known:
                columns[k] = new
                new += 1
    return 0


@kernel
def forget_columns(table: Any, met: Any, count: Any, known: int) -> None:
    """Forget all but the first columns; the last first, so that none is cut off."""
    for k in range(count[0] - 1, known - 1, -1):
        table[place_of(table, np.int64(met[k]))] = 0
    count[0] = known
