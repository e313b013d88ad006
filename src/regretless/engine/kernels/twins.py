"""Which rows have come before: a table of hashes, and bets that rows come again.

With D of the t rows in the table having a twin in it, a fresh row of the same source
has one with probability at most ::

    p = (D + 4 sqrt(min(2D, t)) + 9) / t

(up to a small chance: the share of rows with a twin estimates it, by Good and Turing),
and later, after t' rows, with at most p t'/t, because it grows ever more slowly.

From each row with a twin on we bet that the rows come again ::

    wealth *= 1 + f (1 - p)/p   with a twin,   1 - f   without one

for a few f at once. While rows are fresh the wealth is not expected to grow: it exceeds
10^6 with probability 10^-6. Where it falls to 1, the bets are over. A row that had a
twin since they began counts no more: one row that comes all the time is no replay.
"""

from __future__ import annotations

import math
from typing import Any

from ...parts.generic import compiled
from .compiled import kernel
from .row_hashes import LOW

CERTAIN = 1e6
SHARES = (0.03, 0.1, 0.3, 0.9)  # of the rows that come, those that came before
# Columns of the table
HASH, COIN, COUNT, ROW, BEFORE, BETS = range(6)
# Whole numbers of the bets
ENTRIES, TOTAL, TWINS, NUMBER, ON, BEGAN, MET, COMPARED, REPLAYED = range(9)
# Other numbers of them; the wealth of each share follows
NATURAL, THEN, WEALTH = range(3)


@compiled
def _place(table: Any, key: int) -> int:
    """Where a hash is in the table, or where it would be."""
    mask = len(table) - 1
    at = key & mask
    while table[at, HASH] != 0 and table[at, HASH] != key:
        at = (at + 1) & mask
    return at


@compiled
def _add(table: Any, at: int, key: int, coin: int, row: int, whole: Any) -> None:
    """Count a row."""
    if table[at, HASH] == 0:
        table[at, HASH] = key
        table[at, COIN] = coin
        table[at, ROW] = row
        table[at, BETS] = 0
        whole[ENTRIES] += 1
    table[at, COUNT] += 1
    whole[TOTAL] += 1
    if table[at, COUNT] > 1:
        whole[TWINS] += 2 if table[at, COUNT] == 2 else 1


@compiled
def _bet(twin: bool, whole: Any, real: Any) -> float:
    """Bet on one more row; the mean wealth."""
    grown = max(1.0, whole[TOTAL] / real[THEN])
    natural = min(1.0, real[NATURAL] * grown)
    odds = (1.0 - natural) / natural
    wealth = 0.0
    for i in range(len(SHARES)):
        real[WEALTH + i] *= 1.0 + SHARES[i] * odds if twin else 1.0 - SHARES[i]
        wealth += real[WEALTH + i]
    whole[COMPARED] += 1
    if twin:
        whole[MET] += 1
    return wealth / len(SHARES)


@compiled
def _undo(table: Any, whole: Any) -> None:
    """Rows have come again: their copies since the bets began are not natural."""
    whole[TOTAL] = whole[TWINS] = 0
    for at in range(len(table)):
        if table[at, HASH] != 0 and table[at, BETS] == whole[NUMBER]:
            table[at, COUNT] = table[at, BEFORE]
        count = table[at, COUNT]
        whole[TOTAL] += count
        if count > 1:
            whole[TWINS] += count


@compiled
def _begin_bets(row: int, whole: Any, real: Any) -> None:
    """From this row on, bet that rows come again."""
    twins, total = whole[TWINS], whole[TOTAL]
    likely = twins + 4.0 * math.sqrt(min(2 * twins, total)) + 9.0
    real[NATURAL] = min(1.0, likely / max(total, 1))
    real[THEN] = max(total, 1)
    for j in range(len(SHARES)):
        real[WEALTH + j] = 1.0
    whole[NUMBER] += 1
    whole[ON] = 1
    whole[BEGAN] = row
    whole[MET] = whole[COMPARED] = 0


@kernel
def meet_rows(
    found: Any,
    key: int,
    limit: int,
    first: int,
    apart: int,
    table: Any,
    whole: Any,
    real: Any,
) -> int:
    """Compare rows with those in the table, and add them; say how many were met.

    ``found`` is that of ``hash_rows`` and ``key`` its column to compare by, in place
    of which the number of the first row with this content is written. ``first`` is the
    number of row 0. Twins that are less than ``apart`` rows apart are no sign of rows
    that come again. Half a table is full: then this stops.
    """
    for i in range(len(found)):
        if 2 * whole[ENTRIES] >= len(table):
            return i
        one, row = found[i, key], first + found[i, 0]
        coin = found[i, 1] | (one & LOW)
        if coin > limit:
            found[i, key] = -2
            continue
        at = _place(table, one)
        known = table[at, COUNT] if table[at, HASH] != 0 else 0
        found[i, key] = table[at, ROW] if known else row
        if whole[REPLAYED]:  # from here on copies say nothing about nature
            if not known:
                _add(table, at, one, coin, row, whole)
            continue
        if known and table[at, ROW] >= 0 and row - table[at, ROW] < apart:
            _add(table, at, one, coin, row, whole)
            continue
        if known and not whole[ON]:
            _begin_bets(row, whole, real)
        if whole[ON] and not (known and table[at, BETS] == whole[NUMBER]):
            wealth = _bet(known > 0, whole, real)
            if known:
                table[at, BETS] = whole[NUMBER]
                table[at, BEFORE] = known
            if wealth >= CERTAIN:
                _add(table, at, one, coin, row, whole)
                whole[REPLAYED] = 1
                _undo(table, whole)
                continue
            if wealth <= 1.0:
                whole[ON] = 0
        _add(table, at, one, coin, row, whole)
    return len(found)


@kernel
def refill(entries: Any, table: Any) -> None:
    """Write entries of another table into an empty one."""
    for i in range(len(entries)):
        at = _place(table, entries[i, HASH])
        for j in range(entries.shape[1]):
            table[at, j] = entries[i, j]
