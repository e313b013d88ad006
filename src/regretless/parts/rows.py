"""Rows: how a batch of examples lies in memory. Dense, sparse, or with a bias in front.

A row is the range ``begin(rows, i)`` to ``end(rows, i)``; its k-th entry has the value
``entry(rows, k, hi)`` and multiplies the weight at ``column(rows, k, lo, hi)``.
``measure`` takes all of a row's sums in one pass over it. A view that has to prepare a
row does so in ``look``, and learns from it in ``keep``, when the row is accepted.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias, overload

import numpy as np

from .generic import generic, implement
from .state import Floats

Longs: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Ints: TypeAlias = "np.ndarray[Any, np.dtype[np.int32]]"
Measures: TypeAlias = tuple[float, float, float, float]


@generic
def begin(rows: Any, i: int) -> int:
    """Where row `i` begins."""
    ...


@generic
def end(rows: Any, i: int) -> int:
    """Where row `i` ends."""
    ...


@generic
def column(rows: Any, k: int, lo: int, hi: int) -> int:
    """The weight that entry `k` of the row [lo, hi) multiplies."""
    ...


@generic
def entry(rows: Any, k: int, hi: int) -> float:
    """The value of entry `k` of the row that ends at `hi`."""
    ...


@generic
def look(rows: Any, lo: int, hi: int) -> None:
    """Prepare the row [lo, hi) to be read; nothing that lasts may change."""
    ...


@generic
def keep(rows: Any, lo: int, hi: int) -> None:
    """The row [lo, hi), looked at before, is accepted: remember what lasts."""
    ...


@generic(fastmath={"contract"})
def measure(rows: Any, lo: int, hi: int, primal: Floats) -> Measures:
    """``(primal.x, |x|^2, min(x, 0), max(x, 0))`` of the row [lo, hi)."""
    ...


class RowView(NamedTuple):
    """One row, the range [lo, hi) of its batch, and what is known of it.

    `dot` is w.x before any move, `square` is |x|^2 and `largest` is |x|_inf.
    """

    rows: Any
    lo: int
    hi: int
    dot: float
    square: float
    largest: float


class Dense(NamedTuple):
    """Rows of equal width, end to end in one array."""

    values: Floats
    width: int


@implement(begin, Dense)
def _(rows: Dense, i: int) -> int:
    return i * rows.width


@implement(end, Dense)
def _(rows: Dense, i: int) -> int:
    return (i + 1) * rows.width


@implement(column, Dense)
def _(rows: Dense, k: int, lo: int, hi: int) -> int:
    return k - lo


@implement(entry, Dense)
def _(rows: Dense, k: int, hi: int) -> float:
    return rows.values[k]


@implement(look, Dense)
def _(rows: Dense, lo: int, hi: int) -> None:
    pass


@implement(keep, Dense)
def _(rows: Dense, lo: int, hi: int) -> None:
    pass


@implement(measure, Dense)
def _(rows: Dense, lo: int, hi: int, primal: Floats) -> Measures:
    values = rows.values
    dot = 0.0
    square = 0.0
    low = 0.0
    high = 0.0
    for j in range(hi - lo):
        v = values[lo + j]
        dot += primal[j] * v
        square += v * v
        low = min(low, v)
        high = max(high, v)
    return dot, square, low, high


class Sparse(NamedTuple):
    """Compressed rows: ``columns`` and ``values`` of row i from starts[i] on."""

    starts: Longs
    columns: Ints
    values: Floats


@implement(begin, Sparse)
def _(rows: Sparse, i: int) -> int:
    return rows.starts[i]


@implement(end, Sparse)
def _(rows: Sparse, i: int) -> int:
    return rows.starts[i + 1]


# An index that might be negative is one that numba counts from the end: three more
# instructions for each load. So indices are unsigned, or of a slice, counted from zero.


@implement(column, Sparse)
def _(rows: Sparse, k: int, lo: int, hi: int) -> int:
    return np.uint32(rows.columns[np.uint64(k)])  # pyright: ignore[reportReturnType]


@implement(entry, Sparse)
def _(rows: Sparse, k: int, hi: int) -> float:
    return rows.values[np.uint64(k)]


@implement(look, Sparse)
def _(rows: Sparse, lo: int, hi: int) -> None:
    pass


@implement(keep, Sparse)
def _(rows: Sparse, lo: int, hi: int) -> None:
    pass


@implement(measure, Sparse)
def _(rows: Sparse, lo: int, hi: int, primal: Floats) -> Measures:
    # Four running sums: a single one would wait for each addition. Written out, because
    # left to itself LLVM gathers with vector instructions, which is slower.
    columns = rows.columns[lo:hi]
    values = rows.values[lo:hi]
    a = b = c = d = 0.0
    p = q = 0.0
    low = 0.0
    high = 0.0
    middle = values.size // 4 * 4
    for k in range(0, middle, 4):
        e = values[k]
        f = values[k + 1]
        g = values[k + 2]
        h = values[k + 3]
        a += primal[np.uint32(columns[k])] * e
        b += primal[np.uint32(columns[k + 1])] * f
        c += primal[np.uint32(columns[k + 2])] * g
        d += primal[np.uint32(columns[k + 3])] * h
        p += e * e + f * f
        q += g * g + h * h
        low = min(low, e, f, g, h)
        high = max(high, e, f, g, h)
    for k in range(middle, values.size):
        e = values[k]
        a += primal[np.uint32(columns[k])] * e
        p += e * e
        low = min(low, e)
        high = max(high, e)
    return (a + b) + (c + d), p + q, low, high


Rows: TypeAlias = Dense | Sparse
"""Rows as they come."""


@overload
def some_rows(rows: Sparse, start: int, stop: int) -> Sparse: ...
@overload
def some_rows(rows: Rows, start: int, stop: int) -> Rows: ...
def some_rows(rows: Rows, start: int, stop: int) -> Rows:
    """Rows `start` to `stop`, without a copy."""
    if isinstance(rows, Dense):
        return Dense(rows.values[start * rows.width : stop * rows.width], rows.width)
    return Sparse(rows.starts[start : stop + 1], rows.columns, rows.values)


def longest_of(rows: Rows) -> int:
    """How many entries the longest row has."""
    if isinstance(rows, Dense):
        return rows.width
    return int(np.diff(rows.starts).max(initial=0))


class Biased(NamedTuple):
    """Any rows with one more feature, number 0, whose value is always 1.

    The bias comes first so that a growing feature space never moves it.
    """

    rows: Rows


SeenRows: TypeAlias = Rows | Biased
"""Rows with a bias, or without."""


@implement(begin, Biased)
def _(rows: Biased, i: int) -> int:
    return begin(rows.rows, i)


@implement(end, Biased)
def _(rows: Biased, i: int) -> int:
    return end(rows.rows, i) + 1


@implement(column, Biased)
def _(rows: Biased, k: int, lo: int, hi: int) -> int:
    return 0 if k == hi - 1 else column(rows.rows, k, lo, hi - 1) + 1


@implement(entry, Biased)
def _(rows: Biased, k: int, hi: int) -> float:
    return 1.0 if k == hi - 1 else entry(rows.rows, k, hi - 1)


@implement(look, Biased)
def _(rows: Biased, lo: int, hi: int) -> None:
    pass


@implement(keep, Biased)
def _(rows: Biased, lo: int, hi: int) -> None:
    pass


@implement(measure, Biased)
def _(rows: Biased, lo: int, hi: int, primal: Floats) -> Measures:
    dot = primal[0]
    square = 1.0
    low = 0.0
    high = 1.0
    for k in range(lo, hi - 1):
        e = entry(rows.rows, k, hi - 1)
        dot += primal[column(rows.rows, k, lo, hi - 1) + 1] * e
        square += e * e
        low = min(low, e)
        high = max(high, e)
    return dot, square, low, high
