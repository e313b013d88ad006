"""From what a game wrote down of its rows to the metrics of those rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..engine.hypotheses.class_probabilities import class_probabilities
from ..engine.players.classes import plays_classes
from ..engine.players.player import Player
from ..evidence.metrics import Metrics, metrics_of_task
from ..parts.state import Floats

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner


SCORES = 2**16  # that are made probabilities at a time: a crowd of classes has many


def new_metrics(learner: RowLearner, player: Player, *, alone: bool = False) -> Metrics:
    """Empty metrics for the rows that `player` will play.

    Where each comes `alone`, probabilities of many classes are not asked for: they
    would cost as much as the prediction.
    """
    level = getattr(getattr(player, "loss", None), "quantile", 0.5)
    probabilistic = learner.probabilistic
    if plays_classes(player):
        probabilistic = player.calibration is not None and not alone
    return metrics_of_task(learner.task, probabilistic=probabilistic, level=level)


def feed_metrics(
    metrics: Metrics, scores: Floats, targets: Floats, slopes: Floats | None
) -> None:
    """Add rows: their scores (of classes, a column each), and their labels."""
    if scores.ndim == 1:
        metrics.feed(scores, targets)
    elif targets.size:
        metrics.feed(*_of_classes(scores, targets, slopes))


def _of_classes(
    scores: Floats, targets: Floats, slopes: Floats | None
) -> tuple[Floats, Floats, Floats]:
    """The true class, the predicted one, and the probability of the true one."""
    rows, true = np.arange(targets.size), targets.astype(np.int64)
    predicted = scores.argmax(axis=1)
    predicted[np.isneginf(scores[rows, predicted])] = -1  # no class had come
    chances = np.full(targets.size, np.nan)
    known = np.flatnonzero(~np.isneginf(scores[rows, true]))
    if slopes is not None:
        size = max(1, SCORES // scores.shape[1])
        for start in range(0, known.size, size):
            some = known[start : start + size]
            found = class_probabilities(scores[some], slopes[some])
            chances[some] = found[np.arange(some.size), true[some]]
    return targets, predicted.astype(np.float64), chances
