"""Unnormalized entropy: w_i' = w_i exp(step*x_i) over positive weights.

D(u, w) = sum u_i ln(u_i/w_i) - u_i + w_i, from w_0 = 1/d. The logarithm of each weight
is kept beside it, so that a weight that underflows comes back when its luck turns.
The proof charges sum_i w_i z_i^2 for a gradient z: their sum is in numbers[LEVERAGE].
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..documents import Document
from ..exponential import exponentiate
from ..generic import compiled, implement
from ..rows import RowView, column, entry
from ..state import (
    LEVERAGE,
    OFFSET,
    TOTAL,
    Numbers,
    State,
    bank_all,
    drifted,
    settle,
)
from .moves import extra_sums, factor, move, observe_gradient, refresh, start

LARGEST = 700.0  # exp of more is not a number


class Entropy(NamedTuple):
    """Multiplicative updates from w_0 = 1/d, never normalized."""

    duals = 1
    fixed = True


@implement(start, Entropy)
def _(geometry: Entropy, state: State) -> None:
    d = state.primal.size
    state.primal[:] = 1.0 / d
    state.numbers[OFFSET] = math.log(d)
    settle(state.numbers, 1.0)


@implement(factor, Entropy)
def _(geometry: Entropy, numbers: Numbers) -> float:
    return 1.0


@implement(observe_gradient, Entropy)
def _(geometry: Entropy, state: State, row: RowView, scale: float) -> float:
    rows, lo, hi = row.rows, row.lo, row.hi
    local = 0.0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        local += state.primal[column(rows, k, lo, hi)] * x * x
    state.numbers[LEVERAGE] += scale * scale * local
    return row.largest * row.largest


@implement(extra_sums, Entropy)
def _(geometry: Entropy, state: State) -> Document:
    return {"local": float(state.numbers[LEVERAGE])}


@compiled
def climb(state: State, rows: Any, lo: int, hi: int, step: float) -> None:
    """Add step*x to the dual, and put the logarithms of the new weights in scratch."""
    dual = state.dual
    scratch = state.scratch
    offset = state.numbers[OFFSET]
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        dual[j] += step * entry(rows, k, hi)
        scratch[k - lo] = dual[j] - offset


@implement(move, Entropy)
def _(
    geometry: Entropy, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    primal = state.primal
    scratch = state.scratch
    climb(state, rows, lo, hi, step)
    exponentiate(scratch, hi - lo)
    change = 0.0
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        change += scratch[k - lo] - primal[j]
        primal[j] = scratch[k - lo]
    state.numbers[TOTAL] += change
    if drifted(state.numbers):
        refresh(geometry, state)


@implement(refresh, Entropy)
def _(geometry: Entropy, state: State) -> None:
    bank_all(state)
    primal = state.primal
    offset = state.numbers[OFFSET]
    for j in range(primal.size):
        primal[j] = min(state.dual[j] - offset, LARGEST)
    exponentiate(primal, primal.size)
    total = 0.0
    for j in range(primal.size):
        total += primal[j]
    settle(state.numbers, total)
