"""Two views of a row, both free of the scale of any column.

View A: a = x / sqrt(mean of x^2), clipped. The curves: z = (x - mean)/deviation,
clipped, either spread over hats (:class:`Hats`) or as it is (:class:`Lines`). Means are
over a feature's nonzeros so far, this one included.

z is rounded to ticks of 2^-20. A step of AdaGrad does not depend on how large a value
is, so a slot that holds 1e-16, because z should be a whole number and was rounded,
would move as far as one that holds 1; and z is whole whenever a feature has had two
values equally often.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled, generic, implement
from ..rows import column, entry
from .state import (
    MEAN,
    MINUS,
    MU,
    NEGATIVE,
    PLUS,
    POSITIVE,
    SPREAD,
    TERMS,
    Q,
    X,
    filled,
)

KNOTS = 7  # at -3, -2, ..., 3 deviations
LIMIT = 3.0
BITS = np.int32(20)
TICKS = 2.0**20
TICK = 2.0**-20
TINY = 1e-300  # what is smaller has no inverse: a feature that varies less is constant
CENTER = np.int32(3 << 20)
ROOT = math.sqrt(2.0)
LN2 = math.log(2.0)
MANTISSA = np.uint64(2**52 - 1)
UNIT = np.uint64(1023 << 52)  # the exponent of numbers from 1 to 2
EXPONENT = np.uint64(1075 << 52)  # makes a number n of the bits of n
SUMS = {"fastmath": {"reassoc", "contract", "nsz"}}  # sums in any order


class Hats(NamedTuple):
    """View H: z is spread linearly over the two nearest of seven knots."""


class Lines(NamedTuple):
    """View I: an indicator and z itself, so that a member is linear in z."""


@generic
def slots(view: Any) -> int:
    """How many slots a feature has."""
    ...


@generic
def spread(view: Any, ticks: int) -> tuple[int, float, float]:
    """The first of two neighboring slots that z fills, and what it puts in them.

    `ticks` is (z + 3) 2^20, an int32.
    """
    ...


@implement(slots, Hats)
def _(view: Hats) -> int:
    return KNOTS


@implement(spread, Hats)
def _(view: Hats, ticks: int) -> tuple[int, float, float]:
    slot: Any = min(ticks >> BITS, np.int32(KNOTS - 2))
    right = (ticks - (slot << BITS)) * TICK
    return slot, 1.0 - right, right


@implement(slots, Lines)
def _(view: Lines) -> int:
    return 2


@implement(spread, Lines)
def _(view: Lines, ticks: int) -> tuple[int, float, float]:
    slot: Any = np.int32(0)
    return slot, 1.0, (ticks - CENTER) * TICK


@compiled
def gather(
    state: Any, tile: Any, rows: Any, lo: int, hi: int
) -> tuple[int, int, float, float, float]:
    """Bring the nonzeros of a row and what is known of their features into the tile.

    The bias comes first. Returns how many there are, the same filled up to whole lines
    (with entries 0, which count for nothing), |x|^2, min(x, 0) and max(x, 0).
    """
    columns, exact, moments = tile.columns, tile.exact, state.moments
    columns[0] = 0
    exact[X, 0] = 1.0
    n = 1
    square = low = high = 0.0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        if x != 0.0:
            columns[n] = np.int64(column(rows, k, lo, hi)) + 1
            exact[X, n] = x
            n += 1
            square += x * x
            low = min(low, x)
            high = max(high, x)
    for k in range(n):
        j = np.uint64(columns[k])
        exact[MU, k] = moments[j, MEAN]
        exact[Q, k] = moments[j, SPREAD]
        exact[PLUS, k] = moments[j, POSITIVE]
        exact[MINUS, k] = moments[j, NEGATIVE]
    full = filled(n)
    for k in range(n, full):
        columns[k] = 0
        exact[X, k] = 0.0
        exact[MU, k] = 0.0
        exact[Q, k] = 0.0
        exact[PLUS, k] = 0.0
        exact[MINUS, k] = 0.0
    return n, full, square, low, high


@compiled(**SUMS)
def describe(view: Any, constants: Any, tile: Any, full: int) -> tuple[float, float]:
    """Let the moments know this row, and make the views of it.

    Returns |a|^2 and |curves|^2, and leaves the terms of naive Bayes' odds in the tile.
    The views ask how many rows had a feature, and not for their labels, so that one
    view does for many classes. There are no branches and little dependence, so eight
    features are described at once.
    """
    columns, places = tile.columns, tile.places
    xs, mus, qs = tile.exact[X], tile.exact[MU], tile.exact[Q]
    pluses, minuses = tile.exact[PLUS], tile.exact[MINUS]
    terms = tile.exact[TERMS]
    values, lefts, rights = tile.values, tile.lefts, tile.rights
    row_square = curve_square = 0.0
    for k in range(full):
        x = xs[k]
        plus = pluses[k] + 1.0
        minus = minuses[k] + 1.0
        terms[k] = log_ratio(plus, minus)
        share = 1.0 / (plus + minus - 1.0)
        gap = x - mus[k]
        mu = mus[k] + gap * share
        rest = x - mu
        q = qs[k] + gap * rest
        mus[k] = mu
        qs[k] = q

        # One division for both x/length and rest/deviation.
        variance = q * share
        length = math.sqrt(mu * mu + variance)
        deviation = math.sqrt(variance)
        product = length * deviation
        varies = product > TINY
        unit = 1.0 / product
        sign = 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)
        a = x * deviation * unit if varies else sign
        a = min(max(a, -constants.row_clip), constants.row_clip)
        z = rest * length * unit if varies else 0.0
        z = min(LIMIT, max(-LIMIT, z))  # in this order, nan is -LIMIT
        ticks: Any = np.int32((z + LIMIT) * TICKS + 0.5)

        slot, left, right = spread(view, ticks)
        present = 1.0 if x != 0.0 else 0.0
        left *= present
        right *= present
        places[k] = columns[k] * slots(view) + slot
        values[k] = a
        lefts[k] = left
        rights[k] = right
        row_square += a * a
        curve_square += left * left + right * right
    return row_square, curve_square


@compiled(**SUMS)
def compare(exact: Any, full: int) -> None:
    """Write the terms of naive Bayes' odds, as :func:`describe` does."""
    pluses, minuses, terms = exact[PLUS], exact[MINUS], exact[TERMS]
    for k in range(full):
        plus = pluses[k] + 1.0
        minus = minuses[k] + 1.0
        terms[k] = log_ratio(plus, minus)


@compiled
def log_ratio(p: float, q: float) -> float:
    """ln(p/q) of numbers from 1 on, to 1e-13, without a branch or a call.

    With p = a 2^i and q = b 2^j, and a/b brought near 1: ln(a/b) is twice the inverse
    hyperbolic tangent of (a - b)/(a + b).
    """
    p_bits: Any = np.float64(p).view(np.uint64)
    q_bits: Any = np.float64(q).view(np.uint64)
    i = np.uint64((p_bits >> np.uint64(52)) | EXPONENT).view(np.float64)
    j = np.uint64((q_bits >> np.uint64(52)) | EXPONENT).view(np.float64)
    a = np.uint64((p_bits & MANTISSA) | UNIT).view(np.float64)
    b = np.uint64((q_bits & MANTISSA) | UNIT).view(np.float64)
    twos = i - j
    above = a > ROOT * b
    below = b > ROOT * a
    twos = twos + 1.0 if above else (twos - 1.0 if below else twos)
    a = 0.5 * a if above else a
    b = 0.5 * b if below else b
    t = (a - b) / (a + b)
    s = t * t
    series = 1.0 / 13.0 + s * (1.0 / 15.0)
    series = 1.0 / 11.0 + s * series
    series = 1.0 / 9.0 + s * series
    series = 1.0 / 7.0 + s * series
    series = 1.0 / 5.0 + s * series
    series = 1.0 / 3.0 + s * series
    return twos * LN2 + 2.0 * t * (1.0 + s * series)


@compiled
def remember(state: Any, tile: Any, n: int, y: float) -> None:
    """Write down the moments that :func:`describe` found, and the label."""
    moments, exact = state.moments, tile.exact
    seen, line = (POSITIVE, PLUS) if y > 0.0 else (NEGATIVE, MINUS)
    for k in range(n):
        j = np.uint64(tile.columns[k])
        moments[j, MEAN] = exact[MU, k]
        moments[j, SPREAD] = exact[Q, k]
        moments[j, seen] = exact[line, k] + 1.0
