"""What a learner is played over, asked of anything that may be no learner at all."""

from __future__ import annotations

__all__ = ["played_by"]


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
