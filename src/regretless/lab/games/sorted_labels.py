"""Separable rows in the worst order that a file can have: sorted by label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ...parts.state import Floats
from .game import Game, Played, Round
from .ranges import real, whole
from .separable import direction, labeled_rows


@dataclass(frozen=True)
class SortedLabels(Game):
    """Rows with a margin, all negatives of a block before all positives.

    As :class:`Separable`, but for the order. A mistake bound does not care about the
    order: the Perceptron's holds as it stands. What breaks is every claim about the
    future, which needs rows in random order: the first block is learned without a
    mistake worth the name, and the second begins with nothing but mistakes.

    **Reaches** a larger part of 1/margin^2 than the same rows shuffled.

    Parameters
    ----------
    features : int
        d.
    margin : float
        How far from the hyperplane all rows stay.
    block : int
        Rounds with one label before the other label comes.

    Examples
    --------
    >>> import regretless as rg
    >>> y = rg.games.SortedLabels(block=3).take(8)["y"]
    >>> y.astype(int).tolist()
    [-1, -1, -1, 1, 1, 1, -1, -1]
    """

    features: int = 20
    margin: float = 0.1
    block: int = 500

    kind = "labels"
    random = True
    reaches = ("perceptron/separable",)

    def check(self) -> None:
        """As :class:`Separable`."""
        whole("features", self.features, 2)
        real("margin", self.margin, 0.0, 1.0, ends="()")
        whole("block", self.block, 1)

    @property
    def natural(self) -> int:
        """One block of each."""
        return 2 * self.block

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Negatives, positives, negatives, ..."""
        u = direction(rng, self.features)
        for turn in count():
            label = 1.0 if turn % 2 else -1.0
            left = self.block
            while left > 0:
                X, y = labeled_rows(rng, u, self.margin)
                same = X[y == label][:left]
                left -= len(same)
                for x in same:
                    yield Round(x, label)

    def truth(self, played: Played) -> Floats:
        """The hidden direction, scaled to a margin of one."""
        rng = np.random.default_rng(played.seed)
        return direction(rng, self.features) / self.margin
