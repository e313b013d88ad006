"""Metrics of amounts: how far predictions were from the numbers that came.

All are sums, so they are exact in constant memory. The spread of labels about their
mean, for R2, is added up block by block (Chan, Golub and LeVeque 1979): for blocks of
sizes m, n with means a, b:  S = S_1 + S_2 + (a - b)^2 m n / (m + n).
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ...engine.storage import ANYTHING, Range, keep
from ...parts.documents import Document
from ...parts.state import Floats
from .base import WINDOW, Metrics, ratio
from .metric import DIGITS, DeclaredMetric, Line

SQUARES, ABSOLUTE, PINBALL, SPREAD, MEAN, TOTAL = range(6)
BASE = 6  # the same three of the mean so far
SUMS = BASE + 3
MEAN_SO_FAR = "always answering the mean so far: {base}"


class AmountMetrics(Metrics):
    """How good predictions of numbers were.

    Parameters
    ----------
    level : float
        The quantile that the pinball loss is about. 0.5: half of the absolute error.
    window : int
        How many of the last rows ``rolling`` is about.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.metrics import AmountMetrics
    >>> metrics = AmountMetrics()
    >>> metrics.feed(np.array([2.5, 0.0, 2.0, 8.0]), np.array([3.0, -0.5, 2.0, 7.0]))
    >>> metrics.mae, round(metrics.rmse, 4), round(metrics.r2, 4)
    (0.5, 0.6124, 0.9486)
    """

    kind = "amounts"
    width = 2
    kept = keep(_sums=ANYTHING, level=Range(0.0, 1.0))
    declared: ClassVar[tuple[DeclaredMetric[AmountMetrics], ...]] = (
        DeclaredMetric(
            "rmse",
            lambda m: m.of_mean.rmse,
            title="RMSE",
            decides=True,
            line=Line(MEAN_SO_FAR),
        ),
        DeclaredMetric(
            "mae",
            lambda m: m.of_mean.mae,
            title="MAE",
            chooses=True,
            in_brief=True,
            line=Line(MEAN_SO_FAR),
        ),
        DeclaredMetric(
            "r2",
            lambda m: m.of_mean.r2,
            title="R2",
            larger=True,
            in_brief=True,
            line=Line(MEAN_SO_FAR, DIGITS),
        ),
        DeclaredMetric(
            "pinball",
            lambda m: m.of_mean.pinball,
            title="pinball loss",
            line=Line(MEAN_SO_FAR, name="pinball", known=lambda m: m.level != 0.5),
        ),
    )

    def __init__(self, level: float = 0.5, window: int = WINDOW) -> None:
        super().__init__(window)
        if not 0.0 < level < 1.0:
            raise ValueError(f"level={level!r} must be between 0 and 1")
        self.level = level
        self._sums = np.zeros(SUMS)

    def check_state(self) -> None:
        """Squares are not negative."""
        if (self._sums[[SQUARES, SPREAD, BASE]] < 0.0).any():
            raise ValueError("its sums of squares are negative")

    def blank(self) -> AmountMetrics:
        """Metrics of this kind that know no row."""
        return type(self)(self.level, window=0)

    def _add(self, *columns: Floats) -> None:
        """Predictions, and targets."""
        scores, targets = columns
        n = targets.size
        if not n:
            return
        sums = self._sums
        with np.errstate(over="ignore", invalid="ignore"):
            before = sums[TOTAL] + np.cumsum(targets) - targets
            rounds = np.arange(self.rows, self.rows + n)
            means = before / np.maximum(rounds, 1)
            sums[:SPREAD] += self._paid(scores, targets)
            sums[BASE:] += self._paid(means, targets)
            mean = float(targets.mean())
            apart = (mean - sums[MEAN]) ** 2 * (self.rows * n / (self.rows + n))
            sums[SPREAD] += float(np.square(targets - mean).sum()) + apart
            sums[MEAN] += (mean - sums[MEAN]) * (n / (self.rows + n))
            sums[TOTAL] += targets.sum()

    def _paid(self, scores: Floats, targets: Floats) -> Floats:
        """The squared, absolute and pinball losses of rows, summed."""
        gaps = targets - scores
        absolute = float(np.abs(gaps).sum())
        # max(q g, (q - 1) g) = |g|/2 + (q - 1/2) g
        pinball = 0.5 * absolute + (self.level - 0.5) * float(gaps.sum())
        return np.array([float(np.square(gaps).sum()), absolute, pinball])

    @property
    def mean_squared_error(self) -> float:
        """The mean of (y - prediction)^2."""
        return ratio(float(self._sums[SQUARES]), self.rows)

    @property
    def rmse(self) -> float:
        """The root of the mean squared error."""
        return math.sqrt(self.mean_squared_error)

    @property
    def mae(self) -> float:
        """The mean absolute error."""
        return ratio(float(self._sums[ABSOLUTE]), self.rows)

    @property
    def r2(self) -> float:
        """1 - sum (y - prediction)^2 / sum (y - mean of all y)^2; nan for one label."""
        spread = float(self._sums[SPREAD])
        return 1.0 - ratio(float(self._sums[SQUARES]), spread)

    @property
    def pinball(self) -> float:
        """The mean pinball loss at :attr:`level`."""
        return ratio(float(self._sums[PINBALL]), self.rows)

    @property
    def of_mean(self) -> AmountMetrics:
        """The same of another predictor: the mean of the labels before."""
        found = self.blank()
        found.rows, found._sums = self.rows, self._sums.copy()
        found._sums[:SPREAD] = self._sums[BASE:]
        return found

    @property
    def mean(self) -> float:
        """The mean of the labels."""
        return float(self._sums[MEAN])

    def as_dict(self) -> Document:
        """All of it as plain data."""
        more = {"mean": self.mean, "level": self.level}
        return {**super().as_dict(), **more, "exact": True}
