"""Follow the leader in the mean game: an identity, and the bounds it implies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..mean_ledger import MeanLedger
from .theorem import Theorem

__all__ = ["FOLLOW_THE_LEADER", "MeanFacts"]

FREUND = "Freund, introduction"


@dataclass(frozen=True)
class MeanFacts:
    """A run of the mean game."""

    learner: Any
    ledger: MeanLedger

    @property
    def width(self) -> float:
        """The width of the range the numbers were declared to lie in."""
        return self.learner.high - self.learner.low

    def describe(self) -> str:
        """The best number in hindsight."""
        return f"the mean, {self.ledger.best:.6g}, which lost {self.ledger.best_loss:g}"


FOLLOW_THE_LEADER: tuple[Theorem[MeanFacts], ...] = (
    Theorem(
        "mean/identity",
        "R = sum (x_t - y_t)^2/t",
        f"{FREUND} (whose factor per step must be (2t-1)/t^2)",
        lambda facts: facts.ledger.regret,
        lambda facts: facts.ledger.harmonic_loss,
    ),
    Theorem(
        "mean/be-the-leader",
        "R <= sum (x_t - y_t)^2 - (x_{t+1} - y_t)^2",
        FREUND,
        lambda facts: facts.ledger.regret,
        lambda facts: facts.ledger.loss - facts.ledger.leader_loss,
    ),
    Theorem(
        "mean/log",
        "R <= (high - low)^2 (1 + ln T)",
        f"{FREUND} (4 + 4 ln T there is for numbers in [-1, 1])",
        lambda facts: facts.ledger.regret,
        lambda facts: facts.width**2 * (1.0 + math.log(facts.ledger.rounds)),
    ),
)
