"""Proximal geometry: follow the leader, regularized around every point played.

    w = argmin  g_{1:t}.w + l1|w|_1 + (l2/2)|w|^2 + (beta/(2 alpha))|w|^2
                + (1/2) sum_s sum_j sigma_{s,j} (w_j - w_{s,j})^2

with sigma_{s,j} = (sqrt(n_{s,j}) - sqrt(n_{s-1,j}))/alpha and n the sums of squared
gradients. It splits into features: with z = g_{1:t} - sum_s sigma_s w_s ::

    w_j = 0                                         where |z_j| <= l1, else
    w_j = -(z_j - sign(z_j) l1)/((beta + sqrt(n_j))/alpha + l2)
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


class Proximal(NamedTuple):
    """Weights from (z, n) of their own feature, exactly zero while |z| <= l1."""

    alpha: float = 0.1
    beta: float = 1.0
    l1: float = 0.0
    l2: float = 0.0
    duals = 2  # z and n
    fixed = False

    def check(self) -> None:
        """Raise ValueError unless alpha > 0 and the others are at least 0."""
        require(0 < self.alpha < math.inf, self, "alpha", "positive and finite")
        require(0 <= self.beta < math.inf, self, "beta", "at least 0 and finite")
        require(0 <= self.l1 < math.inf, self, "l1", "at least 0 and finite")
        require(0 <= self.l2 < math.inf, self, "l2", "at least 0 and finite")


@implement(start, Proximal)
def _(geometry: Proximal, state: State) -> None:
    state.numbers[SCALE] = 1.0


@implement(factor, Proximal)
def _(geometry: Proximal, numbers: Numbers) -> float:
    return 1.0


@implement(observe_gradient, Proximal)
def _(geometry: Proximal, state: State, row: RowView, scale: float) -> float:
    rows, lo, hi = row.rows, row.lo, row.hi
    dual = state.dual
    scratch = state.scratch  # one over the curvature; 0 where nothing moves
    total = 0.0
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        x = entry(rows, k, hi)
        g2 = scale * x * (scale * x)
        scratch[k - lo] = 0.0
        if g2 > 0.0:
            before = math.sqrt(dual[2 * j + 1])
            dual[2 * j + 1] += g2
            after = math.sqrt(dual[2 * j + 1])
            dual[2 * j] -= (after - before) / geometry.alpha * state.primal[j]
            curvature = (geometry.beta + after) / geometry.alpha + geometry.l2
            scratch[k - lo] = 1.0 / curvature
            total += x * x * scratch[k - lo]
    return total


@implement(move, Proximal)
def _(
    geometry: Proximal, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    dual = state.dual
    scratch = state.scratch
    peak = state.numbers[PEAK]
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        if scratch[k - lo] > 0.0:
            z = dual[2 * j] - step * entry(rows, k, hi)
            dual[2 * j] = z
            size = max(abs(z) - geometry.l1, 0.0) * scratch[k - lo]
            state.primal[j] = math.copysign(size, -z) if size > 0.0 else 0.0
            peak = max(peak, size)
    state.numbers[PEAK] = peak


@implement(refresh, Proximal)
def _(geometry: Proximal, state: State) -> None:
    pass


@implement(extra_sums, Proximal)
def _(geometry: Proximal, state: State) -> Document:
    return {
        "coordinate_norms": float(np.sqrt(state.dual[1::2]).sum()),
        "largest_weight": float(state.numbers[PEAK]),
    }
