"""The worst case of the mean game: the number that is farthest away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Opponent, Round
from .ranges import real


@dataclass(frozen=True)
class Farthest(Game):
    """Reveal the end of the range that is farther from the prediction.

    The mean stays near the middle, so every round costs about a quarter of the range
    squared, and by the identity R = sum (x_t - y_t)^2/t the regret is about
    (1/4) ln T. At the middle itself the upper end is taken.

    **Reaches** about .25 ln T on [0, 1], a quarter of the bound 1 + ln T of
    :class:`~regretless.FollowTheLeader`, and the identity exactly.

    Parameters
    ----------
    low, high : float
        The range; the learner's must contain it.

    References
    ----------
    Freund's lecture, on estimating the mean.

    Examples
    --------
    >>> import math, regretless as rg
    >>> bout = rg.arena(rg.FollowTheLeader(), rg.games.Farthest(), rounds=10_000)
    >>> round(bout.run.ledger.regret / math.log(10_000), 2)
    0.32
    """

    low: float = 0.0
    high: float = 1.0

    kind = "numbers"
    adaptive = True
    reaches = ("mean/log",)

    def check(self) -> None:
        """A range."""
        real("low", self.low, -1e100, 1e100)
        real("high", self.high, self.low, 1e100, ends="(]")

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """The farther end."""
        middle = 0.5 * (self.low + self.high)
        while True:
            y = self.low if learner.predict(None) > middle else self.high
            yield Round(None, y)
