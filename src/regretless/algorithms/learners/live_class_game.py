"""One event of many classes at a time, through the code that plays whole files."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from ...data.encoding import ManyClassLabels, weight_of
from ...engine.players.classes import ClassPlayer
from ...parts.documents import Document
from .event_game import Before, EventGame
from .event_row import Event

__all__ = ["LiveClasses"]


class LiveClasses(EventGame[ClassPlayer, ManyClassLabels]):
    """A game played event by event.

    Attributes
    ----------
    target : float
        The number of the last class that was learned, -1 before.
    """

    target = -1.0

    changing = ("player", "labels", "encoder", "weighted", "target", "record")

    def __init__(self, player: ClassPlayer, limit: int | None) -> None:
        super().__init__(player, ManyClassLabels(), limit)
        self._start()

    def learn(self, x: Event, y: Hashable, weight: float = 1.0) -> None:
        """Play one round; a bad event changes nothing."""
        with self.lock:
            self.settle()
            before = self._begin_event(x)
            try:
                self._play(before, y, weight)
            finally:
                self._settle(before)

    def score(self, x: Event) -> dict[Hashable, float]:
        """The score of each class; names never seen have their starting weight."""
        with self.lock:
            self.settle()
            self.record.asked = x
            before = self._begin_event(x)
            try:
                return self._score(before)
            finally:
                self._settle(before)

    def _play(self, before: Before, y: Hashable, weight: float) -> None:
        """Play one round, of which only the player and the labels will know."""
        rounds, known = before.rounds, self.encoder
        before.target = target = self.labels.encode_one(y, rounds)
        importance = weight_of(weight, rounds)
        before.after = {
            "weighted": self.weighted or importance != 1.0,
            "target": target,
        }
        self._write(before.x, before)
        self.player.play(
            self._row.rows,
            np.array([target]),
            first=rounds,
            names=lambda: known.names,
            weights=None if importance == 1.0 else np.array([importance]),
        )

    def _score(self, before: Before) -> dict[Hashable, float]:
        """The scores of an event, whose new names are forgotten after it."""
        player, row = self.player, self._row
        # Where the start depends on d, names never seen have weights too; and some
        # learners look at a whole row, whether its features are known or not.
        if player.fixed or player.unknown_features_matter:
            self._write(before.x, before)
        else:
            row.write_any(before.x, before.rounds, None)
        if not before.rounds:
            return {}
        scores: list[float] = player.scores(row.rows, 1)[0].tolist()
        return dict(zip(self.labels.classes, scores, strict=True))

    def _follow(self) -> None:
        self.labels.forget(self.player.n_classes)

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
        with self.lock:
            self.settle()
            rows = self.player.weights().tolist()
            return {
                label: {name: row[j] for name, j in self.encoder.numbers.items()}
                for label, row in zip(self.labels.classes, rows, strict=True)
            }

    def state_dict(self) -> Document:
        """All that the events to come depend on, as plain data and arrays."""
        return super().state_dict() | {"target": self.target}

    def load_state(self, stored: Document, make: Callable[[int], ClassPlayer]) -> None:
        """Restore from `stored`; raise ``ValueError`` if it is invalid."""
        super().load_state(stored, make)
        if len(self.labels.classes) != self.player.n_classes:
            raise ValueError("it names other classes than it has weights for")
        self.target = float(stored["target"])
