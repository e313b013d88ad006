"""Pools: rounds in which forecasts are averaged, and what is learned from a round.

A forecast is ``width`` numbers end to end: one, or a probability for each of several
outcomes. The mean of all forecasts is what is played and paid for. What experts are
charged is a part too: their own loss, or, by the slope g of the loss at the mean x::

    g.(x_k - x)  <=  loss(x_k) - loss(x)          for convex losses

Whoever does well against all experts charged by slopes does well against all their
convex mixtures, since slopes are linear: the gradient trick.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..generic import generic, implement
from .crowd import MOST, UNIT, Crowd, bounded, survey
from .losses import slope, value
from .scores import class_slope, class_value
from .state import Floats

__all__ = [
    "ByLoss",
    "BySlope",
    "Charge",
    "OfClasses",
    "OfNumbers",
    "Pool",
    "charge",
    "cost_of",
    "look_ahead",
    "slopes_of",
    "total_up",
]


class Pool(NamedTuple):
    """Forecasts and outcomes, what compares them, and what is learned."""

    values: Floats
    width: int
    outcomes: Floats
    kind: Any  # OfNumbers or OfClasses
    lesson: Any  # ByLoss or BySlope


class Charge(NamedTuple):
    """The losses of a round as the rule sees them: least, largest, the mixture's."""

    low: float
    high: float
    gap: float  # the mixture's above the least
    mixed: float


@generic
def cost_of(kind: Any, values: Floats, at: int, width: int, y: float) -> float:
    """The loss of the forecast that begins at `at`."""
    ...


@generic
def slopes_of(
    kind: Any, values: Floats, at: int, width: int, y: float, out: Floats
) -> None:
    """Write the slopes of that loss into `out`."""
    ...


@generic
def look_ahead(lesson: Any, pool: Pool, i: int, crowd: Crowd) -> None:
    """Write into ``crowd.costs`` what can be charged before the mean is known.

    nan for those asleep, infinity where a forecast is not allowed.
    """
    ...


@generic
def charge(
    lesson: Any,
    pool: Pool,
    i: int,
    crowd: Crowd,
    mean: Floats,
    slopes: Floats,
    before: Charge,
) -> Charge:
    """Write into ``crowd.costs`` what each expert is charged, now that the mean is."""
    ...


@generic
def total_up(lesson: Any, pool: Pool, i: int, crowd: Crowd, totals: Floats) -> None:
    """Add the loss of everybody awake to `totals`; called before ``charge``."""
    ...


class OfNumbers(NamedTuple):
    """One number, or the probability of an event, compared by a loss."""

    loss: Any


@implement(cost_of, OfNumbers)
def _(kind: OfNumbers, values: Floats, at: int, width: int, y: float) -> float:
    return value(kind.loss, values[np.uint64(at)], y)


@implement(slopes_of, OfNumbers)
def _(
    kind: OfNumbers, values: Floats, at: int, width: int, y: float, out: Floats
) -> None:
    out[0] = slope(kind.loss, values[np.uint64(at)], y)


class OfClasses(NamedTuple):
    """Probabilities of several outcomes, compared by a score."""

    score: Any


@implement(cost_of, OfClasses)
def _(kind: OfClasses, values: Floats, at: int, width: int, y: float) -> float:
    return class_value(kind.score, values, at, width, y)


@implement(slopes_of, OfClasses)
def _(
    kind: OfClasses, values: Floats, at: int, width: int, y: float, out: Floats
) -> None:
    class_slope(kind.score, values, at, width, y, out)


class ByLoss(NamedTuple):
    """Everybody is charged its own loss: competes with the best expert."""


@implement(look_ahead, ByLoss)
def _(lesson: ByLoss, pool: Pool, i: int, crowd: Crowd) -> None:
    n = crowd.losses.size
    y = pool.outcomes[i]
    for k in range(n):
        at = (i * n + k) * pool.width
        cost = pool.values[np.uint64(at)]
        if not math.isnan(cost):
            cost = cost_of(pool.kind, pool.values, at, pool.width, y)
            if not abs(cost) <= MOST:
                cost = math.inf
        crowd.costs[np.uint64(k)] = cost


@implement(charge, ByLoss)
def _(
    lesson: ByLoss,
    pool: Pool,
    i: int,
    crowd: Crowd,
    mean: Floats,
    slopes: Floats,
    before: Charge,
) -> Charge:
    gap = min(before.gap / crowd.numbers[UNIT], bounded(before.high - before.low))
    return Charge(before.low, before.high, gap, min(before.low + gap, before.high))


@implement(total_up, ByLoss)
def _(lesson: ByLoss, pool: Pool, i: int, crowd: Crowd, totals: Floats) -> None:
    for k in range(totals.size):
        cost = crowd.costs[np.uint64(k)]
        totals[np.uint64(k)] += 0.0 if math.isnan(cost) else cost


class BySlope(NamedTuple):
    """Everybody is charged g.(x_k - x): competes with the best convex mixture.

    The mixture itself is charged nothing.
    """


@implement(look_ahead, BySlope)
def _(lesson: BySlope, pool: Pool, i: int, crowd: Crowd) -> None:
    n = crowd.losses.size
    for k in range(n):
        told = pool.values[np.uint64((i * n + k) * pool.width)]
        crowd.costs[np.uint64(k)] = told if math.isnan(told) else 0.0


@implement(charge, BySlope)
def _(
    lesson: BySlope,
    pool: Pool,
    i: int,
    crowd: Crowd,
    mean: Floats,
    slopes: Floats,
    before: Charge,
) -> Charge:
    n = crowd.losses.size
    slopes_of(pool.kind, mean, 0, pool.width, pool.outcomes[i], slopes)
    for k in range(n):
        if not math.isnan(crowd.costs[np.uint64(k)]):
            at = (i * n + k) * pool.width
            cost = 0.0
            for c in range(pool.width):
                cost += slopes[c] * (pool.values[np.uint64(at + c)] - mean[c])
            crowd.costs[np.uint64(k)] = cost
    _awake, low, high = survey(crowd.costs, 0, n)
    low = min(low, 0.0)  # the mean of all is 0, up to rounding
    return Charge(low, max(high, 0.0), -low, 0.0)


@implement(total_up, BySlope)
def _(lesson: BySlope, pool: Pool, i: int, crowd: Crowd, totals: Floats) -> None:
    n = crowd.losses.size
    y = pool.outcomes[i]
    for k in range(n):
        cost = cost_of(pool.kind, pool.values, (i * n + k) * pool.width, pool.width, y)
        totals[np.uint64(k)] += 0.0 if math.isnan(crowd.costs[np.uint64(k)]) else cost
