"""Disjunctions: a few features matter, one of them is enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.rows import Longs
from ...parts.state import Floats
from .game import Game, Played, Round
from .ranges import real, whole

ENTRIES = 2**16  # numbers drawn at a time


@dataclass(frozen=True)
class Disjunction(Game):
    """Random zeros and ones; + if one of k hidden features is present.

    **Reaches** a small part of Winnow's 8(1 + k(ln d - 1)): chance is a poor adversary
    (:class:`BlockSearch` and :class:`PromoteDemote` are good ones). What it shows is
    ln d against d: beside Winnow, watch the Perceptron.

    Parameters
    ----------
    features : int
        d.
    k : int
        How many are relevant.
    density : float or None
        The probability of a one; None: as many positives as negatives.

    References
    ----------
    Littlestone (1988); Mansour, lecture 5.

    Examples
    --------
    >>> import regretless as rg
    >>> game = rg.games.Disjunction(features=1000, k=3)
    >>> for learner in (rg.Winnow(), rg.Perceptron(bias=True)):
    ...     rg.arena(learner, game, rounds=2000).run.mistakes
    66
    646
    """

    features: int = 200
    k: int = 3
    density: float | None = None

    kind = "labels"
    random = True
    sparse = True
    reaches = ("winnow/disjunction",)

    def check(self) -> None:
        """No more relevant features than features."""
        whole("features", self.features, 1)
        whole("k", self.k, 1)
        if self.k > self.features:
            raise ValueError(f"k={self.k} must be at most features={self.features}")
        if self.density is not None:
            real("density", self.density, 0.0, 1.0, ends="()")

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Row after row."""
        relevant = self._relevant(rng)
        density = self.density if self.density is not None else 1 - 0.5 ** (1 / self.k)
        block = max(1, ENTRIES // self.features)
        while True:
            X = (rng.random((block, self.features)) < density).astype(np.float64)
            y = np.where(X[:, relevant].any(axis=1), 1.0, -1.0)
            yield from map(Round, X, y.tolist())

    def truth(self, played: Played) -> Floats:
        """One for every relevant feature."""
        u = np.zeros(self.features)
        u[self._relevant(np.random.default_rng(played.seed))] = 1.0
        return u

    def _relevant(self, rng: np.random.Generator) -> Longs:
        return rng.choice(self.features, size=self.k, replace=False)
