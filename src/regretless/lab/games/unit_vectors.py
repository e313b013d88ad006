"""The adversary of the Perceptron: one new direction a round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ...parts.state import Floats
from .game import Game, Played, Round
from .ranges import whole


@dataclass(frozen=True)
class UnitVectors(Game):
    """Show x_t = e_t, a direction that was never seen, and say +1.

    A learner that starts at 0 and moves along what it saw has a score of 0 on it, and a
    tie is a mistake. u = (1, ..., 1) is right everywhere: R = 1, |u|^2 = d, margin 1.

    **Reaches** exactly (R/gamma)^2 = d mistakes of :class:`~regretless.Perceptron`:
    its whole bound.

    After d rounds they come again.

    Parameters
    ----------
    features : int
        d.

    References
    ----------
    Novikoff (1962); the lectures of Mansour, Cesa-Bianchi, Freund and Schapire.

    Examples
    --------
    >>> import regretless as rg
    >>> bout = rg.arena(rg.Perceptron(), rg.games.UnitVectors(features=30))
    >>> bout.run.mistakes, round(bout.headline.value, 9)
    (30, 30.0)
    """

    features: int = 64

    kind = "labels"
    sparse = True
    reaches = ("perceptron/separable",)

    def check(self) -> None:
        """At least one direction."""
        whole("features", self.features, 1)

    @property
    def natural(self) -> int:
        """Every direction once."""
        return self.features

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """One direction after the other."""
        for t in count():
            x = np.zeros(self.features)
            x[t % self.features] = 1.0
            yield Round(x, 1.0)

    def truth(self, played: Played) -> Floats:
        """One for every direction that was seen."""
        u = np.zeros(self.features)
        u[: len(played.y)] = 1.0
        return u
