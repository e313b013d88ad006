"""Matrix geometry: D(u, w) = (u - w)'A(u - w)/2, where A has met every gradient.

A = a I + sum g g'. Kept is P = 1/A, by the formula of Sherman and Morrison ::

    v = P x,    q = x.v,    P' = P - c^2 v v'/(1 + c^2 q)        g = c x
    w' = w + step*v

and of P, which is symmetric, the lower triangle, row after row: new features only add
rows, and no rounding can make it less symmetric than it is. A row of data costs the
triangle once to read and, where it is learned from, once to write; rows with few
nonzeros read their own columns only. In the diagonal form all that is not on the
diagonal of A is dropped, and every row costs O(nonzeros).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...generic import compiled, implement, require
from ..rows import column, entry
from ..state import (
    GROWTH,
    LEVERAGE,
    SCALE,
    Floats,
    Numbers,
    State,
    bank_all,
)
from .moves import extend, factor, length, meet, move, refresh, start, tally

__all__ = ["DiagonalMatrix", "FullMatrix"]

# Rows of so few entries read their own columns, which lie far apart, and no others. The
# number of features has no say in it: a stream may not know yet how many there are.
FEW = 16
SUMS: dict[str, Any] = {"fastmath": {"reassoc", "contract"}, "forceinline": False}


class FullMatrix(NamedTuple):
    """A whole matrix, of at most `most` weights; the features beyond are not seen."""

    strength: float = 1.0
    most: int = 2001
    duals = -1  # a triangle
    fixed = False
    quadratic = True

    def check(self) -> None:
        """Raise ValueError unless strength is positive and finite."""
        good = 0 < self.strength < math.inf
        require(good, self, "strength", "positive and finite")


class DiagonalMatrix(NamedTuple):
    """The diagonal of the matrix alone."""

    strength: float = 1.0
    duals = 1  # the diagonal of A, without a
    fixed = False
    quadratic = True

    def check(self) -> None:
        """Raise ValueError unless strength is positive and finite."""
        good = 0 < self.strength < math.inf
        require(good, self, "strength", "positive and finite")


@compiled
def seen_by_matrix(dual: Floats) -> int:
    """How many rows a triangle has."""
    return int(math.sqrt(2.0 * dual.size + 0.25))


@compiled(**SUMS)
def times_row(triangle: Floats, x: Floats, v: Floats, size: int) -> None:
    """V = P x, both with all their entries: every row of the triangle is read once."""
    at = 0
    for i in range(size):
        row = triangle[at : at + i + 1]
        e = x[i]
        total = 0.0
        if e != 0.0:
            for j in range(i):
                total += row[j] * x[j]
                v[j] += e * row[j]
        else:
            for j in range(i):
                total += row[j] * x[j]
        v[i] = total + e * row[i]
        at += i + 1


@compiled(**SUMS)
def add_column(triangle: Floats, k: int, e: float, v: Floats, size: int) -> None:
    """Add e times column k of P to v."""
    at = k * (k + 1) // 2
    row = triangle[at : at + k + 1]
    for j in range(k + 1):
        v[j] += e * row[j]
    at += k
    for i in range(k + 1, size):
        at += i
        v[i] += e * triangle[at]


@compiled(**SUMS)
def take_out(triangle: Floats, share: float, v: Floats, size: int) -> None:
    """Subtract share*v v' from P."""
    at = 0
    for i in range(size):
        c = share * v[i]
        if c != 0.0:
            row = triangle[at : at + i + 1]
            for j in range(i + 1):
                row[j] -= c * v[j]
        at += i + 1


@implement(start, FullMatrix)
def _(geometry: FullMatrix, state: State) -> None:
    state.numbers[SCALE] = 1.0
    extend(geometry, state, 0)


@implement(extend, FullMatrix)
def _(geometry: FullMatrix, state: State, before: int) -> None:
    for i in range(before, seen_by_matrix(state.dual)):
        state.dual[i * (i + 1) // 2 + i] = 1.0 / geometry.strength


@implement(factor, FullMatrix)
def _(geometry: FullMatrix, numbers: Numbers) -> float:
    return 1.0


@implement(length, FullMatrix)
def _(geometry: FullMatrix, state: State, rows: Any, lo: int, hi: int) -> float:
    # Of scratch: v, x with all its entries, then q, and that it belongs to this row.
    size = seen_by_matrix(state.dual)
    v = state.scratch[:size]
    whole = state.scratch[size : 2 * size]
    for i in range(size):
        v[i] = 0.0
    if hi - lo <= FEW:
        for k in range(lo, hi):
            j = column(rows, k, lo, hi)
            if j < size:
                add_column(state.dual, j, entry(rows, k, hi), v, size)
    else:
        for i in range(size):
            whole[i] = 0.0
        for k in range(lo, hi):
            j = column(rows, k, lo, hi)
            if j < size:
                whole[j] += entry(rows, k, hi)
        times_row(state.dual, whole, v, size)
    q = 0.0
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        if j < size:
            q += entry(rows, k, hi) * v[j]
    if q <= 0.0:  # x = 0, or so much is known along x that rounding is all that is left
        q = 0.0
        for i in range(size):
            v[i] = 0.0
    state.scratch[2 * size] = q
    state.scratch[2 * size + 1] = 1.0
    return q


@implement(meet, FullMatrix)
def _(
    geometry: FullMatrix,
    state: State,
    rows: Any,
    lo: int,
    hi: int,
    lean: float,
    square: float,
    largest: float,
) -> float:
    size = seen_by_matrix(state.dual)
    if state.scratch[2 * size + 1] == 1.0:
        q = state.scratch[2 * size]
    else:
        q = length(geometry, state, rows, lo, hi)
    state.scratch[2 * size + 1] = 0.0
    entering = lean * lean * q
    state.numbers[GROWTH] += math.log1p(entering)
    state.numbers[LEVERAGE] += entering / (1.0 + entering)
    share = lean * lean / (1.0 + entering)
    take_out(state.dual, share, state.scratch[:size], size)
    return q


@implement(move, FullMatrix)
def _(
    geometry: FullMatrix,
    state: State,
    rows: Any,
    lo: int,
    hi: int,
    step: float,
    shrink: float,
    dot: float,
    square: float,
) -> None:
    bank_all(state)
    for i in range(seen_by_matrix(state.dual)):
        state.primal[i] += step * state.scratch[i]


@implement(refresh, FullMatrix)
def _(geometry: FullMatrix, state: State) -> None:
    pass


@implement(tally, FullMatrix)
def _(geometry: FullMatrix, state: State) -> dict[str, Any]:
    return {
        "growth": float(state.numbers[GROWTH]),
        "leverage": float(state.numbers[LEVERAGE]),
    }


@implement(start, DiagonalMatrix)
def _(geometry: DiagonalMatrix, state: State) -> None:
    state.numbers[SCALE] = 1.0


@implement(factor, DiagonalMatrix)
def _(geometry: DiagonalMatrix, numbers: Numbers) -> float:
    return 1.0


@implement(length, DiagonalMatrix)
def _(geometry: DiagonalMatrix, state: State, rows: Any, lo: int, hi: int) -> float:
    q = 0.0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        a = geometry.strength + state.dual[column(rows, k, lo, hi)]
        state.scratch[k - lo] = x / a
        q += x * state.scratch[k - lo]
    return q


@implement(meet, DiagonalMatrix)
def _(
    geometry: DiagonalMatrix,
    state: State,
    rows: Any,
    lo: int,
    hi: int,
    lean: float,
    square: float,
    largest: float,
) -> float:
    q = length(geometry, state, rows, lo, hi)
    for k in range(lo, hi):
        g = lean * entry(rows, k, hi)
        state.dual[column(rows, k, lo, hi)] += g * g
    return q


@implement(move, DiagonalMatrix)
def _(
    geometry: DiagonalMatrix,
    state: State,
    rows: Any,
    lo: int,
    hi: int,
    step: float,
    shrink: float,
    dot: float,
    square: float,
) -> None:
    for k in range(lo, hi):
        state.primal[column(rows, k, lo, hi)] += step * state.scratch[k - lo]


@implement(refresh, DiagonalMatrix)
def _(geometry: DiagonalMatrix, state: State) -> None:
    pass
