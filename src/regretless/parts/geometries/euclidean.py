"""Euclidean geometry: D(u, w) = |u - w|^2 / 2, w' = shrink*w + step*x.

Shrinking (L2 decay) and projecting onto a ball multiply all of w, so they only touch a
lazy factor; |w|^2 follows from w.x and |x|^2 without looking at the other weights.
"""

from __future__ import annotations

from typing import NamedTuple

from ..generic import implement
from ..rows import RowView, column, entry
from ..state import (
    LARGE,
    PEAK,
    SCALE,
    SMALL,
    TOTAL,
    Numbers,
    State,
    bank_all,
    drifted,
    settle,
)
from .moves import factor, move, observe_gradient, refresh, start


class Euclidean(NamedTuple):
    """Additive updates from w_0 = 0."""

    duals = 0
    fixed = False
    quadratic = True


@implement(start, Euclidean)
def _(geometry: Euclidean, state: State) -> None:
    state.numbers[SCALE] = 1.0


@implement(factor, Euclidean)
def _(geometry: Euclidean, numbers: Numbers) -> float:
    return numbers[SCALE]


@implement(observe_gradient, Euclidean)
def _(geometry: Euclidean, state: State, row: RowView, scale: float) -> float:
    return row.square


@implement(move, Euclidean)
def _(
    geometry: Euclidean, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    dot = row.dot
    primal = state.primal
    numbers = state.numbers
    if shrink == 0.0:  # the first step of 1/(sigma t) forgets everything
        bank_all(state)
        for j in range(primal.size):
            primal[j] = 0.0
        numbers[SCALE] = 1.0
        numbers[TOTAL] = 0.0
        dot = 0.0
    elif shrink != 1.0:
        numbers[SCALE] *= shrink
        numbers[TOTAL] *= shrink * shrink
        numbers[PEAK] *= shrink * shrink
        dot *= shrink
    coefficient = step / numbers[SCALE]
    for k in range(lo, hi):
        primal[column(rows, k, lo, hi)] += coefficient * entry(rows, k, hi)
    numbers[TOTAL] += step * (2.0 * dot + step * row.square)
    if drifted(numbers) or not SMALL <= abs(numbers[SCALE]) <= LARGE:
        refresh(geometry, state)


@implement(refresh, Euclidean)
def _(geometry: Euclidean, state: State) -> None:
    primal = state.primal
    scale = state.numbers[SCALE]
    if scale != 1.0:  # else only the total is computed afresh, and no weight changes
        bank_all(state)
    state.numbers[SCALE] = 1.0
    total = 0.0
    for j in range(primal.size):
        primal[j] *= scale
        total += primal[j] * primal[j]
    settle(state.numbers, total)
