"""How good the predictions were: a table beside the baseline, and three charts.

The ROC curve and the precision-recall curve go through every threshold; the calibration
puts the probabilities that were given beside the shares that came.
"""

from __future__ import annotations

import numpy as np

from ..evidence.metrics import Metrics, TwoClassMetrics
from ..parts.state import Floats
from .charts import Axis, Figure, Mark, line
from .charts.lines import lines_figure
from .numbers import brief, percent
from .run_charts import Chart

POINTS = 40  # that a curve is drawn through, at most
DIGITS = 4  # of a share, which are more than a screen shows


def quality_lines(found: Metrics) -> list[tuple[str, str]]:
    """Every metric, beside what no learning at all would have had."""
    lines: list[tuple[str, str]] = []
    for metric, text, base in found.compared():
        beside = f" ({metric.beside}: {base})" if metric.beside and base else ""
        if text:
            lines.append((metric.heading, f"{text}{beside}"))
    return lines


def quality_charts(found: Metrics) -> list[Chart]:
    """The charts of two classes; none of others, or where one class never came."""
    if not isinstance(found, TwoClassMetrics):
        return []
    if not 0 < found.positives < found.rows:
        return []
    charts = [_roc(found), _precision(found)]
    return [*charts, _calibration(found)] if found.probabilistic else charts


def _roc(found: TwoClassMetrics) -> Chart:
    curve = found.curve()
    hits = curve.true_positives / found.positives
    false = curve.false_positives / (found.rows - found.positives)
    x, y = _thinned(false, hits)
    lines = [
        line(x, y, "the learner", width=2.4),
        line([0.0, 1.0], [0.0, 1.0], "by chance", "sky", "dot"),
    ]
    at = found.at()
    alarms = at.false_positives / max(at.false_positives + at.true_negatives, 1.0)
    seen = (
        f"The area under the curve is {brief(found.auc)}, and 0.5 by chance. What was "
        f"predicted finds {percent(at.recall)} of the positive rows, at the price of "
        f"{percent(alarms)} of the negative ones."
    )
    figure = _shares(lines, "negative rows that are flagged", "positive rows found")
    return Chart("roc", "Positive rows found, by false alarms (ROC)", seen, figure)


def _precision(found: TwoClassMetrics) -> Chart:
    curve = found.curve()
    hits, false = curve.true_positives[1:], curve.false_positives[1:]
    x, y = _thinned(hits / found.positives, hits / (hits + false))
    lines = [
        line(x, y, "the learner", width=2.4),
        line([0.0, 1.0], [found.rate] * 2, "all rows flagged", "sky", "dot"),
    ]
    at = found.at()
    seen = (
        f"The average precision is {brief(found.average_precision)}, and "
        f"{brief(found.rate)} for those who flag rows by chance. "
    )
    if at.flagged:
        seen += (
            f"The labels that were predicted have precision {percent(at.precision)} "
            f"and recall {percent(at.recall)}."
        )
    else:
        seen += "No row was predicted to be positive."
    figure = _shares(lines, "positive rows found (recall)", "flagged rows that are so")
    return Chart("precision", "Precision, by recall", seen, figure)


def _calibration(found: TwoClassMetrics) -> Chart:
    bins = found.calibration()
    lines = [
        line(bins.predicted, bins.observed, "the learner", width=2.4),
        line([0.0, 1.0], [0.0, 1.0], "true probabilities", "sky", "dot"),
    ]
    worst = int(np.argmax(np.abs(bins.observed - bins.predicted) * bins.rows))
    seen = (
        "Rows are put into bins by the probability that they were given. The share "
        "that was positive is off by "
        f"{percent(found.calibration_error)} in the mean. Most is lost where "
        f"{percent(float(bins.predicted[worst]))} was given: "
        f"{percent(float(bins.observed[worst]))} came, of "
        f"{bins.rows[worst]:,.0f} rows."
    )
    figure = _shares(lines, "probability that was given", "share that was positive")
    return Chart("calibration", "Are the probabilities true?", seen, figure)


def _shares(marks: list[Mark], x: str, y: str) -> Figure:
    """Lines between shares on both axes."""
    across = Axis(x, span=(0.0, 1.0), form=".3~%")
    return lines_figure(marks, across, y, share=True)


def _thinned(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """At most POINTS points of a curve, at equal distances along it."""
    x, y = np.round(x, DIGITS), np.round(y, DIGITS)
    if x.size <= POINTS:
        return x, y
    steps: Floats = np.abs(np.diff(x)) + np.abs(np.diff(y))
    along: Floats = np.append(0.0, np.cumsum(steps))
    wanted = np.linspace(0.0, float(along[-1]), POINTS)
    kept = np.unique(np.searchsorted(along, wanted).clip(0, x.size - 1))
    return x[kept], y[kept]
