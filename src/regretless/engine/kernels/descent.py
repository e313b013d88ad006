"""The hindsight loops: dual coordinate descent, one dual number a row.

    w = -(1/strength) sum_t a_t x_t;   a_t = dual_step(loss, a_t, w.x_t - c, y_t, ...)

Everything that tells one loss from another is in the parts. The duality gap is a sum
over rows, phi(score) + phi*(a) - a score, none of them negative: so a pass that visits
rows anyway also tells how far there is to go.
"""

from __future__ import annotations

import math
from typing import Any

from ...parts.conjugates import conjugate, dual_step
from ...parts.losses import value
from ...parts.rows import begin, column, end, entry, measure
from .compiled import kernel


@kernel
def square_rows(rows: Any, squares: Any) -> int:
    """Write |x|^2 of every row; how many rows are finite."""
    for i in range(squares.size):
        square = 0.0
        hi = end(rows, i)
        for k in range(begin(rows, i), hi):
            x = entry(rows, k, hi)
            square += x * x
        if not square < math.inf:
            return i
        squares[i] = square
    return squares.size


@kernel
def descend_rows(
    loss: Any,
    rows: Any,
    targets: Any,
    squares: Any,
    numbers: Any,
    w: Any,
    duals: Any,
    order: Any,
    count: int,
) -> tuple[int, float, float]:
    """One pass of dual descent: (rows still active, largest move, gap met).

    Visits ``order[:count]``. A row whose dual number would stay even if its score moved
    by `bar` either way is put behind the others: it is not visited again until someone
    puts it back. A move is measured in units of the score. The gap met is that of every
    row just before its own step.
    """
    threshold, strength, bar = numbers
    largest = 0.0
    gap = 0.0
    s = 0
    while s < count:
        i = order[s]
        y = targets[i]
        a = duals[i]
        lo = begin(rows, i)
        hi = end(rows, i)
        score = measure(rows, lo, hi, w)[0] - threshold
        curvature = squares[i] / strength
        gap += value(loss, score, y) + conjugate(loss, a, y) - a * score
        better = dual_step(loss, a, score, y, curvature)
        if better != a:
            duals[i] = better
            step = (a - better) / strength
            for k in range(lo, hi):
                w[column(rows, k, lo, hi)] += step * entry(rows, k, hi)
            largest = max(largest, curvature * abs(better - a))
        elif (
            bar < math.inf
            and dual_step(loss, a, score - bar, y, curvature) == a
            and dual_step(loss, a, score + bar, y, curvature) == a
        ):
            count -= 1
            order[s] = order[count]
            order[count] = i
            continue
        s += 1
    return count, largest, gap


@kernel
def gather_rows(rows: Any, duals: Any, out: Any) -> None:
    """Add sum_t a_t x_t to `out`."""
    for i in range(duals.size):
        a = duals[i]
        if a != 0.0:
            lo = begin(rows, i)
            hi = end(rows, i)
            for k in range(lo, hi):
                out[column(rows, k, lo, hi)] += a * entry(rows, k, hi)


@kernel
def weigh_rows(
    loss: Any,
    rows: Any,
    targets: Any,
    squares: Any,
    numbers: Any,
    stretch: float,
    w: Any,
    duals: Any,
    order: Any,
) -> tuple[int, float, float, float]:
    """Evaluate both problems: (active, loss, loss at stretch*w, dual sum).

    The dual sum is -sum_t (phi_t*(a_t) + c a_t). `order` is written anew: first the
    rows that a move of `bar` could free, then the others.
    """
    threshold, strength, bar = numbers
    paid = 0.0
    stretched = 0.0
    dual = 0.0
    count = 0
    rest = targets.size
    for i in range(targets.size):
        y = targets[i]
        a = duals[i]
        dot = measure(rows, begin(rows, i), end(rows, i), w)[0]
        score = dot - threshold
        paid += value(loss, score, y)
        stretched += value(loss, stretch * dot - threshold, y)
        dual -= conjugate(loss, a, y) + threshold * a
        curvature = squares[i] / strength
        if (
            dual_step(loss, a, score - bar, y, curvature) == a
            and dual_step(loss, a, score + bar, y, curvature) == a
        ):
            rest -= 1
            order[rest] = i
        else:
            order[count] = i
            count += 1
    return count, paid, stretched, dual
