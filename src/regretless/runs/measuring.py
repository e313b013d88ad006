"""From what a game wrote down of its rows to the metrics of those rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.hypotheses.class_probabilities import class_probabilities
from ..engine.players.classes import plays_classes
from ..engine.players.player import Player
from ..evidence.metrics import Metrics, metrics_of_task
from ..parts.rows import Longs
from ..parts.state import Floats

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner


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
        from ..evidence.metrics.many_classes import class_columns

        def chances(some: Longs) -> Floats:
            assert slopes is not None
            return class_probabilities(scores[some], slopes[some])

        found = class_columns(scores, targets, None if slopes is None else chances)
        metrics.feed(*found)
