"""Metrics of many classes: how often wrong, how sure, and what is taken for what."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from ...engine.storage import ANYTHING, COUNTS, SIZES, Range, Sized, keep
from ...parts.documents import Document
from ...parts.reprs import percent
from ...parts.rows import Longs
from ...parts.state import Floats
from .base import WINDOW, Metrics, ratio
from .metric import ALWAYS, DIGITS, DeclaredMetric, Line
from .pairs import FrequentPairs
from .two_classes import entropy

SCORES = 2**16  # that are made probabilities at a time: a crowd of classes has many


class ManyClassMetrics(Metrics):
    """How good predictions of many classes were.

    Rows are fed as three columns: the number of the true class, that of the predicted
    one, and the probability that was given to the true one; nan where there is none. A
    class cannot be predicted before it has come: such a row is wrong, and not part of
    the log loss.

    Parameters
    ----------
    probabilistic : bool
        Whether there are probabilities.
    window : int
        How many of the last rows ``rolling`` is about.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.metrics import ManyClassMetrics
    >>> metrics = ManyClassMetrics()
    >>> metrics.feed(
    ...     np.array([0.0, 1.0, 2.0, 2.0]),
    ...     np.array([0.0, 1.0, 1.0, 2.0]),
    ...     np.array([0.8, 0.5, 0.3, 0.6]),
    ... )
    >>> metrics.error, round(metrics.log_loss, 4), metrics.confused(3)
    (0.25, 0.6578, [(2, 1, 1)])
    """

    kind = "many classes"
    width = 3
    kept = keep(
        "_pairs",
        _recent=ANYTHING,  # a probability may not be known
        _wrong=COUNTS,
        _loss=SIZES,
        _classes=Sized(3, "classes", holds=COUNTS),
    )
    declared: ClassVar[tuple[DeclaredMetric[ManyClassMetrics], ...]] = (
        DeclaredMetric(
            "error",
            lambda m: 1.0 - m.share,
            decides=True,
            line=Line(ALWAYS, percent, name="wrong"),
        ),
        DeclaredMetric(
            "log_loss",
            lambda m: entropy(m.by_class()[:, 0] / m.rows),
            chances=True,
            decides=True,
            chooses=True,
            in_brief=True,
            line=Line("always answering the shares: {base}", DIGITS),
        ),
        DeclaredMetric("balanced_error", lambda m: 1.0 - ratio(1.0, m.seen)),
        DeclaredMetric(
            "macro_f1",
            lambda m: ratio(2.0 * m.share / (1.0 + m.share), m.seen),
            title="macro F1",
            larger=True,
            in_brief=True,
        ),
    )

    def __init__(self, probabilistic: bool = True, window: int = WINDOW) -> None:
        super().__init__(window)
        self.probabilistic = probabilistic
        self._wrong = 0
        self._loss = np.zeros(2)  # rows, -ln p
        self._classes = np.zeros((3, 0), np.int64)  # true, predicted, both
        self._pairs = FrequentPairs()

    def check_state(self) -> None:
        """All classes have a count."""
        last = max(self._classes.shape[1] - 1, 0)
        if self._wrong > self.rows or Range(0, last).refusal(self._pairs.numbers()):
            raise ValueError("its pairs are of other classes")
        true, predicted, _ = self._recent
        if Range(0, last).refusal(true) or Range(-1, last).refusal(predicted):
            raise ValueError("its last rows are of other classes")

    def blank(self) -> ManyClassMetrics:
        """Metrics of this kind that know no row."""
        return type(self)(self.probabilistic, window=0)

    def _add(self, *columns: Floats) -> None:
        """True classes, predicted ones, and probabilities of the true ones."""
        if not columns[0].size:
            return
        true, predicted = (column.astype(np.int64) for column in columns[:2])
        chances = columns[2]
        right = true == predicted
        self._wrong += int(right.size - right.sum())
        self._grow(max(int(true.max()), int(predicted.max())) + 1)
        size = self._classes.shape[1]
        self._classes[0] += np.bincount(true, minlength=size)
        self._classes[1] += np.bincount(predicted[predicted >= 0], minlength=size)
        self._classes[2] += np.bincount(true[right], minlength=size)
        apart = ~right & (predicted >= 0)
        self._pairs.feed(true[apart], predicted[apart])
        known = chances[~np.isnan(chances)]
        if known.size:
            # As scikit-learn: a probability that has underflowed is not zero.
            floor = np.finfo(np.float64).eps
            paid = -np.log(np.maximum(known, floor))
            self._loss += known.size, float(paid.sum())

    def _grow(self, n: int) -> None:
        more = n - self._classes.shape[1]
        if more > 0:
            self._classes = np.pad(self._classes, ((0, 0), (0, more)))

    @property
    def wrong(self) -> int:
        """How many rows are wrong."""
        return self._wrong

    @property
    def error(self) -> float:
        """The share of rows that are wrong."""
        return ratio(self._wrong, self.rows)

    @property
    def log_loss(self) -> float:
        """The mean of -ln p(label), where the label had come before; else nan."""
        return ratio(float(self._loss[1]), float(self._loss[0]))

    @property
    def balanced_error(self) -> float:
        """1 - the mean over classes of the share of their rows that are right."""
        true, _, both = self._classes[:, self._classes[0] > 0]
        return 1.0 - float((both / true).mean()) if true.size else float("nan")

    def by_class(self) -> Longs:
        """The rows of each class, by its number, and how many of them were wrong."""
        true, _, both = self._classes
        return np.stack((true, true - both), 1)

    @property
    def macro_f1(self) -> float:
        """The mean of F1 over the classes that came."""
        there = (self._classes[0] > 0) | (self._classes[1] > 0)
        true, predicted, both = self._classes[:, there]
        sizes = true + predicted
        return float((2.0 * both / sizes).mean()) if true.size else float("nan")

    def confused(self, n: int = 3) -> list[tuple[int, int, int]]:
        """The `n` pairs (true, predicted, rows) that are most often confused."""
        return self._pairs.most(n)

    @property
    def exact(self) -> bool:
        """Whether all pairs are counted."""
        return self._pairs.lost == 0

    @property
    def share(self) -> float:
        """The share of rows of the most frequent class."""
        return ratio(float(self._classes[0].max(initial=0)), self.rows)

    @property
    def seen(self) -> int:
        """How many classes came."""
        return int((self._classes[0] > 0).sum())

    @property
    def has_chances(self) -> bool:
        """Whether probabilities are known."""
        return bool(self._loss[0])

    def as_dict(self) -> Document:
        """All of it as plain data."""
        return {
            **super().as_dict(),
            "classes": self._classes[0].tolist(),
            "confused": [list(pair) for pair in self.confused(10)],
            "exact": self.exact,
        }


def class_columns(
    scores: Floats, targets: Floats, chances_of: Callable[[Longs], Floats] | None
) -> tuple[Floats, Floats, Floats]:
    """What the metrics are fed: true classes, predicted ones, chances of the true ones.

    Parameters
    ----------
    scores : ndarray
        A row each, a column a class; -inf for one that had not come.
    targets : ndarray
        The numbers of the true classes; some may have no column.
    chances_of : callable or None
        From the numbers of rows to their probabilities; None: there are none.
    """
    rows, true = np.arange(targets.size), targets.astype(np.int64)
    predicted = scores.argmax(axis=1)
    predicted[np.isneginf(scores[rows, predicted])] = -1  # no class had come
    found = targets, predicted.astype(np.float64), np.full(targets.size, np.nan)
    if chances_of is None:
        return found
    there = true < scores.shape[1]
    there[there] = ~np.isneginf(scores[rows[there], true[there]])
    size = max(1, SCORES // scores.shape[1])
    for start in range(0, int(there.sum()), size):
        some = rows[there][start : start + size]
        found[2][some] = chances_of(some)[np.arange(some.size), true[some]]
    return found
