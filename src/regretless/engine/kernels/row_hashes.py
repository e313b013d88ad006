"""The content of a row as a number, the same however the row was handed over.

    hash(x) = mix(sum over x_j != 0 of mix(j, x_j))

The label is no part of it: a row that comes with both labels is one row. Zeros do not
count and the order of the entries does not matter, so a dense row, a
sparse one and a dict have the same hash. Values are rounded to single precision, so
that arrays of either precision agree. The coarse hash takes of each value its sign, its
exponent and one bit: rows that were rounded again, or moved a little, mostly keep it.

A coin decides whether a row is looked at further. It is the coarse hash of a few
entries, the first and the last of the row, so that it costs little, and copies of a row
have the same coin: all of them are looked at, or none. The lower bits of it are left to
the hash of the whole row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import compiled
from ...parts.rows import begin, column, end, entry
from .compiled import kernel

# Odd numbers whose bits look random, from the mixing step of SplitMix64 and of xxHash.
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_ZERO, _ONE, _HALF, _TWICE = (
    np.uint64(0),
    np.uint64(1),
    np.uint64(32),
    np.uint64(2**32 + 1),
)
_COARSE = np.uint64(22)  # bits of a value that the coarse hash drops
LOW = 2**39 - 1  # bits of a coin that tell rows apart which agree in these entries
_ENDS = 6  # entries at either end of a row that make its coin
# Round numbers are frequent, so no cell of the coarse hash begins at one of them.
_SHIFT = 1.171875


@compiled
def _word(j: int, bits: Any) -> Any:
    """One number an entry: the column in both halves, the value on the lower one."""
    w = (np.uint64(j) * _TWICE ^ bits) * _FIRST
    return (w ^ (w >> _HALF)) * _SECOND  # sums of these are mixed once more


@compiled
def _exact(v: float) -> Any:
    return np.uint64(np.float32(v).view(np.uint32))


@compiled
def _coarse(v: float) -> Any:
    return np.uint64(np.float32(v * _SHIFT).view(np.uint32)) >> _COARSE


@compiled
def _mixed(words: Any) -> int:
    """Every bit of the result, from 1 to 2^63 - 1, depends on every bit of the word."""
    words = (words ^ (words >> _HALF)) * _FIRST
    words = (words ^ (words >> _HALF)) * _SECOND
    found = np.int64((words ^ (words >> _HALF)) >> _ONE)
    return max(found, np.int64(1))  # pyright: ignore[reportReturnType]


@compiled
def _coin(rows: Any, lo: int, hi: int) -> Any:
    """The sum over the first and the last few entries that are not 0."""
    total, left, k = _ZERO, _ENDS, lo
    while k < hi and left > 0:
        v = entry(rows, k, hi)
        if v != 0.0:
            total += _word(column(rows, k, lo, hi), _coarse(v))
            left -= 1
        k += 1
    left, last = _ENDS, hi - 1
    while last >= k and left > 0:
        v = entry(rows, last, hi)
        if v != 0.0:
            total += _word(column(rows, last, lo, hi), _coarse(v))
            left -= 1
        last -= 1
    return total


@kernel
def hash_rows(rows: Any, total: int, limit: int, found: Any) -> int:
    """Look at the rows whose coin is at most ``limit``, and say how many there are.

    Each of them, of ``total`` rows, gets a row of ``found``: its number, its coin, its
    hash, and its coarse hash.
    """
    n = 0
    for i in range(total):
        lo, hi = begin(rows, i), end(rows, i)
        coin = _mixed(_coin(rows, lo, hi)) & ~LOW
        if coin > limit:
            continue
        exact, coarse = _ZERO, _ZERO
        for k in range(lo, hi):
            v = entry(rows, k, hi)
            if v != 0.0:
                j = column(rows, k, lo, hi)
                exact += _word(j, _exact(v))
                coarse += _word(j, _coarse(v))
        found[n, 0] = i
        found[n, 1] = coin
        found[n, 2] = _mixed(exact)
        found[n, 3] = _mixed(coarse)
        n += 1
    return n
