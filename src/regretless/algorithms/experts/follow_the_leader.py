"""Follow the leader in the mean game: predict the mean of the past."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ...engine.mean_ledger import MeanLedger
from ...engine.players.mean import MeanPlayer
from ...parts.generic import canonical
from ...parts.leader import Leader
from ..live_learner import LiveLearner

__all__ = ["FollowTheLeader"]


@dataclass
class FollowTheLeader(LiveLearner[MeanPlayer]):
    """Predict the mean of the numbers so far; pay the squared distance.

    ::

        x_1 = first;    x_{t+1} = (y_1 + ... + y_t)/t;    pay (x_t - y_t)^2

    **Theorem.** Against the best number in hindsight, exactly ::

        Regret_T = sum_t (x_t - y_t)^2 / t  <=  (high - low)^2 (1 + ln T)

    Both sides are in the ledger (``regret``, ``harmonic_loss``), and so is the loss of
    the leader who has already seen y_t (``leader_loss``), for the lemma R(u) <=
    sum (x_t - y_t)^2 - (x_{t+1} - y_t)^2.

    Parts: :class:`Leader`.

    Parameters
    ----------
    low, high : float
        The range that numbers must lie in.
    first : float or None
        The first prediction; the middle of the range if None.

    Notes
    -----
    Freund's 4 + 4 ln T is for the range [-1, 1]; his factor of step t should be
    (2t-1)/t^2.

    References
    ----------
    Freund's lecture; Cesa-Bianchi and Lugosi (2006), section 3.2.

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.FollowTheLeader(), y=[1, 0, 0.5, 0.5], trace=True)
    >>> run.scores, run.loss
    (array([0.5, 1. , 0.5, 0.5]), 1.25)
    >>> run.ledger.regret == run.ledger.harmonic_loss == 0.75
    True
    """

    theorems = "mean.FOLLOW_THE_LEADER"
    games = ("farthest", "random-numbers")
    plays: ClassVar[str] = "numbers"
    comparators: ClassVar[str] = "mean"

    low: float = 0.0
    high: float = 1.0
    first: float | None = None
    _live: MeanPlayer | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        self.leader()

    def leader(self) -> Leader:
        """The parameters, checked."""
        middle = self.low + (self.high - self.low) / 2
        first = self.first if self.first is not None else middle
        return canonical(Leader(self.low, self.high, first))

    def player(self, n_experts: int = 1) -> MeanPlayer:
        """A player at the start of a game, in which there is one number a round."""
        return MeanPlayer(self.leader())

    # One number at a time.

    def learn_one(self, y: float) -> None:
        """See one number; a bad one raises ``ValueError`` and changes nothing."""
        self.live.play_one(y)

    def predict_one(self) -> float:
        """The mean so far."""
        return self.live.mean

    def score_one(self) -> float:
        """The same: the prediction is the score."""
        return self.live.mean

    def _begin(self) -> MeanPlayer:
        return self.player()

    @property
    def ledger(self) -> MeanLedger:
        """The ledger of the numbers learned so far."""
        return self.live.ledger()
