"""Metrics of events: rows wait in a list, and are measured by the hundred."""

from __future__ import annotations

import numpy as np

from ...algorithms.learners.row_learner import RowLearner
from ...evidence.metrics import Metrics
from ...runs.measuring import new_metrics

BLOCK = 256  # events that wait


class EventMetrics:
    """The metrics of a learner's predictions, fed one event at a time.

    Parameters
    ----------
    learner : RowLearner
        Who predicts.
    """

    def __init__(self, learner: RowLearner) -> None:
        self._metrics = new_metrics(learner, learner.live.player, alone=True)
        self._waiting: list[tuple[float, ...]] = []

    def add(self, row: tuple[float, ...]) -> None:
        """Add the numbers that the metrics take of an event."""
        self._waiting.append(row)
        if len(self._waiting) >= BLOCK:
            self._feed()

    @property
    def metrics(self) -> Metrics:
        """Of all events so far."""
        self._feed()
        return self._metrics

    def _feed(self) -> None:
        if self._waiting:
            self._metrics.feed(*np.array(self._waiting).T)
            self._waiting.clear()
