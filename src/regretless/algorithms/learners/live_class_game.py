"""One event of many classes at a time, through the code that plays whole files."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from ...data.encoding import ManyClassLabels, weight_of
from ...data.schema import Schema
from ...engine.feature_names import weights_by_name
from ...engine.players.classes import ClassPlayer
from ...engine.players.row_player import Call
from ...parts.state import Floats
from .event_game import NOT_BOUND, EventGame
from .event_row import Event

__all__ = ["LiveClasses"]


class LiveClasses(EventGame[ClassPlayer, ManyClassLabels, dict[Hashable, float]]):
    """A game played event by event."""

    changing = ("player", "labels", "encoder", "weighted", "record")

    def __init__(
        self, player: ClassPlayer, limit: int | None, schema: Schema | None
    ) -> None:
        super().__init__(player, ManyClassLabels(), limit, schema)
        self._start()

    def check_state(self) -> None:
        """Each class has a name."""
        super().check_state()
        if len(self.labels.classes) != self.player.n_classes:
            raise ValueError("it names other classes than it has weights for")

    def _learn_carefully(self, x: Event, y: Hashable, weight: float) -> None:
        """Play one round, and if that cannot be, leave everything as it was."""
        before = self._begin_event(x)
        try:
            before.target = target = self.labels.encode_one(y, before.rounds)
            importance = weight_of(weight, before.rounds)
            before.after = {"weighted": self.weighted or importance != 1.0}
            if target == self.player.n_classes:
                self.player.admit(int(target) + 1)
            self._play_coded(before, importance, self._write(x, before))
        finally:
            self._settle(before)
        self._remember(y, target)

    def _learning(self) -> list[Call]:
        """What the player calls to learn the row."""
        row = (self._row.rows, self._target, self._importance)
        return self.player.learning(*row, self._came)

    def _said(self, x: Event) -> dict[Hashable, float]:
        """The score of each class."""
        if not self.rounds:
            return {}
        return dict(zip(self.labels.classes, self._answer[0].tolist(), strict=True))

    def _new_answer(self) -> Floats:
        return np.zeros((1, self._came))

    def _start(self) -> None:
        self._came = self.player.n_classes  # which a row may be predicted to be of
        super()._start()

    def _follow(self) -> None:
        known = self.player.n_classes
        self.labels.forget(known)
        if self._came != known:
            self._came, self._held = known, NOT_BOUND

    def predict(self, x: Event) -> Hashable:
        """The label with the largest score, the first that came at ties.

        A label that has not come is not predicted: None before the first one.
        """
        return self.label_of(self.score(x))

    def label_of(self, scores: dict[Hashable, float]) -> Hashable:
        """The label that scores predict."""
        return max(scores, key=lambda label: scores[label]) if scores else None

    @property
    def came(self) -> tuple[Hashable, ...]:
        """The labels that have come, in order."""
        return self.labels.classes

    def named_weights(self) -> dict[Hashable, dict[Hashable, float]]:
        """Weights by class and name."""
        self.refuse_inner()
        with self.lock:
            self.settle()
            rows = self.player.weights()
            return {
                label: weights_by_name(self.encoder.names, row)
                for label, row in zip(self.labels.classes, rows, strict=True)
            }
