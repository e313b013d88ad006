"""What every learner of experts can do: be played, and learn one event at a time."""

from __future__ import annotations

import abc
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import ClassVar

from ...engine.expert_ledger import ExpertLedger
from ...engine.players.experts import ExpertPlayer
from ...parts.generic import canonical
from ...parts.part_types import Loss, Rule
from ..live_learner import LiveLearner
from .live_expert_game import LiveExperts

__all__ = ["ExpertLearner"]


@dataclass
class ExpertLearner(LiveLearner[LiveExperts]):
    """A learner that combines experts: parameters, and the rule they stand for."""

    plays: ClassVar[str] = "experts"
    comparators: ClassVar[str] = "experts"
    majority: ClassVar[bool] = False
    """Whether a mistake takes a share of the weight away, which can be checked."""
    by_slopes: ClassVar[bool] = False
    """Whether it is at its best on the slopes of a convex loss, not on losses."""

    _live: LiveExperts | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        canonical(self.rule(2))

    @abc.abstractmethod
    def rule(self, n_experts: int) -> Rule:
        """How this many experts are weighed."""

    @property
    def votes(self) -> bool:
        """Whether experts vote 0 or 1, instead of predicting numbers."""
        return self.rule(2).votes

    def player(self, n_experts: int) -> ExpertPlayer:
        """A player at the start of a game."""
        return ExpertPlayer(self.rule(n_experts), n_experts, type(self).__name__)

    # One event at a time.

    def learn_one(
        self, x: object, y: object = None, *, loss: Loss | None = None
    ) -> None:
        """Learn from one round.

        A bad one raises ``ValueError`` and leaves the learner exactly as it was.

        Parameters
        ----------
        x : dict by expert, or sequence
            The experts' votes, or predictions, or (without `y`) losses. The first round
            says which experts there are; one that is nan, or that a later dict leaves
            out, is asleep.
        y : number or None
            What happened.
        loss : a loss or None
            What compares predictions with `y`; :class:`~regretless.Absolute` if None.
        """
        if self.votes and y is None:
            raise TypeError(f"{type(self).__name__} takes votes and an outcome y")
        if loss is not None and (self.votes or y is None):
            raise TypeError("loss= goes with predictions and an outcome y")
        self.live.learn(x, y, loss)

    def score_one(self, x: object) -> float:
        """The share of weight that votes 1, or the mean prediction."""
        return self.live.score(x)[0]

    def predict_one(self, x: object) -> float:
        """The predicted outcome: a vote, 0 or 1, or the mean prediction."""
        return self.live.predict(x)

    def _begin(self) -> LiveExperts:
        return LiveExperts(self.player, self.votes)

    @property
    def weights(self) -> dict[Hashable, float]:
        """The weights of the experts after the events so far, by name or number."""
        return self.live.named_weights()

    @property
    def ledger(self) -> ExpertLedger:
        """The ledger of the events learned so far."""
        return self.live.ledger()
