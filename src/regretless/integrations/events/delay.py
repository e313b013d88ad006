"""Labels that come late: a stream of questions, and of answers when they are due.

An event that is asked at the moment m, with the delay d, is answered at m + d: before
the first question whose moment is m + d or later. Without moments an event's number is
its moment, so a delay of n means that n - 1 other events are asked in between. What is
due at one moment is answered in the order in which it was asked.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeAlias

from ...algorithms.learners.event_learner import Event
from ...data.encoding.input_kind import is_event
from ...data.event_source import opened_event
from ...errors import BadRow

Delay: TypeAlias = (
    "float | timedelta | str | Callable[[Event, object], float | timedelta]"
)
Moment: TypeAlias = "str | Callable[[Event], float | datetime] | None"


class Question(NamedTuple):
    """Event number `i` is to be predicted."""

    i: int
    x: Event


class Answer(NamedTuple):
    """The label of event number `i` has come."""

    i: int
    x: Event
    y: object
    weight: float = 1.0


def delayed(
    stream: Iterable[object], delay: Delay, moment: Moment = None
) -> Iterator[Question | Answer]:
    """Ask every event of a stream at its moment, and answer it when its label comes.

    Parameters
    ----------
    stream : iterable of (x, y) or (x, y, weight)
        In order of their moments.
    delay : number, timedelta, str or callable
        How long labels take: a number of events, or whatever can be added to a moment;
        or the field of x that says so; or a function of x and y. ``math.inf``: until
        the end.
    moment : str, callable or None
        When an event is asked: the field of x that says so, or a function of x. None:
        events are counted. A field that says when is no feature: it is taken out of x.

    Yields
    ------
    Question or Answer
        In order. At the end all answers that are still due are given.

    Examples
    --------
    >>> stream = [({"a": 1}, 0), ({"a": 2}, 1), ({"a": 3}, 1)]
    >>> for each in delayed(stream, 2):
    ...     print(type(each).__name__, each.i, each.x)
    Question 0 {'a': 1}
    Question 1 {'a': 2}
    Answer 0 {'a': 1}
    Question 2 {'a': 3}
    Answer 1 {'a': 2}
    Answer 2 {'a': 3}
    """
    waiting: list[tuple[Any, int, Answer]] = []
    last = None
    for i, event in enumerate(stream):
        x, y, weight = opened_event(event, i)
        now: Any = i if moment is None else _said(moment, x, i, "moment")
        if last is not None and now < last:
            raise BadRow(i, f"its moment {now} is before the one before it, {last}")
        last = now
        after = _said(delay, x, i, "delay") if not callable(delay) else delay(x, y)
        while waiting and waiting[0][0] <= now:
            yield heapq.heappop(waiting)[2]
        shown = _without(x, moment, delay)
        yield Question(i, shown)
        try:
            due = now + after
        except TypeError:
            raise BadRow(i, f"{after!r:.40} cannot be added to {now!r:.40}") from None
        if due < now:
            raise BadRow(i, f"its label comes {after} later, before it is asked")
        heapq.heappush(waiting, (due, i, Answer(i, shown, y, weight)))
    while waiting:
        yield heapq.heappop(waiting)[2]


def _said(where: object, x: Event, i: int, what: str) -> Any:
    """What an event says of its moment or its delay."""
    if callable(where):
        return where(x)
    if not isinstance(where, str):
        return where
    if not is_event(x) or where not in x:
        raise BadRow(i, f"it has no field {where!r}, the {what}")
    return x[where]


def _without(x: Event, *fields: object) -> Event:
    """A copy of x (its owner may change it meanwhile) without the fields named."""
    if not isinstance(x, dict):
        return x
    rest = x.copy()
    for field in fields:
        if isinstance(field, str):
            rest.pop(field, None)
    return rest
