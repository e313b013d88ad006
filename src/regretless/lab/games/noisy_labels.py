"""Rows with a margin, some of whose labels are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Round
from .ranges import real, whole
from .separable import direction, labeled_rows


@dataclass(frozen=True)
class NoisyLabels(Game):
    """Rows with a margin, but every label is wrong with probability `noise`.

    As :class:`Separable`, before the labels are flipped. Nothing separates the rows any
    more; what is left are the agnostic bounds, with the hinge losses of the best u in
    hindsight.

    **Reaches** a large part of them: most mistakes are the noise itself, which u pays
    as well.

    Parameters
    ----------
    features : int
        d.
    margin : float
        How far from the hyperplane all rows stay.
    noise : float
        The probability of a wrong label.

    Examples
    --------
    >>> import regretless as rg
    >>> game = rg.games.NoisyLabels(noise=0.1)
    >>> bout = rg.arena(rg.Perceptron(), game, rounds=1000)
    >>> 0.2 < bout.headline.ratio < 1
    True
    """

    features: int = 20
    margin: float = 0.1
    noise: float = 0.1

    kind = "labels"
    random = True
    reaches = ("perceptron/root",)

    def check(self) -> None:
        """As :class:`Separable`; and at most a fair coin."""
        whole("features", self.features, 2)
        real("margin", self.margin, 0.0, 1.0, ends="()")
        real("noise", self.noise, 0.0, 0.5)

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Row after row."""
        u = direction(rng, self.features)
        while True:
            X, y = labeled_rows(rng, u, self.margin)
            wrong = rng.random(y.size) < self.noise
            yield from map(Round, X, np.where(wrong, -y, y).tolist())
