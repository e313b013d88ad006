"""Steps: how far to move, eta_t.

``rate(step, numbers, t, g2)`` is the step of round t (counted from 1) whose gradient
has squared dual norm g2. An adaptive step keeps its running sum in
``numbers[SQUARES]``.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .generic import generic, implement, require
from .state import SQUARES, Numbers

__all__ = ["Adaptive", "Constant", "InverseSqrt", "InverseTime", "rate"]


@generic
def rate(step: Any, numbers: Numbers, t: float, g2: float) -> float:
    """The step size eta_t of round `t`, the current gradient included."""
    ...


class Constant(NamedTuple):
    """``eta``, every round."""

    eta: float

    def check(self) -> None:
        """Raise ValueError unless eta is positive and finite."""
        require(0 < self.eta < math.inf, self, "eta", "positive and finite")


@implement(rate, Constant)
def _(step: Constant, numbers: Numbers, t: float, g2: float) -> float:
    return step.eta


class InverseSqrt(NamedTuple):
    """``scale/sqrt(t)``. On a ball of radius U with |g| <= G: scale = sqrt(2) U/G."""

    scale: float

    def check(self) -> None:
        """Raise ValueError unless scale is positive and finite."""
        require(0 < self.scale < math.inf, self, "scale", "positive and finite")


@implement(rate, InverseSqrt)
def _(step: InverseSqrt, numbers: Numbers, t: float, g2: float) -> float:
    return step.scale / math.sqrt(t)


class InverseTime(NamedTuple):
    """``1/(strength*t)``, for losses that are `strength`-strongly convex."""

    strength: float

    def check(self) -> None:
        """Raise ValueError unless strength is positive and finite."""
        require(0 < self.strength < math.inf, self, "strength", "positive and finite")


@implement(rate, InverseTime)
def _(step: InverseTime, numbers: Numbers, t: float, g2: float) -> float:
    return 1.0 / (step.strength * t)


class Adaptive(NamedTuple):
    """``scale/sqrt(|g_1|^2 + ... + |g_t|^2)``; no move while that sum is zero."""

    scale: float

    def check(self) -> None:
        """Raise ValueError unless scale is positive and finite."""
        require(0 < self.scale < math.inf, self, "scale", "positive and finite")


@implement(rate, Adaptive)
def _(step: Adaptive, numbers: Numbers, t: float, g2: float) -> float:
    numbers[SQUARES] += g2
    total = numbers[SQUARES]
    return step.scale / math.sqrt(total) if total > 0.0 else 0.0
