"""The hindsight loops on the simplex: all dual numbers step at once, then the weights.

a_t = dual_step(loss, a_t, u.x_t - c, y_t, |x_t|_1/weight);   g = sum_t a_t x_t
"""

from __future__ import annotations

from typing import Any

from ...parts.conjugates import conjugate, dual_step
from ...parts.losses import slope, value
from ...parts.rows import begin, column, end, entry, measure
from .compiled import kernel


@kernel
def size_rows(rows: Any, n: int, columns: Any) -> None:
    """Add every column's sum of |x|."""
    for i in range(n):
        lo = begin(rows, i)
        hi = end(rows, i)
        for k in range(lo, hi):
            columns[column(rows, k, lo, hi)] += abs(entry(rows, k, hi))


@kernel
def ascend_rows(
    loss: Any,
    rows: Any,
    targets: Any,
    numbers: Any,
    u: Any,
    duals: Any,
    means: Any,
    out: Any,
) -> float:
    """One step of every a_t; returns sum_t |x_t|_1 (a_t' - a_t)^2.

    The running means move `share` of the way towards the new dual numbers; the sum of
    a_t x_t is added to `out`.
    """
    threshold, weight, share = numbers
    moved = 0.0
    for i in range(targets.size):
        lo = begin(rows, i)
        hi = end(rows, i)
        score = measure(rows, lo, hi, u)[0] - threshold
        size = 0.0
        for k in range(lo, hi):
            size += abs(entry(rows, k, hi))
        a = dual_step(loss, duals[i], score, targets[i], size / weight)
        moved += size * (a - duals[i]) * (a - duals[i])
        duals[i] = a
        means[i] += share * (a - means[i])
        if a != 0.0:
            for k in range(lo, hi):
                out[column(rows, k, lo, hi)] += a * entry(rows, k, hi)
    return moved


@kernel
def price_rows(
    loss: Any,
    rows: Any,
    targets: Any,
    threshold: float,
    u: Any,
    duals: Any,
    out: Any,
) -> tuple[float, float, float]:
    """Evaluate `u` and `duals`: (loss, dual sum, tangent sum).

    The dual sum is -sum_t (phi_t*(a_t) + c a_t). The tangents of the losses at u add up
    to ``tangent sum + gradient.v`` for any v; the gradient is added to `out`.
    """
    paid = 0.0
    dual = 0.0
    tangent = 0.0
    for i in range(targets.size):
        y = targets[i]
        a = duals[i]
        lo = begin(rows, i)
        hi = end(rows, i)
        dot = measure(rows, lo, hi, u)[0]
        loss_here = value(loss, dot - threshold, y)
        loss_slope = slope(loss, dot - threshold, y)
        paid += loss_here
        dual -= conjugate(loss, a, y) + threshold * a
        tangent += loss_here - loss_slope * dot
        if loss_slope != 0.0:
            for k in range(lo, hi):
                out[column(rows, k, lo, hi)] += loss_slope * entry(rows, k, hi)
    return paid, dual, tangent
