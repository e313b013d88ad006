"""What happened and what was promised, after so many rounds: one curve a theorem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...parts.documents import Document
from ...parts.rows import Longs
from ...parts.state import Floats

POINTS = 64


@dataclass(frozen=True, repr=False, eq=False)
class Curve:
    """A theorem on every prefix of a game; nan where it does not apply to one.

    Attributes
    ----------
    name, statement : str
        The theorem.
    rounds : ndarray of int
        After how many rounds.
    happened, bound : ndarray
        Both sides of it.
    about : str
        What the left side is, in words: mistakes, regret, ...
    """

    name: str
    statement: str
    rounds: Longs
    happened: Floats
    bound: Floats
    about: str = "mistakes"

    @property
    def points(self) -> int:
        """On how many prefixes it applies."""
        return int(np.isfinite(self.bound).sum())

    def as_dict(self) -> Document:
        """Plain data."""
        return {
            "theorem": self.name,
            "statement": self.statement,
            "rounds": self.rounds.tolist(),
            "happened": self.happened.tolist(),
            "bound": self.bound.tolist(),
        }


def checkpoints(rounds: int, points: int = POINTS) -> Longs:
    """At most so many rounds, evenly spaced, the last one among them.

    Examples
    --------
    >>> from regretless.lab.games.curves import checkpoints
    >>> checkpoints(10, points=5).tolist()
    [1, 3, 6, 8, 10]
    """
    first = 1 if points > 1 else rounds
    spaced: Floats = np.linspace(first, rounds, min(points, rounds))
    return np.unique(np.round(spaced).astype(np.int64))
