"""Views: rows as a learner sees them, each entry divided by a running scale.

The scale of a feature is the root mean square, or the largest size, of its nonzeros so
far, the present one included: it is known before the prediction, so a view is causal.
Multiplying a feature by a constant multiplies its scale too, and what is seen is the
same. ``rescale`` says the scale an entry is divided by, ``remember`` takes the entry
into the statistics, once its row is accepted.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .generic import generic, implement
from .part_types import View
from .rows import Measures, SeenRows, begin, column, end, entry, keep, look, measure
from .state import Floats

__all__ = [
    "AsIs",
    "RunningMax",
    "RunningRMS",
    "Viewed",
    "remember",
    "rescale",
    "scales",
]


@generic
def rescale(view: Any, seen: Floats, j: int, x: float) -> float:
    """The scale of feature `j` once the entry `x`, which is not zero, has come."""
    ...


@generic
def remember(view: Any, seen: Floats, j: int, x: float) -> None:
    """Take the entry `x`, which is not zero, into the statistics of feature `j`."""
    ...


@generic
def scales(view: Any, seen: Floats, size: int) -> Floats:
    """The scales of the first `size` features at present; 1 for those never seen."""
    ...


class AsIs(NamedTuple):
    """Nothing is divided."""

    width = 0


@implement(rescale, AsIs)
def _(view: AsIs, seen: Floats, j: int, x: float) -> float:
    return 1.0


@implement(remember, AsIs)
def _(view: AsIs, seen: Floats, j: int, x: float) -> None:
    pass


@implement(scales, AsIs)
def _(view: AsIs, seen: Floats, size: int) -> Floats:
    return np.ones(size)


class RunningMax(NamedTuple):
    """Divide by the largest size so far: every entry is seen within [-1, 1]."""

    width = 1  # the largest


@implement(rescale, RunningMax)
def _(view: RunningMax, seen: Floats, j: int, x: float) -> float:
    return max(seen[j], abs(x))


@implement(remember, RunningMax)
def _(view: RunningMax, seen: Floats, j: int, x: float) -> None:
    seen[j] = max(seen[j], abs(x))


@implement(scales, RunningMax)
def _(view: RunningMax, seen: Floats, size: int) -> Floats:
    return np.where(seen[:size] > 0.0, seen[:size], 1.0)


class RunningRMS(NamedTuple):
    """Divide by the root mean square of the nonzeros so far."""

    width = 2  # how many, and the sum of their squares


@implement(rescale, RunningRMS)
def _(view: RunningRMS, seen: Floats, j: int, x: float) -> float:
    mean = (seen[2 * j + 1] + x * x) / (seen[2 * j] + 1.0)
    return math.sqrt(mean) if mean > 0.0 else abs(x)  # where its square underflows


@implement(remember, RunningRMS)
def _(view: RunningRMS, seen: Floats, j: int, x: float) -> None:
    seen[2 * j] += 1.0
    seen[2 * j + 1] += x * x


@implement(scales, RunningRMS)
def _(view: RunningRMS, seen: Floats, size: int) -> Floats:
    counts, squares = seen.reshape(-1, 2)[:size].T
    means = squares / np.maximum(counts, 1.0)
    return np.sqrt(np.where(means > 0.0, means, 1.0))


class Viewed(NamedTuple):
    """Rows seen through a view. ``shown`` holds the present row, last entry first."""

    through: View  # "view" is a name that numba keeps for itself
    rows: SeenRows
    seen: Floats
    shown: Floats


@implement(begin, Viewed)
def _(rows: Viewed, i: int) -> int:
    return begin(rows.rows, i)


@implement(end, Viewed)
def _(rows: Viewed, i: int) -> int:
    return end(rows.rows, i)


@implement(column, Viewed)
def _(rows: Viewed, k: int, lo: int, hi: int) -> int:
    return column(rows.rows, k, lo, hi)


@implement(entry, Viewed)
def _(rows: Viewed, k: int, hi: int) -> float:
    return rows.shown[hi - 1 - k]


@implement(look, Viewed)
def _(rows: Viewed, lo: int, hi: int) -> None:
    square = 0.0
    for k in range(lo, hi):
        x = entry(rows.rows, k, hi)
        square += x * x
    good = square < math.inf  # a row that will be refused is shown as it is
    for k in range(lo, hi):
        x = entry(rows.rows, k, hi)
        if good and x != 0.0:
            x /= rescale(rows.through, rows.seen, column(rows.rows, k, lo, hi), x)
        rows.shown[hi - 1 - k] = x


@implement(keep, Viewed)
def _(rows: Viewed, lo: int, hi: int) -> None:
    for k in range(lo, hi):
        x = entry(rows.rows, k, hi)
        if x != 0.0:
            remember(rows.through, rows.seen, column(rows.rows, k, lo, hi), x)


@implement(measure, Viewed)
def _(rows: Viewed, lo: int, hi: int, primal: Floats) -> Measures:
    dot = 0.0
    square = 0.0
    low = 0.0
    high = 0.0
    for k in range(lo, hi):
        e = rows.shown[hi - 1 - k]
        dot += primal[column(rows.rows, k, lo, hi)] * e
        square += e * e
        low = min(low, e)
        high = max(high, e)
    return dot, square, low, high
