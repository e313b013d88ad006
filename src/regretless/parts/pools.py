"""Pools: forecasts that are averaged, and what experts are charged for a round.

A forecast is ``width`` numbers end to end: one, a probability for each of several
outcomes, or a quantile for each of several levels. The mean of all forecasts is what is
played and paid for. A round is a time: all its rows are forecast before any of its
outcomes is learned, and experts are charged the mean over its rows of their own loss,
or, by the slope g of the loss at the mean x, of::

    g.(x_k - x)  <=  loss(x_k) - loss(x)          for convex losses

A rule that does well against all experts charged by slopes does well against all their
convex mixtures, since slopes are linear: the gradient trick.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .expert_state import MOST, ExpertState
from .generic import generic, implement
from .losses import slope, value
from .part_types import Loss, Part
from .rows import Longs
from .scores import class_slope, class_value
from .state import Floats


class Pool(NamedTuple):
    """Forecasts and outcomes, what compares them, and what is learned."""

    values: Floats
    width: int
    outcomes: Floats  # nan: not known, so never learned
    kind: OfNumbers | OfClasses
    lesson: ByLoss | BySlope


class Schedule(NamedTuple):
    """Which rows are forecast together, and when their outcomes are learned.

    Round b has the rows ``starts[b]`` to ``starts[b + 1]``. Before it is forecast, the
    first ``ahead[b]`` entries of `order` are learned; after the last one, all others.
    """

    starts: Longs
    ahead: Longs
    order: Longs
    slots: int  # rounds forecast and not learned yet, at most


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
def look_ahead(lesson: Any, pool: Pool, i: int, state: ExpertState) -> None:
    """Write into ``state.costs`` what can be charged before the mean is known.

    nan for those asleep, infinity where a forecast is not allowed.
    """
    ...


@generic
def charge(
    lesson: Any,
    pool: Pool,
    i: int,
    state: ExpertState,
    mean: Floats,
    slopes: Floats,
    mixed: float,
) -> float:
    """Write into ``state.costs`` what each expert is charged for row `i`.

    Returns what the mixture is charged; `mixed` is its mean of the experts' losses.
    """
    ...


class OfNumbers(NamedTuple):
    """One number, or the probability of an event, compared by a loss."""

    loss: Loss


@implement(cost_of, OfNumbers)
def _(kind: OfNumbers, values: Floats, at: int, width: int, y: float) -> float:
    return value(kind.loss, values[np.uint64(at)], y)


@implement(slopes_of, OfNumbers)
def _(
    kind: OfNumbers, values: Floats, at: int, width: int, y: float, out: Floats
) -> None:
    out[0] = slope(kind.loss, values[np.uint64(at)], y)


class OfClasses(NamedTuple):
    """Probabilities of several outcomes, or several quantiles, compared by a score."""

    score: Part


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
def _(lesson: ByLoss, pool: Pool, i: int, state: ExpertState) -> None:
    n = state.losses.size
    y = pool.outcomes[i]
    for k in range(n):
        at = (i * n + k) * pool.width
        cost = pool.values[np.uint64(at)]
        if not math.isnan(cost):
            cost = 0.0
            if not math.isnan(y):
                cost = cost_of(pool.kind, pool.values, at, pool.width, y)
                if not abs(cost) <= MOST:
                    cost = math.inf
        state.costs[np.uint64(k)] = cost


@implement(charge, ByLoss)
def _(
    lesson: ByLoss,
    pool: Pool,
    i: int,
    state: ExpertState,
    mean: Floats,
    slopes: Floats,
    mixed: float,
) -> float:
    return mixed


class BySlope(NamedTuple):
    """Everybody is charged g.(x_k - x): competes with the best convex mixture.

    The mixture itself is charged nothing.
    """


@implement(look_ahead, BySlope)
def _(lesson: BySlope, pool: Pool, i: int, state: ExpertState) -> None:
    n = state.losses.size
    for k in range(n):
        told = pool.values[np.uint64((i * n + k) * pool.width)]
        state.costs[np.uint64(k)] = told if math.isnan(told) else 0.0


@implement(charge, BySlope)
def _(
    lesson: BySlope,
    pool: Pool,
    i: int,
    state: ExpertState,
    mean: Floats,
    slopes: Floats,
    mixed: float,
) -> float:
    n = state.losses.size
    slopes_of(pool.kind, mean, 0, pool.width, pool.outcomes[i], slopes)
    for k in range(n):
        if not math.isnan(state.costs[np.uint64(k)]):
            at = (i * n + k) * pool.width
            cost = 0.0
            for c in range(pool.width):
                cost += slopes[c] * (pool.values[np.uint64(at + c)] - mean[c])
            state.costs[np.uint64(k)] = cost
    return 0.0
