"""Matrix geometry: D(u, w) = (u - w)'A(u - w)/2, where A has met every gradient.

A = a I + sum g g'. Kept is P = 1/A as U D U', U with ones on its diagonal and zeros
below it, D diagonal and positive. With f = U'x ::

    q = x'P x = sum D f^2,    P' = P - c^2 v v'/(1 + c^2 q)      v = P x,  g = c x
    w' = w + step*v

A difference of matrices would lose all digits where columns are of different sizes;
the factors are brought from P to P' by Bierman's recursion, in which nothing is
subtracted from D: it stays positive, whatever rounding does. Column j of U and D_j lie
side by side, so new features only add to the end. A row of data costs the triangle once
to read and, where it is learned from, once to write; rows with few nonzeros that are
only looked at read what belongs to their own features. In the diagonal form all that is
not on the diagonal of A is dropped, and every row costs O(nonzeros).

Reference: Bierman (1977), Factorization Methods for Discrete Sequential Estimation.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..documents import Document
from ..generic import compiled, implement, require
from ..rows import RowView, column, entry
from ..state import (
    GROWTH,
    LEVERAGE,
    SCALE,
    Floats,
    Numbers,
    State,
    bank_all,
)
from .moves import (
    extend,
    extra_sums,
    factor,
    length,
    move,
    observe_gradient,
    refresh,
    start,
)

# Rows of so few entries read their own columns, which lie far apart, and no others. The
# number of features has no say in it: a stream may not know yet how many there are.
FEW = 16
SUMS: Document = {"fastmath": {"reassoc", "contract"}, "forceinline": False}


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


@compiled
def lay_out(rows: Any, lo: int, hi: int, x: Floats, size: int) -> None:
    """Write a row, entry by feature."""
    for i in range(size):
        x[i] = 0.0
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        if j < size:
            x[j] += entry(rows, k, hi)


@compiled(**SUMS)
def turn(triangle: Floats, x: Floats, size: int) -> None:
    """X = U'x, in place: what is below has not been touched where it is needed."""
    at = size * (size + 1) // 2
    for j in range(size - 1, -1, -1):
        at -= j + 1
        x[j] = turned(triangle[at : at + j + 1], x, j)


@compiled(**SUMS)
def turned(column_j: Floats, x: Floats, j: int) -> float:
    """Entry j of U'x."""
    total = x[j]
    for i in range(j):
        total += column_j[i] * x[i]
    return total


@compiled(**SUMS)
def turn_one(triangle: Floats, k: int, e: float, f: Floats, size: int) -> None:
    """Add U'x to f, where x has the entry e at k and no other."""
    f[k] += e
    at = k * (k + 1) // 2 + k
    for j in range(k + 1, size):
        at += j
        f[j] += e * triangle[at]


@compiled(**SUMS)
def take_columns(
    first: Floats,
    second: Floats,
    v: Floats,
    j: int,
    pushes: tuple[float, float],
    backs: tuple[float, float],
) -> None:
    """Add push*U_j to v, and back*v, as it was, to U_j; then the same of j + 1.

    Two columns at a time, because v is then read and written half as often.
    """
    for i in range(j):
        u, w = first[i], second[i]
        first[i] = u + backs[0] * v[i]
        between = v[i] + pushes[0] * u
        second[i] = w + backs[1] * between
        v[i] = between + pushes[1] * w
    w = second[j]
    second[j] = w + backs[1] * v[j]
    v[j] += pushes[1] * w


@compiled(**SUMS)
def take_column(column_j: Floats, v: Floats, j: int, push: float, back: float) -> None:
    """The same of one column, the last one."""
    for i in range(j):
        u = column_j[i]
        column_j[i] = u + back * v[i]
        v[i] += push * u


@compiled
def take_in(
    triangle: Floats, x: Floats, turns: bool, c: float, v: Floats, size: int
) -> float:
    """From P to P', for the gradient c*x; and v = P x, returned q = x'P x of the old P.

    Where it does not turn x into f = U'x, x is f already.
    """
    at = 0
    alpha = 1.0
    q = 0.0
    first = triangle[0:1]
    push = back = 0.0
    for j in range(size):
        column_j = triangle[at : at + j + 1]
        at += j + 1
        f = turned(column_j, x, j) if turns else x[j]
        d = column_j[j]
        q += d * f * f
        e = c * f
        if j % 2 == 0:
            first, push, back = column_j, d * e, -e / alpha
        elif push != 0.0 or e != 0.0:
            both = (push, d * e), (back, -e / alpha)
            take_columns(first, column_j, v, j - 1, *both)
        larger = alpha + e * (d * e)
        column_j[j] = d * (alpha / larger)
        v[j] = d * e
        alpha = larger
    if size % 2 == 1:
        take_column(first, v, size - 1, push, back)
    for j in range(size):
        v[j] = v[j] / c if c != 0.0 else 0.0
    return q


@implement(start, FullMatrix)
def _(geometry: FullMatrix, state: State) -> None:
    state.numbers[SCALE] = 1.0
    extend(geometry, state, 0)


@implement(extend, FullMatrix)
def _(geometry: FullMatrix, state: State, before: int) -> None:
    for i in range(before, seen_by_matrix(state.dual)):
        state.dual[i * (i + 1) // 2 + i] = 1.0 / geometry.strength


@implement(length, FullMatrix)
def _(geometry: FullMatrix, state: State, row: RowView) -> float:
    rows, lo, hi = row.rows, row.lo, row.hi
    # Of scratch: room for v, f, then q, and that it belongs to this row.
    size = seen_by_matrix(state.dual)
    f = state.scratch[size : 2 * size]
    if hi - lo <= FEW:
        for i in range(size):
            f[i] = 0.0
        for k in range(lo, hi):
            j = column(rows, k, lo, hi)
            if j < size:
                turn_one(state.dual, j, entry(rows, k, hi), f, size)
    else:
        lay_out(rows, lo, hi, f, size)
        turn(state.dual, f, size)
    q = 0.0
    at = 0
    for j in range(size):
        at += j
        q += state.dual[at] * f[j] * f[j]
        at += 1
    state.scratch[2 * size] = q
    state.scratch[2 * size + 1] = 1.0
    return q


@implement(observe_gradient, FullMatrix)
def _(geometry: FullMatrix, state: State, row: RowView, scale: float) -> float:
    rows, lo, hi = row.rows, row.lo, row.hi
    size = seen_by_matrix(state.dual)
    v, f = state.scratch[:size], state.scratch[size : 2 * size]
    turns = hi - lo > FEW and state.scratch[2 * size + 1] == 0.0
    if turns:
        lay_out(rows, lo, hi, f, size)
    elif state.scratch[2 * size + 1] == 0.0:
        length(geometry, state, row)
    q = take_in(state.dual, f, turns, scale, v, size)
    state.scratch[2 * size + 1] = 0.0
    entering = scale * scale * q
    state.numbers[GROWTH] += math.log1p(entering)
    state.numbers[LEVERAGE] += entering / (1.0 + entering)
    return q


@implement(move, FullMatrix)
def _(
    geometry: FullMatrix, state: State, row: RowView, step: float, shrink: float
) -> None:
    bank_all(state)
    for i in range(seen_by_matrix(state.dual)):
        state.primal[i] += step * state.scratch[i]


@implement(extra_sums, FullMatrix)
def _(geometry: FullMatrix, state: State) -> Document:
    return {
        "growth": float(state.numbers[GROWTH]),
        "leverage": float(state.numbers[LEVERAGE]),
    }


@implement(start, DiagonalMatrix)
def _(geometry: DiagonalMatrix, state: State) -> None:
    state.numbers[SCALE] = 1.0


@implement(factor, FullMatrix)
@implement(factor, DiagonalMatrix)
def _(geometry: FullMatrix | DiagonalMatrix, numbers: Numbers) -> float:
    return 1.0


@implement(length, DiagonalMatrix)
def _(geometry: DiagonalMatrix, state: State, row: RowView) -> float:
    rows, lo, hi = row.rows, row.lo, row.hi
    q = 0.0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        a = geometry.strength + state.dual[column(rows, k, lo, hi)]
        state.scratch[k - lo] = x / a
        q += x * state.scratch[k - lo]
    return q


@implement(observe_gradient, DiagonalMatrix)
def _(geometry: DiagonalMatrix, state: State, row: RowView, scale: float) -> float:
    rows, lo, hi = row.rows, row.lo, row.hi
    q = length(geometry, state, row)
    for k in range(lo, hi):
        g = scale * entry(rows, k, hi)
        state.dual[column(rows, k, lo, hi)] += g * g
    return q


@implement(move, DiagonalMatrix)
def _(
    geometry: DiagonalMatrix, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    for k in range(lo, hi):
        state.primal[column(rows, k, lo, hi)] += step * state.scratch[k - lo]


@implement(refresh, FullMatrix)
@implement(refresh, DiagonalMatrix)
def _(geometry: FullMatrix | DiagonalMatrix, state: State) -> None:
    pass
