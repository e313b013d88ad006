"""A learner with prediction sets: what it predicts, and how far that can be trusted."""

from __future__ import annotations

import copy
import os
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from ..data.encoding import TwoClassLabels
from ..engine.coverage_ledger import Coverage
from ..engine.ledger import Ledger
from ..engine.shared_game import INNER
from ..parts.documents import Document
from ..parts.reprs import call
from .learners.event_row import Event
from .played import played_by
from .prediction_sets import IntervalTracker, SetTracker, Tracker, in_set, tracker_for
from .saved_learners import NO_FACTS, save_learner

if TYPE_CHECKING:
    from .learners.row_learner import RowLearner


Said: TypeAlias = "Any"
"""What the learner gives alone: a label, a number, a model."""


class Interval(NamedTuple):
    """Where a number is to be found: from `low` to `high`, both included."""

    low: float
    high: float


def intervals(learner: RowLearner, level: float | str = 0.9) -> Covered:
    """Let `learner` say beside each prediction where the label will be.

    A learner of numbers gives intervals, one of classes sets of labels. The learner
    itself predicts and learns as it would alone.

    **Theorem.** On every sequence of rows, and after every round t ::

        |misses - alpha t| <= (1 + gamma_1) / gamma_t,   alpha = 1 - level

    gamma is 0.08 at first and 0.01 from round 4,097 on, so that 90% intervals miss
    10.7% of 16,384 labels at most. That is marginal: of all rows together, not of
    each kind of row; and it says nothing about widths, which are always shown beside
    it. (A set that would be empty is shown as the prediction alone, which can only
    miss less.)

    Parameters
    ----------
    learner : learner
        Of numbers, or of classes with probabilities: panels, one-versus-rest, and
        learners with the logistic loss.
    level : float or str
        The share of labels that are to be inside: 0.9, or "90%".

    Returns
    -------
    Covered
        To be played, ``play(intervals(learner), X, y).coverage``, or to be fed events,
        ``learn_one`` and ``predict_interval_one`` or ``predict_set_one``.

    References
    ----------
    Gibbs, Candes (2021), Adaptive conformal inference under distribution shift;
    Angelopoulos, Candes, Tibshirani (2023), Conformal PID control; Angelopoulos,
    Barber, Bates (2024), Online conformal prediction with decaying step sizes.

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(5000, 3))
    >>> y = X[:, 0] + np.exp(X[:, 1]) * rng.normal(size=5000)
    >>> run = rg.play(rg.intervals(rg.RegressionPanel(), 0.9), X, y)
    >>> print(f"{run.coverage.share:.1%} of {run.coverage.rounds} outside")
    10.0% of 5000 outside
    """
    return Covered(learner, level)


class Covered:
    """A learner with prediction sets; see :func:`intervals`.

    Attributes
    ----------
    learner : learner
        Who predicts.
    level : float
        The share of labels that are to be inside.
    """

    plays: ClassVar[str] = "covered"
    facts: Mapping[str, object] = NO_FACTS

    def __init__(self, learner: RowLearner, level: float | str = 0.9) -> None:
        if played_by(learner) != "rows":
            raise TypeError(
                f"{learner!r:.60} has no prediction sets: give a learner of rows"
            )
        self.learner = learner
        self.sets: Tracker = tracker_for(learner, level)
        self.level = self.sets.level
        self._begun: tuple[int, int, Said, Hashable] | None = None  # what is learned
        self._learning = False

    def learn_one(self, x: Event, y: Hashable, weight: float = 1.0) -> None:
        """Learn from one event; its set is made before its label is seen.

        See :meth:`regretless.algorithms.learners.EventLearner.learn_one`.
        """
        live = self._between_events()
        with live.lock:
            self._settle()
            of_numbers = isinstance(self.sets, IntervalTracker)
            said = self.learner.score_one(x) if of_numbers else self._known_chances(x)
            self._begun = live.rounds, self.sets.rounds, said, self._only_label
            self._learning = True
            try:
                self.learner.learn_one(x, y, weight)
            finally:
                try:
                    self._settle()
                finally:
                    self._learning = False

    def _between_events(self) -> Any:
        """The game; a call that interrupts an event of its own thread is refused."""
        live = self.learner.live
        live.refuse_inner()
        if self._learning and live.owned:
            raise RuntimeError(INNER)
        return live

    def __getstate__(self) -> Document:
        """What a copy needs, of one moment."""
        with self._between_events().lock:
            self._settle()
            return copy.deepcopy(vars(self))

    def _settle(self) -> None:
        """Let the sets follow an event that was learned, however it ended."""
        self.learner.live.settle()
        begun = self._begun
        if begun is None:
            return
        live, (rounds, sets, said, alone) = self.learner.live, begun
        if live.rounds > rounds and self.sets.rounds == sets:
            if isinstance(self.sets, IntervalTracker):
                self.sets.follow(np.array([said]), np.array([live.target]))
            elif isinstance(self.sets, SetTracker):
                if alone is not None and alone == live.labels.negative:
                    said = said[::-1]  # it was taken for +1 until now
                number = int(max(live.target, 0.0))  # of two classes it is -1 or +1
                self.sets.follow(np.array([said]), np.array([number]))
        self._begun = None

    def predict_one(self, x: Event) -> Said:
        """The prediction for one event, as the learner makes it alone."""
        return self.learner.predict_one(x)

    def score_one(self, x: Event) -> Said:
        """The score of one event, as the learner gives it alone."""
        return self.learner.score_one(x)

    def predict_proba_one(self, x: Event) -> Said:
        """The probability of one event, as the learner gives it alone."""
        return self.learner.predict_proba_one(x)

    def predict_interval_one(self, x: Event) -> Interval:
        """Where the number of one event will be; all numbers before the second label.

        Examples
        --------
        >>> import regretless as rg
        >>> learner = rg.intervals(rg.RegressionPanel(), level=0.9)
        >>> for hour in range(2000):
        ...     x = {"hour": hour % 24}
        ...     learner.learn_one(x, 3.0 * (hour % 24) + hour * 7 % 5)
        >>> low, high = learner.predict_interval_one({"hour": 10})
        >>> low < 32.0 < high, high - low < 8.0
        (True, True)
        """
        if not isinstance(self.sets, IntervalTracker):
            raise TypeError(
                f"{self.learner!r} predicts classes: predict_set_one gives their sets"
            )
        with self._between_events().lock:
            self._settle()
            low, high = self.sets.intervals(np.array([self.learner.score_one(x)]))
        return Interval(float(low[0]), float(high[0]))

    def predict_set_one(self, x: Event) -> set[Hashable]:
        """The labels that one event may have, of those that have come.

        Examples
        --------
        >>> import regretless as rg
        >>> learner = rg.intervals(rg.Panel(), level=0.9)
        >>> for word, spam in [("cheap", 1), ("meeting", 0), ("hello", 0)] * 200:
        ...     learner.learn_one({word: 1}, spam)
        >>> learner.predict_set_one({"cheap": 1})
        {1}
        """
        if not isinstance(self.sets, SetTracker):
            raise TypeError(
                f"{self.learner!r} predicts numbers: predict_interval_one gives "
                "intervals"
            )
        live = self._between_events()
        with live.lock:
            self._settle()
            chances, labels = self._known_chances(x), live.came or ()
            if len(labels) < 2:  # a label that has not come is in no set
                return set(labels)
            inside = in_set(np.array([chances]), self.sets.least())
        found = zip(labels, inside[0].tolist(), strict=True)
        return {label for label, is_inside in found if is_inside}

    def snapshot(self) -> Said:
        """A model of what was learned so far, with its sets: it stays as it is.

        See :meth:`regretless.algorithms.learners.EventLearner.snapshot`.
        """
        with self._between_events().lock:
            self._settle()
            model = self.learner.snapshot()
            provenance = replace(model.provenance, sets=self.sets.copy())
        return replace(model, provenance=provenance)

    def certificate(self, delta: float = 0.05) -> Said:
        """An upper bound on the error of the learner, as it gives it alone."""
        return self.learner.certificate(delta)

    @property
    def ledger(self) -> Ledger:
        """The ledger of the events learned so far."""
        return self.learner.ledger

    @property
    def weights(self) -> dict[Hashable, float]:
        """The weights learned from events so far, by name."""
        return self.learner.weights

    @property
    def coverage(self) -> Coverage:
        """What came of the sets of the events so far."""
        with self._between_events().lock:
            self._settle()
            return self.sets.ledger()

    def save(
        self, path: str | os.PathLike[str], *, facts: Document | None = None
    ) -> None:
        """Write the learner, all that it has learned and its sets to a file.

        See :meth:`regretless.algorithms.learners.EventLearner.save`.
        """

        def sets() -> Document:
            self._settle()
            return self.sets.state_dict()

        self._between_events()
        save_learner(self.learner, path, facts, sets)

    def forget(self) -> None:
        """Return to the start: forget every event learned one at a time."""
        self._begun = None
        self.learner.forget()
        self.sets = tracker_for(self.learner, self.level)

    @property
    def _only_label(self) -> Hashable:
        """Of two classes, the only label so far, which may be either; else None."""
        labels = self.learner.live.labels
        if isinstance(labels, TwoClassLabels) and not labels.settled:
            return labels.alone
        return None

    def _known_chances(self, x: Event) -> list[float]:
        """The probability of each class by its number; of two, that of -1 and of +1."""
        found = self.learner.predict_proba_one(x)
        if self.learner.live.player.binary:
            return [1.0 - found, found]
        return list(found.values())

    def __repr__(self) -> str:
        """The call that makes it."""
        return f"intervals({call(self.learner)}, {self.level:g})"
