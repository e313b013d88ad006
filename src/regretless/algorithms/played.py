"""What a learner is played over, and what it may know of a game."""

from __future__ import annotations

from typing import Protocol


class GameKind(Protocol):
    """What a learner may ask of a game that it is set up for."""

    @property
    def kind(self) -> str:
        """What is played: "labels", "targets", "votes", "losses", ..."""
        ...


def played_by(learner: object) -> str:
    """What a learner is played over; "" where it is no learner, or a class.

    Either "rows", "experts" or "numbers"; or "mixture", of learners of rows, or
    "covered", a learner of rows with prediction sets.

    Examples
    --------
    >>> import regretless as rg
    >>> from regretless.algorithms.played import played_by
    >>> played_by(rg.Perceptron()), played_by(rg.Perceptron), played_by("perceptron")
    ('rows', '', '')
    """
    return "" if isinstance(learner, type) else getattr(learner, "plays", "")
