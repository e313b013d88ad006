"""The mean game among friends: independent numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Round
from .ranges import real


@dataclass(frozen=True)
class RandomNumbers(Game):
    """Zeros and ones, independent of each other, the same every round.

    **Reaches** on average (x_1 - mean)^2 + sigma^2 H_{T-1} against the mean itself,
    with sigma^2 = mean (1 - mean) and H the harmonic numbers: at most .25 ln T, as much
    as the worst case.

    Parameters
    ----------
    mean : float
        The probability of a one.

    References
    ----------
    Freund's lecture, on estimating the mean.

    Examples
    --------
    >>> import regretless as rg
    >>> game = rg.games.RandomNumbers(mean=0.3)
    >>> rg.play(rg.FollowTheLeader(), **game.take(1000, seed=1)).weights.round(2)
    array([0.3])
    """

    mean: float = 0.5

    kind = "numbers"
    random = True
    reaches = ("mean/log",)

    def check(self) -> None:
        """A probability."""
        real("mean", self.mean, 0.0, 1.0)

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """One toss after the other."""
        while True:
            yield Round(None, float(rng.random() < self.mean))
