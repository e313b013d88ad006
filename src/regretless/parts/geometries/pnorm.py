"""p-norm geometry: theta moves by step*x, w is the gradient of |theta|_p^2 / 2.

    w_i = sign(theta_i) |theta_i|^(p-1) / |theta|_p^(p-2)

p = 2 is Euclidean; p = 2 ln d behaves like the entropies. Powers are taken in a unit
that keeps sum |theta|^p far from over- and underflow; theta itself is exact.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..generic import implement, require
from ..rows import RowView, column, entry
from ..state import SCALE, TOTAL, Numbers, State, bank_all, drifted, settle
from .moves import factor, move, observe_gradient, refresh, start


class PNorm(NamedTuple):
    """Updates additive in the dual, from w_0 = 0; ``p >= 2``."""

    p: float
    duals = 1
    fixed = False

    def check(self) -> None:
        """Raise ValueError unless 2 <= p < inf."""
        require(2 <= self.p < math.inf, self, "p", "at least 2 and finite")


@implement(start, PNorm)
def _(geometry: PNorm, state: State) -> None:
    state.numbers[SCALE] = 1.0


@implement(factor, PNorm)
def _(geometry: PNorm, numbers: Numbers) -> float:
    total = numbers[TOTAL]
    if total <= 0.0:
        return 0.0
    return numbers[SCALE] * total ** (2.0 / geometry.p - 1.0)


@implement(observe_gradient, PNorm)
def _(geometry: PNorm, state: State, row: RowView, scale: float) -> float:
    rows, lo, hi = row.rows, row.lo, row.hi
    if row.largest == 0.0:
        return 0.0
    power = 0.0
    for k in range(lo, hi):
        power += (abs(entry(rows, k, hi)) / row.largest) ** geometry.p
    return row.largest * row.largest * power ** (2.0 / geometry.p)


@implement(move, PNorm)
def _(geometry: PNorm, state: State, row: RowView, step: float, shrink: float) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    primal = state.primal
    dual = state.dual
    unit = 1.0 / state.numbers[SCALE]
    change = 0.0
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        change -= primal[j] * (unit * dual[j])
        dual[j] += step * entry(rows, k, hi)
        size = (unit * abs(dual[j])) ** (geometry.p - 1.0)
        primal[j] = size if dual[j] > 0.0 else -size
        change += primal[j] * (unit * dual[j])
    state.numbers[TOTAL] += change
    if state.numbers[TOTAL] <= 0.0 or drifted(state.numbers):  # 0: it may be underflow
        refresh(geometry, state)


@implement(refresh, PNorm)
def _(geometry: PNorm, state: State) -> None:
    bank_all(state)
    primal = state.primal
    dual = state.dual
    top = 0.0
    for j in range(dual.size):
        top = max(top, abs(dual[j]))
    if top == 0.0:
        settle(state.numbers, 0.0)
        return
    state.numbers[SCALE] = top
    total = 0.0
    for j in range(dual.size):
        size = (abs(dual[j]) / top) ** (geometry.p - 1.0)
        primal[j] = size if dual[j] > 0.0 else -size
        total += primal[j] * (dual[j] / top)
    settle(state.numbers, total)
