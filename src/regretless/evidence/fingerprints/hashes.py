"""The content of a row as one number, the same however the row was handed over.

    hash(x, y) = mix(sum over x_j != 0 of mix(j, x_j), y)

Zeros do not count and the order of the entries does not matter, so a dense row, a
sparse one and a dict have the same hash. Values are rounded to single precision, so
that arrays of either precision agree.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ...parts.rows import Dense, Longs, Sparse
from ...parts.state import Floats

__all__ = ["row_hashes"]

Words: TypeAlias = npt.NDArray[np.uint64]
# Odd numbers whose bits look random, from the mixing step of SplitMix64 and of xxHash.
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
LABEL = np.uint64(0x9E3779B185EBCA87)
ONE, HALF, TWICE = np.uint64(1), np.uint64(32), np.uint64(2**32 + 1)


def row_hashes(rows: Dense | Sparse, targets: Floats) -> Longs:
    """The hash of every row and its label: a number from 0 to 2^63 - 1."""
    n = targets.size
    if isinstance(rows, Dense):
        columns = np.arange(rows.width, dtype=np.uint64)
        values = rows.values.reshape(n, rows.width)
        sums = _entries(columns, values).sum(axis=1, dtype=np.uint64)
    else:
        starts = rows.starts
        begin, end = int(starts[0]), int(starts[-1])
        entries = _entries(rows.columns[begin:end], rows.values[begin:end])
        sums, some = np.zeros(n, np.uint64), np.diff(starts) > 0
        if some.any():
            sums[some] = np.add.reduceat(entries, starts[:-1][some] - begin)
    with np.errstate(over="ignore", under="ignore"):
        labels = targets.astype(np.float32).view(np.uint32).astype(np.uint64)
    return (_mixed(sums + labels * LABEL) >> ONE).view(np.int64)


def _entries(columns: npt.ArrayLike, values: Floats) -> Words:
    """One number an entry: 0 for a value of 0, else column and value mixed."""
    with np.errstate(over="ignore", under="ignore"):
        small = values.astype(np.float32)
    words = np.empty(values.shape, np.uint64)
    words[:] = columns
    words *= TWICE  # the column in both halves, the value on top of the lower one
    words ^= small.view(np.uint32)
    words *= FIRST
    words ^= words >> HALF
    words *= SECOND  # sums of these are mixed once more
    zero = small == 0.0
    if zero.any():
        words[zero] = 0
    return words


def _mixed(words: Words) -> Words:
    """Every bit of the result depends on every bit of the word (which is changed)."""
    words ^= words >> HALF
    words *= FIRST
    words ^= words >> HALF
    words *= SECOND
    words ^= words >> HALF
    return words
