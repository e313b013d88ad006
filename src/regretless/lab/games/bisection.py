"""A threshold on the line, hidden in what is left of an interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats
from .game import Game, Opponent, Played, Round
from .ranges import whole


@dataclass(frozen=True)
class Bisection(Game):
    """Ask in the middle of what is unknown, and answer what was not predicted.

    A threshold in [0, 1] separates - from +. The adversary shows the middle of the
    interval that it may still lie in, and says -p whatever p the learner predicts; half
    of the interval is left, so some threshold is right about everything. Rows are
    (1, x): the threshold is a bias. (Through the origin, one mistake is all.)

    **Reaches** a mistake in every round, of every learner: without a margin there is no
    bound. The Perceptron's, (R/gamma)^2, grows by a factor of four a round.

    When numbers have no middle any more, the two ends are shown in turn.

    Parameters
    ----------
    depth : int
        How often to halve, at most 50.

    References
    ----------
    Mansour, lecture 5, figure 5.2.

    Examples
    --------
    >>> import regretless as rg
    >>> for learner in (rg.Perceptron(), rg.PassiveAggressive()):
    ...     rg.arena(learner, rg.games.Bisection(depth=40)).run.mistakes
    40
    40
    """

    depth: int = 30

    kind = "labels"
    adaptive = True
    reaches = ("perceptron/separable",)

    def check(self) -> None:
        """As often as numbers can be halved."""
        whole("depth", self.depth, 1, 50)

    @property
    def width(self) -> int:
        """The constant, and the number."""
        return 2

    @property
    def natural(self) -> int:
        """Every halving."""
        return self.depth

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """Halve the interval; then show its ends."""
        low, high = 0.0, 1.0
        for _ in range(self.depth):
            x = np.array([1.0, 0.5 * (low + high)])
            y = -learner.predict(x)
            yield Round(x, y)
            low, high = (low, x[1]) if y > 0 else (x[1], high)
        while True:
            yield Round(np.array([1.0, low]), -1.0)
            yield Round(np.array([1.0, high]), 1.0)

    def truth(self, played: Played) -> Floats:
        """The threshold in the middle of what is left."""
        below, above = played.X[played.y < 0, 1], played.X[played.y > 0, 1]
        low, high = below.max(initial=0.0), above.min(initial=1.0)
        return np.array([-(low + high), 2.0]) / (high - low)
