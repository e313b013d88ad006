"""Alice and Bob: two forecasters of rain, and one of them is closer to the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Round
from .ranges import real


@dataclass(frozen=True)
class Meteorologists(Game):
    """Alice and Bob say what they always say, and it rains as it always does.

    It rains with probability `chance`, which is never seen. But
    E (h - y)^2 = (h - p)^2 + p(1 - p), so the closer one pays less on average,
    and a mixture that learns pays no more than the better one and a little.

    **Reaches** little of any bound: it is a game to watch weights move in, and
    :func:`regretless.forecasts.compare` says when one can tell (about 130 days here, at
    the median; 800 where it rains with probability .7).

    Parameters
    ----------
    alice, bob : float
        What they say.
    chance : float
        The probability of rain.

    References
    ----------
    Schapire, COS 511 lecture 15, section 7.

    Examples
    --------
    >>> import regretless as rg
    >>> days = rg.games.Meteorologists().take(400, seed=1)
    >>> run = rg.play(rg.Hedge(eta=1.0), **days)
    >>> bool(run.weights[1] > 0.99)
    True
    >>> a, b = days["X"].T
    >>> rg.forecasts.compare(a, b, y=days["y"]).better
    'B'
    """

    alice: float = 0.7
    bob: float = 0.8
    chance: float = 0.9

    kind = "forecasts"
    usual_rounds = 400  # about a year
    random = True
    reaches = ("hedge/anytime", "adahedge/data")

    def check(self) -> None:
        """Probabilities."""
        for name in ("alice", "bob", "chance"):
            real(name, getattr(self, name), 0.0, 1.0)

    @property
    def width(self) -> int:
        """Two."""
        return 2

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Day after day."""
        said = np.array([self.alice, self.bob])
        while True:
            yield Round(said, float(rng.random() < self.chance))
