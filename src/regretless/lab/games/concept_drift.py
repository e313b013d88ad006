"""Rows whose hidden direction is another one from time to time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Round
from .ranges import real, whole
from .separable import direction, labeled_rows


@dataclass(frozen=True)
class ConceptDrift(Game):
    """Rows with a margin, whose hidden direction is another one every so often.

    As :class:`Separable`, for a while. Each stretch is separable, all of them together
    are not: no fixed u is good, so the bounds, which are against fixed u, promise
    little, and hold.

    **Reaches** a large part of them, since the comparator suffers as well.

    Parameters
    ----------
    features : int
        d.
    margin : float
        How far from the hyperplane of the time all rows stay.
    every : int
        Rounds between two changes.

    Examples
    --------
    >>> import regretless as rg
    >>> for game in (rg.games.Separable(), rg.games.ConceptDrift()):
    ...     rg.arena(rg.Perceptron(), game, rounds=1000).run.mistakes
    28
    77
    """

    features: int = 20
    margin: float = 0.1
    every: int = 250

    kind = "labels"
    random = True
    reaches = ("perceptron/root",)

    def check(self) -> None:
        """As :class:`Separable`."""
        whole("features", self.features, 2)
        real("margin", self.margin, 0.0, 1.0, ends="()")
        whole("every", self.every, 1)

    @property
    def natural(self) -> int:
        """A few changes."""
        return 4 * self.every

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Stretch after stretch."""
        while True:
            u = direction(rng, self.features)
            left = self.every
            while left > 0:
                X, y = labeled_rows(rng, u, self.margin)
                yield from map(Round, X[:left], y[:left].tolist())
                left -= y.size
