"""Losses of one's own, as a user registers them, for ``benchmarks.attack``.

`LogCosh` is convex and says so. `Wave` is not and says nothing. `Hollow` is not, and
says that it is: only ``check=True`` can see that.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import regretless as rg

__all__ = ["Hollow", "LogCosh", "Wave"]


class LogCosh(NamedTuple):
    """width ln cosh((score - y)/width)."""

    width: float = 1.0

    task = "real"
    convex = True
    lipschitz = 1.0


@rg.implement(rg.value, LogCosh)
def _(loss, score, y):
    gap = abs(score - y) / loss.width
    return loss.width * (gap + math.log1p(math.exp(-2.0 * gap)) - math.log(2.0))


@rg.implement(rg.slope, LogCosh)
def _(loss, score, y):
    return math.tanh((score - y) / loss.width)


class Wave(NamedTuple):
    """1 - cos((score - y)/width): not convex, and does not say that it is."""

    width: float = 1.0

    task = "real"

    @property
    def lipschitz(self) -> float:
        """The steepest slope."""
        return 1.0 / self.width


@rg.implement(rg.value, Wave)
def _(loss, score, y):
    return 1.0 - math.cos((score - y) / loss.width)


@rg.implement(rg.slope, Wave)
def _(loss, score, y):
    return math.sin((score - y) / loss.width) / loss.width


class Hollow(NamedTuple):
    """ln(1 + ((score - y)/width)^2): not convex, and says that it is."""

    width: float = 1.0

    task = "real"
    convex = True

    @property
    def lipschitz(self) -> float:
        """The steepest slope."""
        return 1.0 / self.width


@rg.implement(rg.value, Hollow)
def _(loss, score, y):
    return math.log1p(((score - y) / loss.width) ** 2)


@rg.implement(rg.slope, Hollow)
def _(loss, score, y):
    gap = (score - y) / loss.width
    return 2.0 * gap / (loss.width * (1.0 + gap * gap))
