"""The mean game while the mean is moving."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from .game import Game, Round
from .ranges import real, whole


@dataclass(frozen=True)
class DriftingNumbers(Game):
    """Numbers around a mean that goes up and down: a sine, and noise on top.

    The mean of all of the past is no longer a good prediction, and no longer needs to
    be: regret is against one fixed number, and that one suffers as well. It stays below
    1 + ln T; the loss does not.

    **Reaches** little of the bound, and can even be negative for a while: the learner
    moves with the mean, the best number in hindsight cannot.

    Parameters
    ----------
    period : int
        Rounds of one swing.
    noise : float
        The standard deviation of the noise; numbers are cut to [0, 1].

    Examples
    --------
    >>> import regretless as rg
    >>> bout = rg.arena(rg.FollowTheLeader(), rg.games.DriftingNumbers(), rounds=2000)
    >>> 0 < bout.headline.ratio < 0.25
    True
    """

    period: int = 500
    noise: float = 0.1

    kind = "numbers"
    random = True
    reaches = ("mean/log",)

    def check(self) -> None:
        """A swing of two rounds at least."""
        whole("period", self.period, 2)
        real("noise", self.noise, 0.0, 1.0)

    @property
    def natural(self) -> int:
        """Several swings."""
        return 4 * self.period

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """The sine and the noise."""
        for t in count():
            mean = 0.5 + 0.35 * math.sin(2.0 * math.pi * t / self.period)
            y = mean + self.noise * float(rng.normal())
            yield Round(None, min(1.0, max(0.0, y)))
