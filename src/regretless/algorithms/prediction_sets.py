"""Prediction sets in the middle of a game: intervals of numbers, or sets of labels.

A tracker sees what a learner predicts and the label after it, and nothing else: the
learner is the same with it or without. What it computes is in
:mod:`regretless.parts.coverage`.
"""

from __future__ import annotations

import abc
import math
from statistics import NormalDist
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from ..engine.coverage_ledger import Coverage
from ..engine.hypotheses.class_probabilities import class_probabilities
from ..engine.ledger import checked_counts
from ..engine.storage import COUNTS, Stored, keep, same
from ..parts import coverage as c
from ..parts import observers as o
from ..parts.documents import Document
from ..parts.state import Bools, Floats
from .learners.probabilities import NO_PROBABILITIES, two_probabilities

if TYPE_CHECKING:
    from .learners.row_learner import RowLearner


LOWEST, HIGHEST = 0.01, 0.999
PERCENT = 50.0  # a bare number from here on is a percentage
SOME = 4096  # rows whose probabilities of all classes are in memory at a time


def checked_level(level: float | str) -> float:
    """A level: a share between 0 and 1, a percentage, or a string such as "90%".

    Examples
    --------
    >>> from regretless.algorithms.prediction_sets import checked_level
    >>> checked_level(0.9), checked_level("97.5%"), checked_level(95)
    (0.9, 0.975, 0.95)
    """
    text = str(level).strip()
    try:
        found = float(text.removesuffix("%"))
    except ValueError:
        found = math.nan
    if text.endswith("%") or found >= PERCENT:
        found /= 100.0
    if not LOWEST <= found <= HIGHEST:
        raise ValueError(
            f"a level of {level!r}: give one from 1% to 99.9%, such as 0.9, 90 or 90%"
        )
    return found


class Tracker(Stored, abc.ABC):
    """The threshold of prediction sets, and what came of them so far.

    Parameters
    ----------
    level : float or str
        The share of labels that are to be inside: 0.9, or "90%".
    """

    of: ClassVar[str]
    size: ClassVar[int]
    unknown: ClassVar[int]  # rounds in which nothing is known yet: all is inside
    endless: ClassVar[bool]  # whether a set of all there is has no width

    kept = keep("numbers", "curve", of=same, level=same, counts=COUNTS)

    def __init__(self, level: float | str) -> None:
        self.level = checked_level(level)
        self.counts = np.zeros(o.COUNTS, np.int64)
        self.counts[[o.STRIDE, o.NEXT]] = 1
        self.curve = np.zeros((o.CURVE, c.CURVE_COLUMNS))
        self.numbers = np.zeros(self.size)
        self.numbers[c.ALPHA] = 1.0 - self.level
        self.numbers[c.THRESHOLD] = 0.5

    @property
    def rounds(self) -> int:
        """How many labels have come."""
        return int(self.counts[o.ROUNDS])

    def threshold(self, *, settled: bool = False) -> float:
        """The threshold q of the next set; 1, all is inside, where nothing is known.

        Parameters
        ----------
        settled : bool
            Its mean over about the last thousand rounds instead, for a model that
            stays as it is.
        """
        if self.rounds < self.unknown:
            return 1.0
        return float(self.numbers[c.SETTLED if settled else c.THRESHOLD])

    @abc.abstractmethod
    def take(
        self, scores: Floats, targets: Floats | None, slopes: Floats | None = None
    ) -> tuple[Floats, ...]:
        """Make the sets of rows, then learn from their labels, where they have any.

        Parameters
        ----------
        scores : array
            What the learner says of each row; of many classes, a column each.
        targets : array or None
            The labels as learners take them.
        slopes : array or None
            What makes probabilities of the scores of many classes.

        Returns
        -------
        tuple of arrays
            The low and the high ends of intervals; of classes, the least probability
            of a label inside.
        """

    @abc.abstractmethod
    def blanks(self, n: int) -> tuple[Floats, ...]:
        """Room for the sets of `n` rows, as :meth:`take` returns them: nan."""

    def check_state(self) -> None:
        """Kernels can go on with the counts."""
        checked_counts(self.counts)

    def ledger(self) -> Coverage:
        """What came of the sets so far."""
        counts, numbers = self.counts.tolist(), self.numbers.tolist()
        bounded = counts[o.ROUNDS] - self.endless * counts[c.UNBOUNDED]
        return Coverage(
            level=self.level,
            of=self.of,
            rounds=counts[o.ROUNDS],
            missed=counts[c.MISSED],
            outside=counts[c.OUTSIDE],
            unbounded=counts[c.UNBOUNDED],
            width=numbers[c.WIDTH] / max(bounded, 1),
            interval_score=numbers[c.INTERVAL_SCORE] / max(bounded, 1),
            worst=numbers[c.WORST],
            curve=self.curve[: counts[o.POINTS]].copy(),
        )


class IntervalTracker(Tracker):
    """Intervals around predicted numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.algorithms.prediction_sets import IntervalTracker
    >>> y = np.random.default_rng(0).normal(size=5000)
    >>> tracker = IntervalTracker("90%")
    >>> low, high = tracker.follow(np.zeros(5000), y)
    >>> print(f"{np.mean((y < low) | (y > high)):.3f}, {high[-1]:.1f}")
    0.101, 1.8
    """

    of = "intervals"
    size = c.OF_NUMBERS
    unknown = 2  # the first prediction is made without any label
    endless = True

    def __init__(self, level: float | str) -> None:
        super().__init__(level)
        # What b would be if errors were normal.
        normal = NormalDist().inv_cdf(0.5 + 0.5 * self.level) * math.sqrt(0.5 * math.pi)
        self.numbers[c.DOWN : c.VISITS] = math.log(normal)

    def follow(self, predictions: Floats, targets: Floats) -> tuple[Floats, Floats]:
        """The intervals of rows, each made before its label is seen; and learn."""
        from ..engine.kernels.compiled import entry
        from ..engine.kernels.coverage import follow_numbers

        said = np.ascontiguousarray(predictions, np.float64)
        came = np.ascontiguousarray(targets, np.float64)
        low, high = np.empty(came.size), np.empty(came.size)
        arguments = (self.counts, self.numbers, self.curve, said, came, low, high)
        entry(follow_numbers, arguments)(*arguments)
        return low, high

    def take(
        self, scores: Floats, targets: Floats | None, slopes: Floats | None = None
    ) -> tuple[Floats, ...]:
        """The low and the high ends of the intervals of rows."""
        return (
            self.intervals(scores) if targets is None else self.follow(scores, targets)
        )

    def blanks(self, n: int) -> tuple[Floats, ...]:
        """Nan, twice."""
        return np.full(n, np.nan), np.full(n, np.nan)

    def intervals(
        self, predictions: Floats, *, settled: bool = False
    ) -> tuple[Floats, Floats]:
        """The intervals that it would make now; nothing is learned."""
        from ..engine.kernels.compiled import entry
        from ..engine.kernels.coverage import make_intervals

        said = np.ascontiguousarray(predictions, np.float64)
        low, high = np.empty(said.size), np.empty(said.size)
        q = self.threshold(settled=settled)
        unit = self.numbers[c.ERRORS] / max(self.numbers[c.ERROR_COUNT], 1.0)
        if settled:
            unit = self.numbers[c.SETTLED_UNIT]
        arguments = (self.counts, self.numbers, q, float(unit), said, low, high)
        entry(make_intervals, arguments)(*arguments)
        return low, high


class SetTracker(Tracker):
    """Sets of labels, by their probabilities."""

    of = "sets"
    size = c.OF_CLASSES
    unknown = 1
    endless = False

    def __init__(self, level: float | str) -> None:
        super().__init__(level)
        # The threshold at which a class of probability alpha is just inside.
        odds = math.sqrt((1.0 - self.level) / self.level)
        self.numbers[c.THRESHOLD] = 1.0 / (1.0 + odds)

    def follow(self, chances: Floats, labels: npt.ArrayLike) -> Floats:
        """Choose the sets of rows, each before its label is seen; and learn.

        Parameters
        ----------
        chances : array
            The probabilities, a row a row and a column a class; -1 for a class that
            has not come.
        labels : array
            The number of each row's class.

        Returns
        -------
        array
            For each row the least probability of a class inside, for :func:`in_set`.
        """
        from ..engine.kernels.compiled import entry
        from ..engine.kernels.coverage import follow_classes

        known = np.ascontiguousarray(chances, np.float64)
        came = np.ascontiguousarray(labels, np.float64)
        least = np.empty(came.size)
        arguments = (self.counts, self.numbers, self.curve, known, came, least)
        entry(follow_classes, arguments)(*arguments)
        return least

    def take(
        self, scores: Floats, targets: Floats | None, slopes: Floats | None = None
    ) -> tuple[Floats, ...]:
        """The least probability of a label in the set of each row."""
        if targets is None:
            return (np.full(len(scores), self.least()),)
        if scores.ndim == 1:
            return (self.follow(two_probabilities(scores), targets > 0.0),)
        least = np.empty(len(scores))
        for begin in range(0, len(scores), SOME):
            some = slice(begin, begin + SOME)
            trusted = None if slopes is None else slopes[some]
            chances = class_probabilities(scores[some], trusted)
            chances[scores[some] == -np.inf] = -1.0  # classes that have not come
            least[some] = self.follow(chances, targets[some])
        return (least,)

    def blanks(self, n: int) -> tuple[Floats, ...]:
        """Nan."""
        return (np.full(n, np.nan),)

    def least(self, *, settled: bool = False) -> float:
        """The least probability of a class that would be inside now."""
        return c.threshold_of(self.threshold(settled=settled))


def tracker_for(learner: RowLearner, level: float | str) -> Tracker:
    """What makes the prediction sets of a learner: intervals, if it predicts numbers.

    Raises
    ------
    ValueError
        Where the level is none, or the learner has no probabilities to go by.
    """
    if learner.task == "real":
        return IntervalTracker(level)
    if not learner.probabilistic:
        raise ValueError(NO_PROBABILITIES.format(repr(learner)))
    return SetTracker(level)


def in_set(chances: Floats, least: float | Floats) -> Bools:
    """Which classes are in the set of each row: the likeliest one always is.

    Parameters
    ----------
    chances : array
        The probabilities, a row a row and a column a class.
    least : float or array
        The least probability of a class inside, one a row or the same for all.
    """
    inside = chances >= np.reshape(least, (-1, 1))
    if chances.shape[1]:
        inside[np.arange(len(chances)), chances.argmax(axis=1)] = True
    return inside


def tracker_from(stored: Document) -> Tracker:
    """The tracker that :meth:`Tracker.state_dict` described."""
    kinds = {kind.of: kind for kind in (IntervalTracker, SetTracker)}
    if stored["of"] not in kinds:
        raise ValueError(f"prediction sets of {stored['of']!r:.40} are unknown here")
    found = kinds[stored["of"]](float(stored["level"]))
    found.load_state(stored)
    return found
