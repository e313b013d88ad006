"""Support vectors: rows that are kept, with what each of them weighs.

They are a queue: the oldest is the first to go. Rows lie one after the other in a pool
that only grows at its end, until Python moves what is left to its beginning.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .rows import Ints, Longs
from .state import Floats

__all__ = ["Supports", "new_supports"]

# counts
FIRST = 0  # the oldest support vector
LAST = 1  # one after the youngest
USED = 2  # entries of the pool, so far
BUDGET = 3  # how many there may be; 0: any number
ROUNDS = 4
MISTAKES = 5
FORGOTTEN = 6  # evicted so far
WANTS = 7  # entries that there was no room for
# ... and as they stood when the first was evicted, that round included
FIRST_ROUND = 8
FIRST_MISTAKES = 9
COUNTS = 10

# numbers
SQUARE = 0  # |w|^2
LARGEST = 1  # max K(x, x), over all rounds
TOTAL = 2  # sum of K(x, x) over updates
FIRST_SQUARE = 3
FIRST_LARGEST = 4
FIRST_TOTAL = 5
NUMBERS = 6


class Supports(NamedTuple):
    """What a kernel machine knows.

    Attributes
    ----------
    begins, ends : ndarray of int64
        Where each lies in the pool.
    columns, values : ndarray
        The pool.
    full : ndarray of int64
        How many entries it has, where those are columns 0, 1, 2...; else 0.
    alphas, squares : ndarray
        What each weighs, and its |x|^2.
    counts, numbers : ndarray
        See above.
    work : ndarray
        One entry a feature, all zero between rows.
    """

    begins: Longs
    ends: Longs
    columns: Ints
    values: Floats
    full: Longs
    alphas: Floats
    squares: Floats
    counts: Longs
    numbers: Floats
    work: Floats


def new_supports(rows: int, entries: int, n_features: int) -> Supports:
    """No support vectors, and room for some."""
    longs = np.zeros((3, rows), np.int64)
    return Supports(
        begins=longs[0],
        ends=longs[1],
        columns=np.zeros(entries, np.int32),
        values=np.zeros(entries),
        full=longs[2],
        alphas=np.zeros(rows),
        squares=np.zeros(rows),
        counts=np.zeros(COUNTS, np.int64),
        numbers=np.zeros(NUMBERS),
        work=np.zeros(n_features),
    )
