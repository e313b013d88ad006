"""Conjugates: a loss seen from its slopes, which is where lower bounds come from.

With phi(z) = value(loss, z, y) and its conjugate phi*(a) = sup_z (a z - phi(z)), any
numbers a_t in the domain of phi* bound the best total loss from below::

    min_u  sum_t phi_t(u.x_t - c) + (s/2)|u|^2
        >=  -sum_t (phi_t*(a_t) + c a_t) - |sum_t a_t x_t|^2/(2 s)

Two generics make a loss solvable in hindsight: ``conjugate`` is phi*, and ``dual_step``
is the best new a_t when all others stay. To solve for your own loss, write both.
``Sloped`` makes do with the slope alone, by bisection.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .generic import compiled, generic, implement, implemented
from .losses import (
    Absolute,
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    Pinball,
    Squared,
    SquaredHinge,
    slope,
    value,
)
from .part_types import Loss

ROUNDING = 1e-12  # an average of numbers in a domain may leave it by rounding
NEWTON_STEPS = 64


@generic
def conjugate(loss: Any, a: float, y: float) -> float:
    """``sup_z (a*z - value(loss, z, y))``: infinite where no slope of the loss is a."""
    ...


@generic
def dual_step(loss: Any, a: float, score: float, y: float, curvature: float) -> float:
    """The a' that is a slope of the loss at the score ``score - curvature*(a' - a)``.

    Where `a` is the row's present dual number, `score` its score under the weights it
    belongs to, and `curvature` = |x|^2/strength, that is the best dual number for the
    row: it minimizes conjugate(a') - score*(a' - a) + curvature*(a' - a)^2/2.
    """
    ...


def solvable(loss: Loss) -> bool:
    """Whether both generics are written for this loss."""
    return implemented(conjugate, loss) and implemented(dual_step, loss)


@compiled
def _clipped(
    a: float, low: float, high: float, score: float, kink: float, curvature: float
) -> float:
    """The step for a loss of slope `low` before its one kink and `high` after it."""
    if curvature > 0.0:
        return min(max(a + (score - kink) / curvature, low), high)
    return low if score < kink else high


@compiled
def _inside(a: float, low: float, high: float) -> bool:
    slack = ROUNDING * (high - low)
    return low - slack <= a <= high + slack


@implement(conjugate, Hinge)
def _(loss: Hinge, a: float, y: float) -> float:
    if not _inside(-y * a, 0.0, loss.gain):
        return math.inf
    return y * a * loss.margin / loss.gain


@implement(dual_step, Hinge)
def _(loss: Hinge, a: float, score: float, y: float, curvature: float) -> float:
    kink = loss.margin / loss.gain
    return y * _clipped(y * a, -loss.gain, 0.0, y * score, kink, curvature)


@implement(conjugate, SquaredHinge)
def _(loss: SquaredHinge, a: float, y: float) -> float:
    if y * a > 0.0:
        return math.inf
    return y * a * loss.margin + 0.25 * a * a


@implement(dual_step, SquaredHinge)
def _(loss: SquaredHinge, a: float, score: float, y: float, curvature: float) -> float:
    short = loss.margin - y * (score + curvature * a)
    return -y * max(0.0, 2.0 * short / (1.0 + 2.0 * curvature))


@compiled
def _x_log_x(x: float) -> float:
    return x * math.log(x) if x > 0.0 else 0.0


@implement(conjugate, Logistic)
def _(loss: Logistic, a: float, y: float) -> float:
    share = -y * a
    if not _inside(share, 0.0, 1.0):
        return math.inf
    return _x_log_x(share) + _x_log_x(1.0 - share)


@implement(dual_step, Logistic)
def _(loss: Logistic, a: float, score: float, y: float, curvature: float) -> float:
    # The new margin m solves m = start + curvature/(1 + e^m), between low and high.
    start = y * (score + curvature * a)
    low = start
    high = start + curvature
    m = min(max(y * score, low), high)
    for _ in range(NEWTON_STEPS):
        e = math.exp(-abs(m))
        share = (e if m > 0.0 else 1.0) / (1.0 + e)
        excess = m - start - curvature * share
        if excess > 0.0:
            high = m
        else:
            low = m
        better = m - excess / (1.0 + curvature * share * (1.0 - share))
        if abs(better - m) <= 1e-14 * (1.0 + abs(m)):
            break
        if m != 0.0 and (better > 0.0) != (m > 0.0):
            better = 0.0  # from where the curve bends, Newton never overshoots
        if not low <= better <= high:
            better = 0.5 * (low + high)
        m = better
    e = math.exp(-abs(m))
    return -y * (e if m > 0.0 else 1.0) / (1.0 + e)


@implement(conjugate, Squared)
def _(loss: Squared, a: float, y: float) -> float:
    return a * (y + 0.25 * a)


@implement(dual_step, Squared)
def _(loss: Squared, a: float, score: float, y: float, curvature: float) -> float:
    return 2.0 * (score - y + curvature * a) / (1.0 + 2.0 * curvature)


@implement(conjugate, Absolute)
def _(loss: Absolute, a: float, y: float) -> float:
    return a * y if _inside(a, -1.0, 1.0) else math.inf


@implement(dual_step, Absolute)
def _(loss: Absolute, a: float, score: float, y: float, curvature: float) -> float:
    return _clipped(a, -1.0, 1.0, score, y, curvature)


@implement(conjugate, Huber)
def _(loss: Huber, a: float, y: float) -> float:
    return a * (y + 0.5 * a) if _inside(a, -loss.width, loss.width) else math.inf


@implement(dual_step, Huber)
def _(loss: Huber, a: float, score: float, y: float, curvature: float) -> float:
    inner = (score - y + curvature * a) / (1.0 + curvature)
    return min(max(inner, -loss.width), loss.width)


@implement(conjugate, EpsilonInsensitive)
def _(loss: EpsilonInsensitive, a: float, y: float) -> float:
    return a * y + loss.epsilon * abs(a) if _inside(a, -1.0, 1.0) else math.inf


@implement(dual_step, EpsilonInsensitive)
def _(
    loss: EpsilonInsensitive, a: float, score: float, y: float, curvature: float
) -> float:
    # Each side is a loss with one kink; at most one of the two has a slope to give.
    above = _clipped(a, 0.0, 1.0, score, y + loss.epsilon, curvature)
    below = _clipped(a, -1.0, 0.0, score, y - loss.epsilon, curvature)
    return above + below


@implement(conjugate, Pinball)
def _(loss: Pinball, a: float, y: float) -> float:
    low = -loss.quantile
    return a * y if _inside(a, low, 1.0 + low) else math.inf


@implement(dual_step, Pinball)
def _(loss: Pinball, a: float, score: float, y: float, curvature: float) -> float:
    return _clipped(a, -loss.quantile, 1.0 - loss.quantile, score, y, curvature)


class Sloped(NamedTuple):
    """A convex loss of which only value and slope are known: no conjugate."""

    loss: Loss


@implement(value, Sloped)
def _(loss: Sloped, score: float, y: float) -> float:
    return value(loss.loss, score, y)


@implement(slope, Sloped)
def _(loss: Sloped, score: float, y: float) -> float:
    return slope(loss.loss, score, y)


@implement(conjugate, Sloped)
def _(loss: Sloped, a: float, y: float) -> float:
    return math.inf


@implement(dual_step, Sloped)
def _(loss: Sloped, a: float, score: float, y: float, curvature: float) -> float:
    # The new score z solves z + curvature*slope(z) = score + curvature*a, whose left
    # side rises at least as fast as z: so the root is no farther than the first excess.
    excess = curvature * (slope(loss.loss, score, y) - a)
    low = score - max(excess, 0.0)
    high = score - min(excess, 0.0)
    for _ in range(NEWTON_STEPS):
        z = 0.5 * (low + high)
        if z - score + curvature * (slope(loss.loss, z, y) - a) > 0.0:
            high = z
        else:
            low = z
    return slope(loss.loss, 0.5 * (low + high), y)
