"""Follow the leader in the mean game: an identity, and the bounds it implies.

Be the leader: sum (x_{t+1} - y_t)^2 <= sum (u - y_t)^2 for every u, by induction. So
R(u), the loss less that of the number u, is at most what seeing y_t first would save.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...engine.mean_ledger import MeanLedger
from ..played_run import LeaderLearner
from .assumptions import close
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem

FREUND = "Freund, introduction"


@dataclass(frozen=True)
class MeanFacts:
    """A run of the mean game, and the number u it is compared with."""

    learner: LeaderLearner
    ledger: MeanLedger
    u: float | None = None

    @property
    def number(self) -> float:
        """u, or the best number in hindsight: the mean."""
        return self.ledger.best if self.u is None else self.u

    @property
    def paid(self) -> float:
        """The loss of u."""
        gap = self.number - self.ledger.best
        return self.ledger.best_loss + self.ledger.rounds * gap * gap

    @property
    def regret(self) -> float:
        """R(u)."""
        return self.ledger.loss - self.paid

    @property
    def width(self) -> float:
        """The width of the range the numbers were declared to lie in."""
        return self.learner.high - self.learner.low

    def describe(self) -> str:
        """The number u."""
        who = "the mean" if self.u is None else "given"
        return f"u = {self.number:.6g} ({who}), which lost {self.paid:g}"


def _is_mean(facts: MeanFacts) -> Measured:
    same = facts.u is None or close(facts.u, facts.ledger.best)
    return Measured(same, f"u = {facts.number:.6g}, the mean {facts.ledger.best:.6g}")


REGRET = Symbol[MeanFacts]("R(u)", "loss - loss of u", lambda facts: facts.regret)
NUMBERS = Symbol[MeanFacts](
    "x_t", "the guess of round t, y_t its number, x_{t+1} the next guess"
)

FOLLOW_THE_LEADER: tuple[Theorem[MeanFacts], ...] = (
    RegretBound(
        "mean/identity",
        "R(u) = sum (x_t - y_t)^2/t",
        f"{FREUND} (whose factor per step must be (2t-1)/t^2)",
        lambda facts: facts.ledger.harmonic_loss,
        (Assumption("u is the mean", _is_mean),),
        own=True,
        symbols=(REGRET, NUMBERS),
        equal=True,
    ),
    RegretBound(
        "mean/be-the-leader",
        "R(u) <= sum (x_t - y_t)^2 - (x_{t+1} - y_t)^2",
        FREUND,
        lambda facts: facts.ledger.loss - facts.ledger.leader_loss,
        symbols=(REGRET, NUMBERS),
    ),
    RegretBound(
        "mean/log",
        "R(u) <= (high - low)^2 (1 + ln T)",
        f"{FREUND} (4 + 4 ln T there is for numbers in [-1, 1])",
        lambda facts: facts.width**2 * (1.0 + math.log(facts.ledger.rounds)),
        symbols=(
            REGRET,
            Symbol("high - low", "the declared range", lambda facts: facts.width),
            Symbol("T", "rounds", lambda facts: facts.ledger.rounds),
        ),
    ),
)
