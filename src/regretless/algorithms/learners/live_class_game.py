"""One event of many classes at a time, through the code that plays whole files."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from ...data.encoding import ManyClassLabels, weight_of
from ...engine.players.classes import ClassPlayer
from ...parts.documents import Document
from .event_game import EventGame
from .event_row import Event

__all__ = ["LiveClasses"]


class LiveClasses(EventGame[ClassPlayer, ManyClassLabels]):
    """A game played event by event.

    Attributes
    ----------
    target : float
        The number of the last class that was learned, -1 before.
    """

    changing = ("player", "labels", "encoder", "weighted", "target", "record")

    def __init__(self, player: ClassPlayer, limit: int | None) -> None:
        super().__init__(player, ManyClassLabels(), limit)
        self.target = -1.0
        self._start()

    def learn(self, x: Event, y: Hashable, weight: float = 1.0) -> None:
        """Play one round; a bad event changes nothing."""
        with self.lock:
            self._learn(x, y, weight)

    def score(self, x: Event) -> dict[Hashable, float]:
        """The score of each class; names never seen have their starting weight."""
        with self.lock:
            if self.record.asked is not x:
                self.record.asked = x
                self.record.open += 1
            return self._score(x)

    def _learn(self, x: Event, y: Hashable, weight: float) -> None:
        names, classes = len(self.encoder.numbers), len(self.labels.classes)
        n_features, rounds = self.player.n_features, self.rounds
        try:
            target = self.labels.encode_one(y, rounds)
            importance = weight_of(weight, rounds)
            self._row.write_any(x, rounds, grow=True)
            self.player.grow(len(self.encoder.numbers))
            known = self.encoder.names
            self.player.play(
                self._row.rows,
                np.array([target]),
                first=rounds,
                names=lambda: known,
                weights=None if importance == 1.0 else np.array([importance]),
            )
        except Exception:
            self.labels.forget(classes)
            self._forget(names)
            self.player.n_features = n_features
            raise
        self.weighted |= importance != 1.0
        self.target = target
        if self.record.open:
            self.record.answer(x)
        self.record.labels.append(target)
        if self.record.skips:
            self.record.skips -= 1
        else:
            self.record.add(self._row.rows)

    def _score(self, x: Event) -> dict[Hashable, float]:
        player, names = self.player, len(self.encoder.numbers)
        n_features = player.n_features
        # Where the start depends on d, names never seen have weights too; and some
        # learners look at a whole row, whether its features are known or not.
        try:
            grow = player.fixed or player.unknown_features_matter
            self._row.write_any(x, self.rounds, grow=grow)
            if not self.rounds:
                return {}
            if len(self.encoder.numbers) > n_features:
                player.grow(len(self.encoder.numbers))
            scores: list[float] = player.scores(self._row.rows, 1)[0].tolist()
        finally:
            self._forget(names)
            player.n_features = n_features
        return dict(zip(self.labels.classes, scores, strict=True))

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
            rows = self.player.weights().tolist()
            return {
                label: dict(zip(self.encoder.numbers, row, strict=False))
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
