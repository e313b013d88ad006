"""Diagonal geometry: every feature has a step of its own, from its own gradients.

D_t(u, w) = sum_j sqrt(G_j) (u_j - w_j)^2/(2 eta), where G_j is the sum of the squared
gradients of feature j, the present one included: w_j += step*eta*x_j/sqrt(G_j).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..documents import Document
from ..generic import implement, require
from ..rows import RowView, column, entry
from ..state import PEAK, SCALE, Numbers, State
from .moves import extra_sums, factor, move, observe_gradient, refresh, start


class Diagonal(NamedTuple):
    """Additive updates from w_0 = 0, each feature divided by its root of G."""

    eta: float = 1.0
    duals = 1  # G
    fixed = False
    quadratic = True

    def check(self) -> None:
        """Raise ValueError unless eta is positive and finite."""
        require(0 < self.eta < math.inf, self, "eta", "positive and finite")


@implement(start, Diagonal)
def _(geometry: Diagonal, state: State) -> None:
    state.numbers[SCALE] = 1.0


@implement(factor, Diagonal)
def _(geometry: Diagonal, numbers: Numbers) -> float:
    return 1.0


@implement(observe_gradient, Diagonal)
def _(geometry: Diagonal, state: State, row: RowView, scale: float) -> float:
    rows, lo, hi = row.rows, row.lo, row.hi
    squares = state.dual
    scratch = state.scratch
    total = 0.0
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        x = entry(rows, k, hi)
        g = scale * x
        squares[j] += g * g
        # A feature whose squares have all been zero has not been met.
        scratch[k - lo] = x / math.sqrt(squares[j]) if squares[j] > 0.0 else 0.0
        total += x * scratch[k - lo]
    return geometry.eta * total


@implement(move, Diagonal)
def _(
    geometry: Diagonal, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    primal = state.primal
    scratch = state.scratch
    coefficient = geometry.eta * step
    peak = state.numbers[PEAK]
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        primal[j] += coefficient * scratch[k - lo]
        peak = max(peak, abs(primal[j]))
    state.numbers[PEAK] = peak


@implement(refresh, Diagonal)
def _(geometry: Diagonal, state: State) -> None:
    pass


@implement(extra_sums, Diagonal)
def _(geometry: Diagonal, state: State) -> Document:
    return {
        "coordinate_norms": float(np.sqrt(state.dual).sum()),
        "largest_weight": float(state.numbers[PEAK]),
    }
