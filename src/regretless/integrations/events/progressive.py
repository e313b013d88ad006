"""Predict, score, learn: how well a learner would have done, had it been there.

    for x, y in stream:  predict x;  score the prediction with y;  learn (x, y)

Where labels come late, what is scored is the prediction that was made when there was
none, with what had been learned by then.
"""

from __future__ import annotations

import abc
import math
import time
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from ...algorithms.learners.event_learner import Event
from ...algorithms.learners.probabilities import probability
from ...algorithms.learners.row_learner import RowLearner
from ...algorithms.played import played_by
from ...data.event_source import opened_event
from ...parts.losses import value
from .asked_order import AskedOrder
from .delay import Answer, Question
from .measured import EventMetrics
from .progress import Progress


class Metric(Protocol):
    """A score from elsewhere, such as River's."""

    def update(self, y_true: Any, y_pred: Any, /) -> object:
        """Take one more label, and what was predicted."""
        ...


def progressive(
    learner: RowLearner,
    stream: Iterable[object],
    *,
    metric: Metric | None = None,
    step: int | None = None,
) -> Progress:
    """Let `learner` predict and learn every event of a stream, and keep the score.

    Parameters
    ----------
    learner : learner
        It learns, as by ``learn_one``.
    stream : iterable of (x, y) or (x, y, weight), or ``delayed(stream, delay)``
        The events, in order.
    metric : object, optional
        One more score: anything with ``update(y_true, y_pred)``, such as a metric of
        River's. It is given labels, or probabilities if its ``requires_labels`` is
        False; and as in River, no event that was asked before any label had come: then
        there was no class to predict. :attr:`Progress.metrics` are not given it either.
    step : int, optional
        Keep a point of the curve after so many labels.

    Returns
    -------
    Progress
        Mistakes and loss of the predictions as they were made.

    Examples
    --------
    >>> import regretless as rg
    >>> stream = [({"cheap": 1}, 1), ({"meeting": 1}, 0)] * 50
    >>> rg.events.progressive(rg.Perceptron(), stream).mistakes
    2
    >>> late = rg.events.delayed(stream, 10)
    >>> rg.events.progressive(rg.Perceptron(), late).mistakes
    10
    """
    *_, last = iter_progressive(learner, stream, metric=metric, step=step)
    return last


def iter_progressive(
    learner: RowLearner,
    stream: Iterable[object],
    *,
    metric: Metric | None = None,
    step: int | None = 1,
) -> Iterator[Progress]:
    """The same, yielding how it goes after every `step` labels, and at the end."""
    if played_by(learner) != "rows":
        raise TypeError(f"{learner!r:.60} does not learn one event at a time")
    if step is not None and (step != int(step) or step < 1):
        raise ValueError(f"step={step!r} must be a whole number from 1 on")
    kind = _ClassScore if learner.task == "classes" else _NumberScore
    score = kind(learner, metric)
    shown = -1
    for i, event in enumerate(stream):
        if isinstance(event, Question):
            score.ask(event.i, event.x)
            continue
        if isinstance(event, Answer):
            score.answer(*event)
        else:
            x, y, weight = opened_event(event, i)
            score.ask(i, x)
            score.answer(i, x, y, weight)
        if step is not None and score.answered % step == 0:
            shown = score.answered
            yield score.progress(on_curve=True)
    if shown != score.answered or shown <= 0:
        yield score.progress(on_curve=step is not None)


class Asked(NamedTuple):
    """A prediction, as it was made."""

    score: Any
    predicted: bool  # whether there was a label to predict
    shown: object  # what the metric is given of it


class _Score(abc.ABC):
    """The predictions that were made, and what they cost."""

    counted = True  # whether there are mistakes

    def __init__(self, learner: RowLearner, metric: Metric | None) -> None:
        self.learner = learner
        self.live: Any = learner.live
        self.metric = metric
        self.answered = 0
        self.mistakes = 0
        self.loss: float | None = None
        self.asked = 0
        self._said: dict[int, Asked] = {}
        self._order = AskedOrder()
        self._curve: list[tuple[int, int | None, float | None]] = []
        self._began = time.perf_counter()
        if metric is not None and not hasattr(metric, "update"):
            raise TypeError(f"metric={metric!r:.60} has no update(y_true, y_pred)")
        self._labels = getattr(metric, "requires_labels", True)
        self.measured = EventMetrics(learner)
        if not self._labels and not learner.probabilistic:
            raise TypeError(
                f"{type(metric).__name__} takes probabilities, and "
                f"{type(learner).__name__} predicts none"
            )

    def ask(self, i: int, x: Event) -> None:
        """Predict, with what is known now."""
        self.live.refuse_inner()
        with self.live.lock:  # another thread may learn in between
            self.live.settle()
            score, came = self.live.score(x), self.live.came
            predicted = came is None or len(came) > 0
            wanted = predicted and self.metric is not None
            shown = self._shown(x, score) if wanted else None
        self._said[i] = Asked(score, predicted, shown)
        self.asked += 1

    def answer(self, i: int, x: Event, y: object, weight: float) -> None:
        """Score the prediction that was made, and learn."""
        said = self._said.pop(i)
        self.live.refuse_inner()
        with self.live.lock:  # another thread may learn another label right after
            self.live.settle()
            self.live.learn(x, y, weight)
            before = self.mistakes
            numbers = self._judge(said.score, weight)
            self._order.answer(i, self.mistakes > before)
        self.answered += 1
        if not said.predicted:
            return
        self.measured.add(numbers)
        if self.metric is not None:
            self.metric.update(y, said.shown)

    def progress(self, *, on_curve: bool) -> Progress:
        """How it goes."""
        mistakes = self.mistakes if self.counted else None
        if on_curve:
            self._curve.append((self.answered, mistakes, self.loss))
        return Progress(
            asked=self.asked,
            answered=self.answered,
            mistakes=mistakes,
            loss=self.loss,
            metric=self.metric,
            seconds=time.perf_counter() - self._began,
            curve=tuple(self._curve),
            learner=self.learner,
            measured=self.measured,
            said=self._order.counted() if self.counted else None,
        )

    @abc.abstractmethod
    def _judge(self, score: Any, weight: float) -> tuple[float, ...]:
        """Count a prediction, whose label was just learned; what is measured of it."""

    @abc.abstractmethod
    def _shown(self, x: Event, score: Any) -> object:
        """What a metric is given of a prediction, where a label has come."""


class _ClassScore(_Score):
    """Of many classes: the score of every class that had come, by its label."""

    def _judge(self, score: dict[Hashable, float], weight: float) -> tuple[float, ...]:
        label, said = int(self.live.target), list(score.values())
        # Classes that had come are numbered in this order.
        ahead = label < len(said) and all(
            said[label] > other for k, other in enumerate(said) if k != label
        )
        self.mistakes += not ahead
        best = max(range(len(said)), key=said.__getitem__) if said else -1
        return float(label), float(best), math.nan

    def _shown(self, x: Event, score: dict[Hashable, float]) -> object:
        if self._labels:
            return self.live.label_of(score)
        return self.learner.predict_proba_one(x)


class _NumberScore(_Score):
    """Of two classes, or of numbers: one number, whose loss is known."""

    def __init__(self, learner: RowLearner, metric: Metric | None) -> None:
        super().__init__(learner, metric)
        player = self.live.player
        self.counted = player.binary
        self.loss = 0.0
        self._part = player.loss
        self._value = value.dispatch(type(self._part))  # pyright: ignore[reportFunctionMemberAccess]

    def _judge(self, score: float, weight: float) -> tuple[float, ...]:
        target = self.live.target
        self.mistakes += target * score <= 0.0
        self.loss = (self.loss or 0.0) + weight * self._value(self._part, score, target)
        return score, target

    def _shown(self, x: Event, score: float) -> object:
        if self._labels:
            return self.live.label_of(score)
        if self.live.labels.settled:  # booleans, 0 and 1: the other one is known
            negative, positive = self.live.labels.classes
            likely = probability(score)
            return {negative: 1.0 - likely, positive: likely}
        return dict.fromkeys(self.live.came, 1.0)
