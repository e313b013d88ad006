"""How good predictions are, in one pass and constant memory, beside a baseline.

Each class of metrics is fed rows in blocks (``feed``) and gives numbers (``values``,
``baseline``, ``as_dict``); ``rolling`` gives the same of the last rows alone. They know
nothing of learners: ``run.metrics`` is what a game fed them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import lazily

if TYPE_CHECKING:
    from .amounts import AmountMetrics
    from .base import WINDOW, Metrics
    from .calibration import CalibrationCurve
    from .many_classes import ManyClassMetrics
    from .ranks import RankCurve, RankTable
    from .two_classes import AtThreshold, TwoClassMetrics

__all__ = [
    "WINDOW",
    "AmountMetrics",
    "AtThreshold",
    "CalibrationCurve",
    "ManyClassMetrics",
    "Metrics",
    "RankCurve",
    "RankTable",
    "TwoClassMetrics",
    "metrics_of_task",
]

WHERE = {
    "amounts": "AmountMetrics",
    "base": "Metrics WINDOW",
    "calibration": "CalibrationCurve",
    "many_classes": "ManyClassMetrics",
    "ranks": "RankCurve RankTable",
    "two_classes": "AtThreshold TwoClassMetrics",
}

__getattr__, __dir__ = lazily(__name__, WHERE)


def metrics_of_task(
    task: str, *, probabilistic: bool, level: float = 0.5, cut: float = 0.0
) -> Metrics:
    """Empty metrics for a task: "binary", "classes" or "real".

    Two classes are told apart at the score `cut`.

    Examples
    --------
    >>> metrics_of_task("real", probabilistic=False).rows
    0
    """
    if task == "binary":
        from .two_classes import TwoClassMetrics

        return TwoClassMetrics(probabilistic, cut=cut)
    if task == "classes":
        from .many_classes import ManyClassMetrics

        return ManyClassMetrics(probabilistic)
    from .amounts import AmountMetrics

    return AmountMetrics(level)
