"""Signed entropy on the L1 ball: w = radius*(p+ - p-), each side multiplicative.

p+ and p- start at 1/(2d), move by exp(+step*x) and exp(-step*x), and are normalized
together. The two sides mirror each other, so one dual number a feature holds both:
p+ = exp(dual)/Z, p- = exp(-dual)/Z.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..exponential import exponentiate
from ..generic import compiled, implement, require
from ..rows import RowView, column, entry
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
from .moves import factor, move, observe_gradient, refresh, start


class SignedEntropy(NamedTuple):
    """Multiplicative updates that reach all of ``{|w|_1 <= radius}``, from w_0 = 0."""

    radius: float = 1.0
    duals = 1
    fixed = True

    def check(self) -> None:
        """Raise ValueError unless radius is positive and finite."""
        require(0 < self.radius < math.inf, self, "radius", "positive and finite")


@implement(start, SignedEntropy)
def _(geometry: SignedEntropy, state: State) -> None:
    state.numbers[OFFSET] = math.log(2 * state.primal.size)
    settle(state.numbers, 1.0)


@implement(factor, SignedEntropy)
def _(geometry: SignedEntropy, numbers: Numbers) -> float:
    return geometry.radius / numbers[TOTAL]


@implement(observe_gradient, SignedEntropy)
def _(geometry: SignedEntropy, state: State, row: RowView, scale: float) -> float:
    return geometry.radius * geometry.radius * row.largest * row.largest


@implement(move, SignedEntropy)
def _(
    geometry: SignedEntropy, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    primal = state.primal
    dual = state.dual
    scratch = state.scratch
    offset = state.numbers[OFFSET]
    product = math.exp(-2.0 * offset)  # of the two sides of every feature
    change = 0.0
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        dual[j] += geometry.radius * step * entry(rows, k, hi)
        scratch[k - lo] = abs(dual[j]) - offset
    exponentiate(scratch, hi - lo)
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        size = scratch[k - lo]
        other = product / size if size > 0.0 else 0.0
        change += (size + other) - math.sqrt(primal[j] * primal[j] + 4.0 * product)
        primal[j] = size - other if dual[j] > 0.0 else other - size
        if dual[j] == 0.0:
            primal[j] = 0.0  # not a rounding error, which would decide ties
    state.numbers[TOTAL] += change
    total = state.numbers[TOTAL]
    if drifted(state.numbers) or not SMALL <= total <= LARGE:
        refresh(geometry, state)


@compiled
def spread(state: State, offset: float) -> float:
    """Set primal to p+ - p- for this offset; return the sum of all p+ and p-."""
    primal = state.primal
    dual = state.dual
    product = math.exp(-2.0 * offset)
    for j in range(dual.size):
        primal[j] = abs(dual[j]) - offset
    exponentiate(primal, dual.size)
    total = 0.0
    for j in range(dual.size):
        size = primal[j]
        other = product / size if size > 0.0 else 0.0
        gap = size - other if dual[j] != 0.0 else 0.0
        primal[j] = math.copysign(gap, dual[j])
        total += size + other
    return total


@implement(refresh, SignedEntropy)
def _(geometry: SignedEntropy, state: State) -> None:
    bank_all(state)
    top = 0.0
    for j in range(state.dual.size):
        top = max(top, abs(state.dual[j]))
    offset = top + math.log(spread(state, top))
    total = spread(state, offset)
    state.numbers[OFFSET] = offset
    settle(state.numbers, total)
