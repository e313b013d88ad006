"""Triggers: on which rounds a learner moves at all."""

from __future__ import annotations

from typing import Any, NamedTuple

from .generic import generic, implement, require

__all__ = ["Always", "OnMargin", "OnMistake", "fires"]


@generic
def fires(trigger: Any, score: float, y: float) -> bool:
    """Whether to update after predicting `score` for label `y`."""
    ...


class Always(NamedTuple):
    """Every round."""


@implement(fires, Always)
def _(trigger: Always, score: float, y: float) -> bool:
    return True


class OnMistake(NamedTuple):
    """Only when ``y*score <= 0``: the conservative learners. A tie is a mistake."""


@implement(fires, OnMistake)
def _(trigger: OnMistake, score: float, y: float) -> bool:
    return y * score <= 0.0


class OnMargin(NamedTuple):
    """Whenever ``y*score <= margin``; margin 0 is :class:`OnMistake`."""

    margin: float = 1.0

    def check(self) -> None:
        """Raise ValueError unless margin >= 0."""
        require(self.margin >= 0, self, "margin", "at least 0")


@implement(fires, OnMargin)
def _(trigger: OnMargin, score: float, y: float) -> bool:
    return y * score <= trigger.margin
