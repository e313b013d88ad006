"""Independent rows that a hyperplane separates with a margin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats
from .game import Game, Played, Round
from .ranges import real, whole

BLOCK = 256  # rows made at a time


@dataclass(frozen=True)
class Separable(Game):
    """Unit rows, labeled by a hidden unit vector u with y u.x >= margin.

    **Reaches** a part of the Perceptron's 1/margin^2 that falls as rounds are easier
    than the worst: chance is a poor adversary.

    Parameters
    ----------
    features : int
        d.
    margin : float
        How far from the hyperplane all rows stay.

    Examples
    --------
    >>> import regretless as rg
    >>> game = rg.games.Separable(features=10, margin=0.2)
    >>> bout = rg.arena(rg.Perceptron(), game, rounds=2000)
    >>> bout.run.mistakes <= bout.headline.value <= 1 / 0.2**2
    True
    """

    features: int = 20
    margin: float = 0.1

    kind = "labels"
    random = True
    reaches = ("perceptron/separable",)

    def check(self) -> None:
        """A direction to vary in, and a margin below the length of a row."""
        whole("features", self.features, 2)
        real("margin", self.margin, 0.0, 1.0, ends="()")

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Row after row."""
        u = direction(rng, self.features)
        while True:
            X, y = labeled_rows(rng, u, self.margin)
            yield from map(Round, X, y.tolist())

    def truth(self, played: Played) -> Floats:
        """The hidden direction, scaled to a margin of one."""
        rng = np.random.default_rng(played.seed)
        return direction(rng, self.features) / self.margin


def direction(rng: np.random.Generator, features: int) -> Floats:
    """A unit vector in any direction."""
    u = rng.normal(size=features)
    return u / np.linalg.norm(u)


def labeled_rows(
    rng: np.random.Generator, u: Floats, margin: float
) -> tuple[Floats, Floats]:
    """Unit rows on either side of the hyperplane of u, at least `margin` away."""
    drawn = rng.normal(size=(BLOCK, u.size))
    y = rng.choice([-1.0, 1.0], size=BLOCK)
    drawn -= np.outer(drawn @ u, u)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    away = margin + (1.0 - margin) * rng.random(BLOCK) ** 2
    across = np.sqrt(1.0 - away**2)
    return across[:, None] * drawn + (y * away)[:, None] * u, y
