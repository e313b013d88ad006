"""One event of many classes at a time, through the code that plays whole files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..classes import ClassPlayer
from ..encoding import Encoder
from ..encoding.classes import ClassLabels
from ..errors import BadRow
from ..parts.rows import Sparse

__all__ = ["LiveClasses"]


class LiveClasses:
    """A game played event by event."""

    def __init__(self, player: ClassPlayer, limit: int | None) -> None:
        self.player = player
        self.labels = ClassLabels()
        self.encoder = Encoder(limit)

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return self.player.rounds

    def learn(self, x: Mapping[Any, Any], y: Any) -> None:
        """Play one round; a bad event changes nothing."""
        names, classes = len(self.encoder.numbers), len(self.labels.classes)
        n_features, rounds = self.player.n_features, self.rounds
        try:
            target = np.array([self.labels.encode_one(y, rounds)])
            rows = self._row(x, grow=True)
            self.player.grow(len(self.encoder.numbers))
            known = self.encoder.names
            self.player.play(rows, target, first=rounds, names=lambda: known)
        except Exception:
            self.labels.roll.forget(classes)
            self.encoder.forget(names)
            self.player.n_features = n_features
            raise

    def score(self, x: Mapping[Any, Any]) -> dict[Any, float]:
        """The score of each class; names never seen have their starting weight."""
        names = len(self.encoder.numbers)
        try:
            rows = self._row(x, grow=self.player.fixed)
        finally:
            self.encoder.forget(names)
        if not self.rounds:
            return {}
        scores: list[float] = self.player.scores(rows, 1)[0].tolist()
        return dict(zip(self.labels.classes, scores, strict=True))

    def predict(self, x: Mapping[Any, Any]) -> Any:
        """The label with the largest score, the first that came at ties; or None."""
        scores = self.score(x)
        return max(scores, key=lambda label: scores[label]) if scores else None

    def named_weights(self) -> dict[Any, dict[Any, float]]:
        """Weights by class and name."""
        rows = self.player.weights().tolist()
        return {
            label: dict(zip(self.encoder.numbers, row, strict=False))
            for label, row in zip(self.labels.classes, rows, strict=True)
        }

    def _row(self, x: Mapping[Any, Any], *, grow: bool) -> Sparse:
        if not isinstance(x, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BadRow(self.rounds, f"x is not a dict of features by name: {x!r:.60}")
        if not grow:
            self.encoder.check(x, self.rounds)
            x = {name: x[name] for name in x if name in self.encoder.numbers}
        columns, values = self.encoder.encode(x, self.rounds)
        return Sparse(
            np.array([0, len(columns)], np.int64),
            np.array(columns, np.int32),
            np.array(values, np.float64),
        )
