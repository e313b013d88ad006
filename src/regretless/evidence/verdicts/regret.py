"""Regret as an interval, as wide as the gap of the comparator it is against."""

from __future__ import annotations

from dataclasses import dataclass

from ...parts.notebook_html import Printed


@dataclass(frozen=True, repr=False)
class Regret(Printed):
    """The learner's loss minus the least that a fixed comparator could have paid.

    Attributes
    ----------
    low : float
        Against the comparator that was found.
    high : float
        Against one that is better by the whole gap; equal to `low` where the gap is 0
        or the comparator was given.
    against : str
        Whom.
    """

    low: float
    high: float
    against: str

    @property
    def exact(self) -> bool:
        """Whether it is a single number."""
        return self.low == self.high

    def __float__(self) -> float:
        """The regret against the comparator that was found."""
        return self.low

    def __str__(self) -> str:
        """The number or the interval, and against whom."""
        if self.exact:
            return f"{self.low:,.6g} against {self.against}"
        return f"between {self.low:,.6g} and {self.high:,.6g} against {self.against}"
