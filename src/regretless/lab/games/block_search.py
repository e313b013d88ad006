"""The adversary of all who learn disjunctions: a binary search in every block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats
from .game import Game, Opponent, Played, Round
from .ranges import whole


@dataclass(frozen=True)
class BlockSearch(Game):
    """Hide one relevant feature in each of k blocks; never give it away.

    A row is half of the features of a block that may still be the relevant one. If the
    learner says +, the label is -, and the relevant one is in the other half; if it
    says -, the label is +, and it is in this half. Either way a mistake, and some
    disjunction of k features is right about everything.

    **Reaches** k floor(log2(d/k)) mistakes of every deterministic learner, Winnow
    included: its k ln d is the best possible up to a constant.

    After that the disjunction is shown, one feature after the other.

    Parameters
    ----------
    features : int
        d.
    k : int
        How many are relevant.

    References
    ----------
    Littlestone (1988); Mansour, lecture 5.

    Examples
    --------
    >>> import regretless as rg
    >>> for learner in (rg.Winnow(), rg.Perceptron()):
    ...     rg.arena(learner, rg.games.BlockSearch(features=64, k=4)).run.mistakes
    16
    16
    """

    features: int = 256
    k: int = 4

    kind = "labels"
    adaptive = True
    sparse = True
    reaches = ("winnow/disjunction",)

    def check(self) -> None:
        """At least two features a block."""
        whole("features", self.features, 2)
        whole("k", self.k, 1)
        if 2 * self.k > self.features:
            raise ValueError(
                f"k={self.k} must be at most half of features={self.features}"
            )

    @property
    def depth(self) -> int:
        """How often a block can be halved."""
        return (self.features // self.k).bit_length() - 1

    @property
    def natural(self) -> int:
        """All searches."""
        return self.k * self.depth

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """Search block after block; then show what was found."""
        size = 2**self.depth
        found: list[int] = []
        for block in range(self.k):
            first, left = block * size, size
            while left > 1:
                left //= 2
                x = np.zeros(self.features)
                x[first : first + left] = 1.0
                y = -learner.predict(x)
                yield Round(x, y)
                first += 0 if y > 0 else left
            found.append(first)
        while True:
            for feature in found:
                x = np.zeros(self.features)
                x[feature] = 1.0
                yield Round(x, 1.0)

    def truth(self, played: Played) -> Floats:
        """The first feature of every block that nothing speaks against."""
        size = 2**self.depth
        X = played.X.toarray() if hasattr(played.X, "toarray") else played.X
        possible = np.ones(self.features, np.bool_)
        for x, y in zip(X[: self.natural] > 0, played.y, strict=False):
            block = int(np.argmax(x)) // size
            inside = np.zeros(self.features, np.bool_)
            inside[block * size : (block + 1) * size] = True
            possible &= ~inside | (x if y > 0 else ~x)
        u = np.zeros(self.features)
        for block in range(self.k):
            u[block * size + int(np.argmax(possible[block * size :]))] = 1.0
        return u
