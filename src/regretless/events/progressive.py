"""Predict, score, learn: how well a learner would have done, had it been there.

    for x, y in stream:  predict x;  score the prediction with y;  learn (x, y)

Where labels come late, what is scored is the prediction that was made when there was
none, with what had been learned by then.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from ..encoding.classes import plain_label
from ..learners import ClassLearner, EventLearner
from ..parts.losses import value
from ..parts.panel.members import sigmoid
from .delay import Answer, Question, opened
from .progress import Progress

__all__ = ["iter_progressive", "progressive"]


def progressive(
    learner: Any,
    stream: Iterable[Any],
    *,
    metric: Any = None,
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
        False.
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
    learner: Any,
    stream: Iterable[Any],
    *,
    metric: Any = None,
    step: int | None = 1,
) -> Iterator[Progress]:
    """The same, yielding how it goes after every `step` labels, and at the end."""
    if not isinstance(learner, EventLearner):
        raise TypeError(f"{learner!r:.60} does not learn one event at a time")
    if step is not None and (step != int(step) or step < 1):
        raise ValueError(f"step={step!r} must be a whole number from 1 on")
    many = isinstance(learner, ClassLearner)
    score = _ClassScore(learner, metric) if many else _Score(learner, metric)
    shown = -1
    for i, event in enumerate(stream):
        if isinstance(event, Question):
            score.ask(event.i, event.x)
            continue
        if isinstance(event, Answer):
            score.answer(*event)
        else:
            x, y, weight = opened(event, i)
            score.ask(i, x)
            score.answer(i, x, y, weight)
        if step is not None and score.answered % step == 0:
            shown = score.answered
            yield score.progress(on_curve=True)
    if shown != score.answered or shown <= 0:
        yield score.progress(on_curve=step is not None)


class _Score:
    """The predictions that were made, and what they cost."""

    def __init__(self, learner: EventLearner, metric: Any) -> None:
        self.learner = learner
        self.live = learner.live
        self.metric = metric
        self.answered = 0
        self.asked = 0
        self._said: dict[int, Any] = {}
        self._curve: list[tuple[int, int | None, float | None]] = []
        self._began = time.perf_counter()
        self._begin()
        if metric is not None and not hasattr(metric, "update"):
            raise TypeError(f"metric={metric!r:.60} has no update(y_true, y_pred)")
        self._labels = getattr(metric, "requires_labels", True)
        if not self._labels and not hasattr(learner, "predict_proba_one"):
            raise TypeError(
                f"{type(metric).__name__} takes probabilities, and "
                f"{type(learner).__name__} predicts none"
            )

    def ask(self, i: int, x: Any) -> None:
        """Predict, with what is known now."""
        self._said[i] = self.live.score(x)
        self.asked += 1

    def answer(self, i: int, x: Any, y: Any, weight: float) -> None:
        """Score the prediction that was made, and learn."""
        score = self._said.pop(i)
        said = None if self.metric is None else self._shown(score)
        self.live.learn(x, y, weight)
        self.answered += 1
        self._judge(score, y, weight)
        if self.metric is not None and said is not None:
            self.metric.update(y, said)

    def progress(self, *, on_curve: bool) -> Progress:
        """How it goes."""
        mistakes, loss = self._so_far()
        if on_curve:
            self._curve.append((self.answered, mistakes, loss))
        return Progress(
            asked=self.asked,
            answered=self.answered,
            mistakes=mistakes,
            loss=loss,
            metric=self.metric,
            seconds=time.perf_counter() - self._began,
            curve=tuple(self._curve),
            learner=self.learner,
        )

    def _begin(self) -> None:
        player: Any = self.live.player
        self._mistakes = 0
        self._loss = 0.0
        self._part: Any = player.loss
        self._value: Any = value.dispatch(type(self._part))  # pyright: ignore[reportFunctionMemberAccess]

    def _judge(self, score: Any, y: Any, weight: float) -> None:
        """Count what was said, now that the label is there."""
        target = self.live.target
        self._mistakes += target * score <= 0.0
        self._loss += weight * self._value(self._part, score, target)

    def _so_far(self) -> tuple[int | None, float | None]:
        return self._mistakes if self.live.player.binary else None, self._loss

    def _shown(self, score: Any) -> Any:
        """What a metric is given of a prediction; None where there was none."""
        if self._labels:
            return self.live.label_of(score)
        negative, positive = self.live.labels.classes or (False, True)
        likely = sigmoid(score)
        return {negative: 1.0 - likely, positive: likely}


class _ClassScore(_Score):
    """The same of many classes.

    What was said before a class had come says nothing about it, so there is no loss.
    """

    def _begin(self) -> None:
        self._mistakes = 0

    def _judge(self, score: Any, y: Any, weight: float) -> None:
        label = plain_label(y)
        others = [other for name, other in score.items() if name != label]
        self._mistakes += score.get(label, -inf) <= max(others, default=-inf)

    def _so_far(self) -> tuple[int | None, float | None]:
        return self._mistakes, None
