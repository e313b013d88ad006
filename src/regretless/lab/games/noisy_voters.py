"""Voters who err by chance, one of them less than the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Round
from .ranges import real, whole


@dataclass(frozen=True)
class NoisyVoters(Game):
    """A coin is tossed; N experts say what it shows, each wrong now and then.

    One of them, drawn by the seed, errs with probability `best`, the others with
    probability `error`. With best = 0 there is a perfect expert.

    **Reaches** little: a majority of many who err independently is hardly ever wrong.

    Parameters
    ----------
    experts : int
        N.
    error : float
        How often they err.
    best : float
        How often the best one does; not for Halving, unless it is 0.

    Examples
    --------
    >>> import regretless as rg
    >>> bout = rg.arena(rg.Halving(), rg.games.NoisyVoters(experts=32), rounds=200)
    >>> bout.run.mistakes <= 5
    True
    """

    experts: int = 64
    error: float = 0.45
    best: float = 0.0

    kind = "votes"
    usual_rounds = 200  # enough to find the best
    random = True
    reaches = ("halving", "weighted-majority")

    def check(self) -> None:
        """Probabilities."""
        whole("experts", self.experts, 1)
        real("error", self.error, 0.0, 1.0)
        real("best", self.best, 0.0, 1.0)

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Toss after toss."""
        errors = np.full(self.experts, self.error)
        errors[rng.integers(self.experts)] = self.best
        while True:
            y = float(rng.random() < 0.5)
            wrong = rng.random(self.experts) < errors
            yield Round(np.where(wrong, 1.0 - y, y), y)
