"""Scores: what a probability costs once the outcome is known.

For an event that happens or not (y = 1 or 0), a forecast is one number p and the two
generics of a loss say it all: ``value`` and ``slope``. For one of several outcomes
(y = 0, 1, 2...) it is a row of probabilities, and ``class_value`` and ``class_slope``
are the same for rows. For a number, several quantiles may be forecast at once. All are
proper: honest forecasts cost least on average.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .generic import compiled, generic, implement, require
from .losses import slope, value
from .state import Floats

__all__ = ["Brier", "Log", "Quantiles", "Spherical", "class_slope", "class_value"]


@generic
def class_value(score: Any, p: Floats, at: int, width: int, y: float) -> float:
    """The cost of the probabilities ``p[at:at + width]`` when outcome `y` happens."""
    ...


@generic
def class_slope(
    score: Any, p: Floats, at: int, width: int, y: float, out: Floats
) -> None:
    """Write the derivatives of ``class_value`` by each probability into `out`."""
    ...


class Brier(NamedTuple):
    """``(p - y)^2``; for several outcomes, the sum of that over all of them."""

    task = "probability"
    convex = True
    name = "Brier"


@implement(value, Brier)
def _(score: Brier, p: float, y: float) -> float:
    return (p - y) * (p - y)


@implement(slope, Brier)
def _(score: Brier, p: float, y: float) -> float:
    return 2.0 * (p - y)


@implement(class_value, Brier)
def _(score: Brier, p: Floats, at: int, width: int, y: float) -> float:
    total = 0.0
    for c in range(width):
        gap = p[at + c] - (1.0 if c == y else 0.0)
        total += gap * gap
    return total


@implement(class_slope, Brier)
def _(score: Brier, p: Floats, at: int, width: int, y: float, out: Floats) -> None:
    for c in range(width):
        out[c] = 2.0 * (p[at + c] - (1.0 if c == y else 0.0))


class Log(NamedTuple):
    """``-ln`` of the probability of what happened.

    Forecasts are moved into [clip, 1 - clip] before they are scored, so that a single 0
    does not cost infinity; the score is convex in the forecasts that are left.
    """

    clip: float = 1e-3
    task = "probability"
    convex = True
    name = "log"

    def check(self) -> None:
        """Raise ValueError unless 0 < clip < 0.5."""
        require(0 < self.clip < 0.5, self, "clip", "strictly between 0 and 0.5")


@implement(value, Log)
def _(score: Log, p: float, y: float) -> float:
    return -math.log(p if y > 0.0 else 1.0 - p)


@implement(slope, Log)
def _(score: Log, p: float, y: float) -> float:
    return -1.0 / p if y > 0.0 else 1.0 / (1.0 - p)


@implement(class_value, Log)
def _(score: Log, p: Floats, at: int, width: int, y: float) -> float:
    return -math.log(p[at + int(y)])


@implement(class_slope, Log)
def _(score: Log, p: Floats, at: int, width: int, y: float, out: Floats) -> None:
    for c in range(width):
        out[c] = -1.0 / p[at + c] if c == y else 0.0


class Spherical(NamedTuple):
    """``1 -`` the probability of what happened over the length of all of them.

    Proper, and bounded by one, but not convex: a mixture of forecasts may cost more
    than they do on average.
    """

    task = "probability"
    convex = False
    name = "spherical"


@implement(value, Spherical)
def _(score: Spherical, p: float, y: float) -> float:
    length = math.sqrt(p * p + (1.0 - p) * (1.0 - p))
    return 1.0 - (p if y > 0.0 else 1.0 - p) / length


@implement(slope, Spherical)
def _(score: Spherical, p: float, y: float) -> float:
    length = math.sqrt(p * p + (1.0 - p) * (1.0 - p))
    cube = length * length * length
    return -(1.0 - p) / cube if y > 0.0 else p / cube


@implement(class_value, Spherical)
def _(score: Spherical, p: Floats, at: int, width: int, y: float) -> float:
    return 1.0 - p[at + int(y)] / length_of(p, at, width)


@implement(class_slope, Spherical)
def _(score: Spherical, p: Floats, at: int, width: int, y: float, out: Floats) -> None:
    length = length_of(p, at, width)
    happened = p[at + int(y)]
    for c in range(width):
        out[c] = happened * p[at + c] / (length * length * length)
    out[int(y)] -= 1.0 / length


class Quantiles(NamedTuple):
    """The pinball losses of several quantiles of a number, weighed and added up.

    ``sum_j costs_j max(levels_j (y - q_j), (levels_j - 1)(y - q_j))``. With costs 2/J
    it is the weighted interval score of J quantiles, in pairs around a median; with
    twice the width that each level stands for, it approaches the CRPS.
    """

    levels: Floats
    costs: Floats
    task = "quantiles"
    convex = True
    name = "quantile"


@implement(class_value, Quantiles)
def _(score: Quantiles, p: Floats, at: int, width: int, y: float) -> float:
    total = 0.0
    for c in range(width):
        short = y - p[at + c]
        level = score.levels[c]
        total += score.costs[c] * max(level * short, (level - 1.0) * short)
    return total


@implement(class_slope, Quantiles)
def _(score: Quantiles, p: Floats, at: int, width: int, y: float, out: Floats) -> None:
    for c in range(width):
        level = score.levels[c]
        above = 1.0 if p[at + c] > y else (0.0 if p[at + c] < y else level)
        out[c] = score.costs[c] * (above - level)


@compiled
def length_of(p: Floats, at: int, width: int) -> float:
    """The 2-norm of a row of probabilities."""
    total = 0.0
    for c in range(width):
        total += p[at + c] * p[at + c]
    return math.sqrt(total)
