"""Metrics of two classes: by rank, by probability, and at a threshold."""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import numpy as np

from ...engine.storage import COUNTS, Range, keep
from ...parts.documents import Document
from ...parts.reprs import percent
from ...parts.rows import Longs
from ...parts.state import Floats
from .base import WINDOW, Metrics, ratio
from .calibration import CalibrationBins, CalibrationCurve
from .metric import ALWAYS, DIGITS, DeclaredMetric, Line
from .ranks import RankCurve, RankTable

EVEN = 0.5
FLAGGED = "all rows flagged"
NO_BINS = np.zeros((3, 0))


class AtThreshold(NamedTuple):
    """What predicting the positive class above a threshold comes to.

    Attributes
    ----------
    threshold : float
        A probability, where there are any; else a score.
    true_negatives, false_positives, false_negatives, true_positives : float
        Rows; whole numbers while the metrics are exact.
    """

    threshold: float
    true_negatives: float
    false_positives: float
    false_negatives: float
    true_positives: float

    @property
    def precision(self) -> float:
        """The share of predicted positives that are positive; 0 if there are none."""
        found = self.true_positives + self.false_positives
        return self.true_positives / found if found else 0.0

    @property
    def recall(self) -> float:
        """The share of positives that are found; 0 if there are none."""
        there = self.true_positives + self.false_negatives
        return self.true_positives / there if there else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 where both are."""
        wrong = self.false_positives + self.false_negatives
        size = 2.0 * self.true_positives + wrong
        return 2.0 * self.true_positives / size if size else 0.0

    @property
    def error(self) -> float:
        """The share of rows that are wrong."""
        return ratio(self.false_positives + self.false_negatives, sum(self[1:]))

    @property
    def flagged(self) -> float:
        """The share of rows that are predicted positive."""
        return ratio(self.true_positives + self.false_positives, sum(self[1:]))

    def as_dict(self) -> dict[str, float]:
        """All of it."""
        derived = ("precision", "recall", "f1", "error", "flagged")
        return {**self._asdict(), **{name: getattr(self, name) for name in derived}}


class TwoClassMetrics(Metrics):
    """How good scores of two classes were.

    AUC, average precision and thresholds are exact up to 32,768 rows, or up to 10,240
    different scores; then they come from a sketch of less than 1 MB
    (:class:`RankTable`). All other numbers are sums, and exact.

    Parameters
    ----------
    probabilistic : bool
        Whether scores are log-odds, so that there are probabilities: else log loss,
        Brier score and calibration are not known.
    window : int
        How many of the last rows ``rolling`` is about.
    cut : float
        The score above which a row is predicted positive.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.metrics import TwoClassMetrics
    >>> metrics = TwoClassMetrics()
    >>> metrics.feed(np.array([-2.0, 0.5, -0.5, 3.0]), np.array([-1.0, -1.0, 1.0, 1.0]))
    >>> metrics.auc, metrics.at(0.5).recall, round(metrics.log_loss, 4)
    (0.75, 0.5, 0.5309)
    >>> round(metrics.baseline()["log_loss"], 4)
    0.6931
    """

    kind = "two classes"
    width = 2
    kept = keep(
        "ranks",
        "_bins",
        _sums=Range(0.0, np.inf),  # losses of large scores may overflow
        _counts=COUNTS,
    )
    declared: ClassVar[tuple[DeclaredMetric[TwoClassMetrics], ...]] = (
        DeclaredMetric(
            "error",
            lambda m: min(m.rate, 1.0 - m.rate),
            decides=True,
            line=Line(ALWAYS, percent, name="wrong", at_cut=True),
        ),
        DeclaredMetric(
            "auc",
            lambda m: 0.5,
            title="AUC",
            larger=True,
            chooses=True,
            in_brief=True,
            line=Line(
                "by chance: 0.5",
                DIGITS,
                known=lambda m: m.rate not in (0.0, 1.0),
                missing="all rows are {often}",
            ),
        ),
        DeclaredMetric(
            "average_precision", lambda m: m.rate, larger=True, chooses=True
        ),
        DeclaredMetric(
            "log_loss",
            lambda m: entropy(np.array([m.rate, 1.0 - m.rate])),
            chances=True,
            decides=True,
            chooses=True,
            in_brief=True,
            line=Line("always answering {share}: {base}{worse}", DIGITS),
        ),
        DeclaredMetric(
            "brier",
            lambda m: m.rate * (1.0 - m.rate),
            title="Brier score",
            chances=True,
            chooses=True,
        ),
        DeclaredMetric("calibration_error", lambda m: 0.0, chances=True, beside=""),
        DeclaredMetric(
            "precision",
            lambda m: m.rate,
            lambda m: m.at().precision,
            larger=True,
            in_brief=True,
            beside=FLAGGED,
            line=Line(
                "of the rows answered {yes} are {yes}{cut}",
                percent,
                known=lambda m: m.at().flagged > 0.0,
                missing="no row was answered {yes}{cut}",
                at_cut=True,
            ),
        ),
        DeclaredMetric(
            "recall",
            lambda m: 1.0,
            lambda m: m.at().recall,
            larger=True,
            in_brief=True,
            beside=FLAGGED,
            line=Line("of the rows that are {yes} are found", percent, at_cut=True),
        ),
        DeclaredMetric(
            "f1",
            lambda m: ratio(2.0 * m.rate, 1.0 + m.rate),
            lambda m: m.at().f1,
            title="F1",
            larger=True,
            beside=FLAGGED,
        ),
    )

    def __init__(
        self, probabilistic: bool = True, window: int = WINDOW, cut: float = 0.0
    ) -> None:
        super().__init__(window)
        self.probabilistic = probabilistic
        self.cut = cut
        self.ranks = RankTable()
        self._sums = np.zeros(2)  # log loss, squared error
        self._counts = np.zeros((2, 2), np.int64)  # [positive, predicted so]
        self._bins = CalibrationBins()

    def blank(self) -> TwoClassMetrics:
        """Metrics of this kind that know no row."""
        return type(self)(self.probabilistic, window=0, cut=self.cut)

    def _add(self, *columns: Floats) -> None:
        """Scores, and targets: above 0 is positive."""
        scores, targets = columns
        bins = self._bins.sums if self.probabilistic else NO_BINS
        counts = np.zeros_like(self._counts)  # at a score of 0
        self.ranks.feed(scores, targets, (counts, self._sums, bins))
        if self.cut != 0.0:
            cells = 2 * (targets > 0.0) + (scores > self.cut)
            counts = np.bincount(cells, minlength=4).reshape(2, 2)
        self._counts += counts

    @property
    def has_chances(self) -> bool:
        """Whether probabilities are known."""
        return self.probabilistic

    @property
    def positives(self) -> int:
        """Rows of the positive class."""
        return int(self._counts[1].sum())

    def by_class(self) -> Longs:
        """The rows of each class, negative and positive, and how many were wrong."""
        return np.stack((self._counts.sum(axis=1), np.diag(self._counts[:, ::-1])), 1)

    @property
    def rate(self) -> float:
        """The share of rows of the positive class."""
        return ratio(self.positives, self.rows)

    @property
    def exact(self) -> bool:
        """Whether nothing is a sketch."""
        return self.ranks.exact

    @property
    def auc(self) -> float:
        """The area under the ROC curve."""
        return self.ranks.auc()

    @property
    def average_precision(self) -> float:
        """The area under the precision-recall curve, by steps."""
        return self.ranks.average_precision()

    @property
    def log_loss(self) -> float:
        """The mean of -ln p(label); nan without probabilities."""
        return self._mean(self._sums[0])

    @property
    def brier(self) -> float:
        """The mean of (p - label)^2, labels 0 and 1; nan without probabilities."""
        return self._mean(self._sums[1])

    @property
    def calibration_error(self) -> float:
        """The expected calibration error; nan without probabilities."""
        return self._bins.error() if self.probabilistic else float("nan")

    @property
    def wrong(self) -> int:
        """How many rows are wrong; a score of 0 predicts a negative."""
        return int(self._counts[0, 1] + self._counts[1, 0])

    @property
    def error(self) -> float:
        """The share of rows that are wrong; a score of 0 predicts a negative."""
        return ratio(self.wrong, self.rows)

    def at(self, threshold: float | None = None) -> AtThreshold:
        """Counts at a threshold: a probability where there are any, else a score.

        None: that of the predicted label, the ``cut``; always exact.
        """
        if threshold is None:
            (tn, fp), (fn, tp) = self._counts.tolist()
            at = self.cut
            if self.probabilistic:
                at = 1.0 / (1.0 + math.exp(-at)) if at else EVEN
            return AtThreshold(at, tn, fp, fn, tp)
        score = threshold
        if self.probabilistic:
            if not 0.0 <= threshold <= 1.0:
                raise ValueError(f"threshold={threshold!r} must be between 0 and 1")
            score = log_odds(threshold)
        false, hits = self.ranks.above(score)
        positives = float(self.positives)
        negatives = self.rows - positives
        return AtThreshold(threshold, negatives - false, false, positives - hits, hits)

    def curve(self) -> RankCurve:
        """True and false positives at every threshold (on scores)."""
        return self.ranks.curve()

    def calibration(self) -> CalibrationCurve:
        """Probabilities beside the shares that were seen.

        Raises
        ------
        ValueError
            Where there are no probabilities.
        """
        if not self.probabilistic:
            raise ValueError("scores that are no log-odds have no calibration")
        return self._bins.curve()

    def texts(self) -> dict[str, str]:
        """The metrics in four figures; no precision where no row was flagged."""
        none = {} if self.at().flagged else {"precision": "none (no row was flagged)"}
        return {**super().texts(), **none}

    def as_dict(self) -> Document:
        """All of it as plain data."""
        return {
            **super().as_dict(),
            "positives": self.positives,
            "confusion": self._counts.tolist(),
            "exact": self.exact,
            "auc_lost": self.ranks.auc_lost(),
        }

    def _mean(self, total: float) -> float:
        return ratio(float(total), self.rows) if self.probabilistic else float("nan")


def log_odds(chance: float) -> float:
    """ln(p / (1 - p)).

    Examples
    --------
    >>> log_odds(0.5), log_odds(0.0)
    (0.0, -inf)
    """
    if chance in (0.0, 1.0):
        return math.inf if chance else -math.inf
    return math.log(chance) - math.log1p(-chance)


def entropy(shares: Floats) -> float:
    """-sum p ln p: the log loss of those who know the shares and nothing else."""
    some = shares[shares > 0.0]
    return float(-(some * np.log(some)).sum()) + 0.0
