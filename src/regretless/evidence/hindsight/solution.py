"""The answer of a solver: a comparator, and how far from the best it can be at most."""

from __future__ import annotations

import abc
import math
from dataclasses import dataclass

import numpy as np

from ...parts.notebook_html import Listed
from ...parts.state import Floats


def relative(gap: float, size: float) -> float:
    """`gap` as a share of `size`; 0 where there is no gap, whatever the size."""
    if gap <= 0.0:
        return 0.0
    return gap / abs(size) if size != 0.0 else math.inf


class Solution(Listed, abc.ABC):
    """What was found, under the problem that it solves."""

    problem: str

    def heading(self) -> str:
        """What was minimized, or maximized."""
        return self.problem


@dataclass(frozen=True, repr=False, eq=False)
class Hindsight(Solution):
    """A comparator that was solved for, with a proof of how good it is.

    The true minimum lies in [lower_bound, objective].

    Attributes
    ----------
    u : ndarray
        The weights, one a feature.
    bias : float
        The weight of the bias, 0 where there is none.
    loss : float
        The sum of the losses of u, without any penalty.
    objective : float
        What was minimized, at u.
    lower_bound : float
        No u has a smaller objective: a dual value, valid by weak duality.
    problem : str
        What was minimized, in one line.
    passes : int
        How often the data were read.
    strength : float
        The strength of the penalty in the last problem solved, 0 without one.
    """

    u: Floats
    bias: float
    loss: float
    objective: float
    lower_bound: float
    problem: str
    passes: int
    strength: float = 0.0

    @property
    def gap(self) -> float:
        """How far the objective can be from the minimum, at most."""
        return max(0.0, self.objective - self.lower_bound)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the objective."""
        return relative(self.gap, self.objective)

    @property
    def norm(self) -> float:
        """|u|_2, the bias included."""
        return math.hypot(float(np.linalg.norm(self.u)), self.bias)

    def lines(self) -> list[tuple[str, str]]:
        """The answer as (what, how much), for people."""
        proof = f"{self.gap:.3g}  ({self.relative_gap:.2e} of the objective)"
        nonzero = int(np.count_nonzero(self.u))
        return [
            ("objective", f"{self.objective:,.8g}"),
            ("at least", f"{self.lower_bound:,.8g}"),
            ("gap", proof if self.gap > 0.0 else "0  (exact)"),
            ("loss", f"{self.loss:,.8g}"),
            ("|u|", f"{self.norm:.6g}"),
            ("weights", f"{self.u.size:,}  ({nonzero:,} nonzero)"),
            ("passes", f"{self.passes:,}"),
        ]


@dataclass(frozen=True, repr=False, eq=False)
class Margin(Solution):
    """The u that keeps the farthest from being mistaken.

    The true largest margin lies in [margin, upper_bound]. A margin of 0 or less means
    that no u of the set is right on every row.

    Attributes
    ----------
    u : ndarray
        The weights, one a feature.
    bias : float
        The weight of the bias, 0 where there is none.
    margin : float
        min_t y_t u.x_t.
    upper_bound : float
        No u of the set has a larger one.
    problem : str
        What was maximized, in one line.
    """

    u: Floats
    bias: float
    margin: float
    upper_bound: float
    problem: str

    @property
    def gap(self) -> float:
        """How far the margin can be from the largest, at most."""
        return max(0.0, self.upper_bound - self.margin)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the margin."""
        return relative(self.gap, self.margin)

    def lines(self) -> list[tuple[str, str]]:
        """The answer as (what, how much), for people."""
        nonzero = int(np.count_nonzero(self.u))
        return [
            ("margin", f"{self.margin:.8g}"),
            ("at most", f"{self.upper_bound:.8g}"),
            ("gap", f"{self.gap:.3g}"),
            ("weights", f"{self.u.size:,}  ({nonzero:,} nonzero)"),
        ]
