"""Domains: where Euclidean weights must stay; ``project`` brings them back.

The entropic geometries need none: their weights stay positive (and normalized) by
themselves. Each projection is O(nonzeros of the row), except onto the simplex.
``fixed`` says whether the start depends on the number of features.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .generic import generic, implement, require
from .rows import RowView, column
from .state import PEAK, SCALE, TOTAL, State, bank_all, settle

__all__ = ["Ball", "Box", "Everywhere", "Simplex", "enter", "project"]


@generic
def project(domain: Any, state: State, row: RowView) -> None:
    """Bring the weights back into `domain` after a move along the row [lo, hi)."""
    ...


@generic
def enter(domain: Any, state: State) -> None:
    """Move the start, w = 0, to the nearest point of `domain`."""
    ...


class Everywhere(NamedTuple):
    """No constraint."""

    fixed = False


@implement(enter, Everywhere)
def _(domain: Everywhere, state: State) -> None:
    pass


@implement(project, Everywhere)
def _(domain: Everywhere, state: State, row: RowView) -> None:
    pass


class Ball(NamedTuple):
    """``|w| <= radius``. A lazy factor makes the projection O(1)."""

    radius: float
    fixed = False

    def check(self) -> None:
        """Raise ValueError unless radius is positive and finite."""
        require(0 < self.radius < math.inf, self, "radius", "positive and finite")


@implement(enter, Ball)
def _(domain: Ball, state: State) -> None:
    pass


@implement(project, Ball)
def _(domain: Ball, state: State, row: RowView) -> None:
    numbers = state.numbers
    if numbers[TOTAL] > domain.radius * domain.radius:
        shrink = domain.radius / math.sqrt(numbers[TOTAL])
        numbers[SCALE] *= shrink
        numbers[PEAK] *= shrink * shrink
        numbers[TOTAL] = domain.radius * domain.radius


class Box(NamedTuple):
    """``low <= w_i <= high`` for every feature, with low <= 0 <= high."""

    low: float
    high: float
    fixed = False

    def check(self) -> None:
        """Raise ValueError unless low <= 0 <= high."""
        require(self.low <= 0, self, "low", "at most 0, so that w = 0 is inside")
        require(self.high >= 0, self, "high", "at least 0, so that w = 0 is inside")


@implement(enter, Box)
def _(domain: Box, state: State) -> None:
    pass


@implement(project, Box)
def _(domain: Box, state: State, row: RowView) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    scale = state.numbers[SCALE]
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        w = scale * state.primal[j]
        inside = min(max(w, domain.low), domain.high)
        if inside != w:
            state.primal[j] = inside / scale
            state.numbers[TOTAL] += inside * inside - w * w


class Simplex(NamedTuple):
    """``w_i >= 0, sum w_i = radius``. Looks at all d weights at every move."""

    radius: float = 1.0
    fixed = True

    def check(self) -> None:
        """Raise ValueError unless radius is positive and finite."""
        require(0 < self.radius < math.inf, self, "radius", "positive and finite")


@implement(project, Simplex)
def _(domain: Simplex, state: State, row: RowView) -> None:
    bank_all(state)
    # Michelot: drop what falls below the cut, cut again, until nothing more falls.
    primal = state.primal
    scale = state.numbers[SCALE]
    state.numbers[SCALE] = 1.0
    top = -math.inf
    for j in range(primal.size):
        primal[j] *= scale
        top = max(top, primal[j])
    for j in range(primal.size):
        primal[j] -= top  # so that the cut stays below the largest, however large
    cut = -math.inf
    left = primal.size + 1
    while True:
        total = -domain.radius
        above = 0
        for j in range(primal.size):
            if primal[j] > cut:
                total += primal[j]
                above += 1
        cut = total / above
        if above >= left:  # more, where rounding puts one that fell back
            break
        left = above
    square = 0.0
    for j in range(primal.size):
        primal[j] = max(primal[j] - cut, 0.0)
        square += primal[j] * primal[j]
    settle(state.numbers, square)


@implement(enter, Simplex)
def _(domain: Simplex, state: State) -> None:
    state.primal[:] = domain.radius / state.primal.size
    settle(state.numbers, domain.radius * domain.radius / state.primal.size)
