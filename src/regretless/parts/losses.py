"""Losses: what a prediction costs, and in which direction it should have moved.

Two generics make a loss: ``value(loss, score, y)`` and ``slope(loss, score, y)``, the
(sub)derivative of the value with respect to the score. Labels y are -1 or +1 where
``task`` is ``"binary"``, any real number where it is ``"real"``. ``convex`` and
``lipschitz`` (the steepest slope, left out where there is none) are what theorems ask
for. To write your own loss, copy one of these into your module: it runs as fast.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .generic import generic, implement, require
from .part_types import Loss

__all__ = [
    "LARGEST",
    "Absolute",
    "EpsilonInsensitive",
    "Exponential",
    "Hinge",
    "Huber",
    "Logistic",
    "Pinball",
    "Squared",
    "SquaredHinge",
    "ZeroOne",
    "curvature_of",
    "slope",
    "value",
]

LARGEST = 1e300
"""A row whose loss is larger is refused: losses are added up, and sums stay finite."""


@generic
def value(loss: Any, score: float, y: float) -> float:
    """The loss of predicting `score` when the truth is `y`."""
    ...


@generic
def slope(loss: Any, score: float, y: float) -> float:
    """A subgradient of ``value(loss, score, y)`` with respect to `score`."""
    ...


class ZeroOne(NamedTuple):
    """``[y*score <= 0]``: a mistake costs one, and a tie is a mistake. Not convex."""

    task = "binary"
    convex = False


@implement(value, ZeroOne)
def _(loss: ZeroOne, score: float, y: float) -> float:
    return 1.0 if y * score <= 0.0 else 0.0


@implement(slope, ZeroOne)
def _(loss: ZeroOne, score: float, y: float) -> float:
    return 0.0


class Hinge(NamedTuple):
    """``max(0, margin - gain*y*score)``.

    With margin = gain = 1 it lies above the zero-one loss. The Winnow with threshold c
    uses gain = 1/c on the score w.x - c: at c = 1/2 that is [1 - y(2 w.x - 1)]_+.
    At the kink the slope is that of the sloped side.
    """

    margin: float = 1.0
    gain: float = 1.0
    task = "binary"
    convex = True

    @property
    def lipschitz(self) -> float:
        """The steepest slope."""
        return self.gain

    def check(self) -> None:
        """Raise ValueError unless margin >= 0 and gain > 0."""
        require(0 <= self.margin < math.inf, self, "margin", "at least 0 and finite")
        require(0 < self.gain < math.inf, self, "gain", "positive and finite")


@implement(value, Hinge)
def _(loss: Hinge, score: float, y: float) -> float:
    return max(0.0, loss.margin - loss.gain * y * score)


@implement(slope, Hinge)
def _(loss: Hinge, score: float, y: float) -> float:
    return -loss.gain * y if loss.gain * y * score <= loss.margin else 0.0


class SquaredHinge(NamedTuple):
    """``max(0, margin - y*score)^2``."""

    margin: float = 1.0
    task = "binary"
    convex = True

    def check(self) -> None:
        """Raise ValueError unless margin >= 0."""
        require(0 <= self.margin < math.inf, self, "margin", "at least 0 and finite")


@implement(value, SquaredHinge)
def _(loss: SquaredHinge, score: float, y: float) -> float:
    short = max(0.0, loss.margin - y * score)
    return short * short


@implement(slope, SquaredHinge)
def _(loss: SquaredHinge, score: float, y: float) -> float:
    return -2.0 * y * max(0.0, loss.margin - y * score)


class Logistic(NamedTuple):
    """``ln(1 + exp(-y*score))``, without overflow at any score."""

    task = "binary"
    convex = True
    lipschitz = 1.0


@implement(value, Logistic)
def _(loss: Logistic, score: float, y: float) -> float:
    m = y * score
    return max(0.0, -m) + math.log1p(math.exp(-abs(m)))


@implement(slope, Logistic)
def _(loss: Logistic, score: float, y: float) -> float:
    m = y * score
    e = math.exp(-abs(m))
    return -y * (e if m > 0.0 else 1.0) / (1.0 + e)


class Squared(NamedTuple):
    """``(score - y)^2``, with no 1/2 in front."""

    task = "real"
    convex = True


@implement(value, Squared)
def _(loss: Squared, score: float, y: float) -> float:
    return (score - y) * (score - y)


@implement(slope, Squared)
def _(loss: Squared, score: float, y: float) -> float:
    return 2.0 * (score - y)


class Absolute(NamedTuple):
    """``|score - y|``; slope 0 where they are equal."""

    task = "real"
    convex = True
    lipschitz = 1.0


@implement(value, Absolute)
def _(loss: Absolute, score: float, y: float) -> float:
    return abs(score - y)


@implement(slope, Absolute)
def _(loss: Absolute, score: float, y: float) -> float:
    if score == y:
        return 0.0
    return 1.0 if score > y else -1.0


class Huber(NamedTuple):
    """``(score - y)^2/2`` up to a gap of `width`, and from there on its tangent.

    So a single wild label pulls no harder than one that is `width` away.
    """

    width: float = 1.0
    task = "real"
    convex = True

    @property
    def lipschitz(self) -> float:
        """The steepest slope."""
        return self.width

    def check(self) -> None:
        """Raise ValueError unless width is positive and finite."""
        require(0 < self.width < math.inf, self, "width", "positive and finite")


@implement(value, Huber)
def _(loss: Huber, score: float, y: float) -> float:
    gap = abs(score - y)
    if gap <= loss.width:
        return 0.5 * gap * gap
    return loss.width * (gap - 0.5 * loss.width)


@implement(slope, Huber)
def _(loss: Huber, score: float, y: float) -> float:
    return min(max(score - y, -loss.width), loss.width)


class EpsilonInsensitive(NamedTuple):
    """``max(0, |score - y| - epsilon)``; slope 0 up to and at the kinks."""

    epsilon: float = 0.1
    task = "real"
    convex = True
    lipschitz = 1.0

    def check(self) -> None:
        """Raise ValueError unless epsilon >= 0."""
        require(0 <= self.epsilon < math.inf, self, "epsilon", "at least 0 and finite")


@implement(value, EpsilonInsensitive)
def _(loss: EpsilonInsensitive, score: float, y: float) -> float:
    return max(0.0, abs(score - y) - loss.epsilon)


@implement(slope, EpsilonInsensitive)
def _(loss: EpsilonInsensitive, score: float, y: float) -> float:
    if abs(score - y) <= loss.epsilon:
        return 0.0
    return 1.0 if score > y else -1.0


class Pinball(NamedTuple):
    """``max(q(y - score), (q - 1)(y - score))``; its best constant: the q-quantile."""

    quantile: float = 0.5
    task = "real"
    convex = True

    @property
    def lipschitz(self) -> float:
        """The steepest slope."""
        return max(self.quantile, 1.0 - self.quantile)

    def check(self) -> None:
        """Raise ValueError unless 0 < quantile < 1."""
        require(0 < self.quantile < 1, self, "quantile", "strictly between 0 and 1")


@implement(value, Pinball)
def _(loss: Pinball, score: float, y: float) -> float:
    gap = y - score
    return loss.quantile * gap if gap >= 0.0 else (loss.quantile - 1.0) * gap


@implement(slope, Pinball)
def _(loss: Pinball, score: float, y: float) -> float:
    if score == y:
        return 0.0
    return -loss.quantile if score < y else 1.0 - loss.quantile


class Exponential(NamedTuple):
    """``exp(-y*score)``, the loss of boosting. Not Lipschitz: mind the step."""

    task = "binary"
    convex = True


@implement(value, Exponential)
def _(loss: Exponential, score: float, y: float) -> float:
    return math.exp(min(-y * score, 700.0))


@implement(slope, Exponential)
def _(loss: Exponential, score: float, y: float) -> float:
    return -y * math.exp(min(-y * score, 700.0))


def curvature_of(loss: Loss, reach: float) -> float | None:
    """A gamma that is proven for this loss, scores (and numbers y) within `reach`.

    That is, l(z') >= l(z) + l'(z)(z' - z) + (gamma/2) (l'(z)(z' - z))^2.
    """
    if isinstance(loss, Squared):
        return 1.0 / (8.0 * reach * reach)
    if isinstance(loss, Logistic):
        return 0.5 * min(math.exp(-reach), 1.0 / (8.0 * reach))
    return None
