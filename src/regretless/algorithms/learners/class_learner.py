"""What every learner of many classes can do: be played, and learn event by event."""

from __future__ import annotations

import abc
from typing import Any, ClassVar

from ...engine.ledger import Ledger
from ...engine.players.classes import ClassPlayer
from .event_learner import Event, EventLearner
from .live_class_game import LiveClasses

__all__ = ["ClassLearner"]


class ClassLearner(EventLearner):
    """A learner of any number of classes, which need not be known in advance.

    Classes are numbered as they first come. One that has not come is not predicted, so
    its first row is always a mistake; and so is a tie of scores.
    """

    task: ClassVar[str] = "classes"
    binary: ClassVar[bool] = False

    bias: bool
    fixed: bool
    """Whether the start depends on the number of features."""

    @abc.abstractmethod
    def player(self, n_features: int | None) -> ClassPlayer:
        """A player at the start of a game."""

    @property
    def live(self) -> Any:
        """The game that ``learn_one`` plays."""
        return super().live

    def _begin(self) -> LiveClasses:
        return LiveClasses(self.player(self._hashed()), self.n_features, self.schema)

    def score_one(self, x: Event) -> Any:
        """The score of each class that has come, by its label."""
        return self.live.score(x)

    def predict_one(self, x: Event) -> Any:
        """The label with the largest score; None before any has come."""
        return self.live.predict(x)

    @property
    def weights(self) -> Any:
        """The weights learned from events so far: by class, then by name."""
        return self.live.named_weights()

    @property
    def ledger(self) -> Ledger:
        """The ledger of the events learned so far."""
        return self.live.ledger()
