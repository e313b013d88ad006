"""Entropy on the simplex: w_i' = w_i exp(step*x_i)/Z, with sum w_i = radius.

D(u, w) = sum u_i ln(u_i/w_i), from w_0 = radius/d. Z changes only by what the row's own
weights change, so normalizing is a tracked sum, O(nonzeros).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..exponential import exponentiate
from ..generic import compiled, implement, require
from ..rows import RowView, column
from ..state import (
    LARGE,
    OFFSET,
    SMALL,
    TOTAL,
    Numbers,
    State,
    bank_all,
    drifted,
    settle,
)
from .entropy import climb
from .moves import factor, move, observe_gradient, refresh, start


class SimplexEntropy(NamedTuple):
    """Multiplicative updates on ``{w >= 0, sum w = radius}``."""

    radius: float = 1.0
    duals = 1
    fixed = True

    def check(self) -> None:
        """Raise ValueError unless radius is positive and finite."""
        require(0 < self.radius < math.inf, self, "radius", "positive and finite")


@implement(start, SimplexEntropy)
def _(geometry: SimplexEntropy, state: State) -> None:
    d = state.primal.size
    state.primal[:] = 1.0 / d
    state.numbers[OFFSET] = math.log(d)
    settle(state.numbers, 1.0)


@implement(factor, SimplexEntropy)
def _(geometry: SimplexEntropy, numbers: Numbers) -> float:
    return geometry.radius / numbers[TOTAL]


@implement(observe_gradient, SimplexEntropy)
def _(geometry: SimplexEntropy, state: State, row: RowView, scale: float) -> float:
    return geometry.radius * geometry.radius * row.largest * row.largest


@implement(move, SimplexEntropy)
def _(
    geometry: SimplexEntropy, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    primal = state.primal
    scratch = state.scratch
    climb(state, rows, lo, hi, geometry.radius * step)
    exponentiate(scratch, hi - lo)
    change = 0.0
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        change += scratch[k - lo] - primal[j]
        primal[j] = scratch[k - lo]
    state.numbers[TOTAL] += change
    total = state.numbers[TOTAL]
    if drifted(state.numbers) or not SMALL <= total <= LARGE:
        refresh(geometry, state)


@compiled
def spread(state: State, offset: float) -> float:
    """Set primal to exp(dual - offset); return its sum."""
    primal = state.primal
    for j in range(primal.size):
        primal[j] = state.dual[j] - offset
    exponentiate(primal, primal.size)
    total = 0.0
    for j in range(primal.size):
        total += primal[j]
    return total


@implement(refresh, SimplexEntropy)
def _(geometry: SimplexEntropy, state: State) -> None:
    bank_all(state)
    # Weights are exp(dual - OFFSET), with OFFSET such that they add up to about one.
    top = state.dual[0]
    for j in range(state.dual.size):
        top = max(top, state.dual[j])
    offset = top + math.log(spread(state, top))
    total = spread(state, offset)
    state.numbers[OFFSET] = offset
    settle(state.numbers, total)
