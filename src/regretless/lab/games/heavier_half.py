"""A greedy adversary of experts: those who are trusted lose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Opponent, Round
from .ranges import whole


@dataclass(frozen=True)
class HeavierHalf(Game):
    """In every round the half of the experts with the larger weights loses.

    **Reaches** a steady part of the bound of every learner of experts, those without a
    rate to aim at included: AdaHedge, Squint, BOA and MLPoly.

    Parameters
    ----------
    experts : int
        N.

    Examples
    --------
    >>> import regretless as rg
    >>> bout = rg.arena(rg.AdaHedge(), rg.games.HeavierHalf(experts=2), rounds=300)
    >>> round(bout.headline.ratio, 2)
    0.47
    """

    experts: int = 8

    kind = "losses"
    adaptive = True

    def check(self) -> None:
        """One expert at least must be able to lose."""
        whole("experts", self.experts, 2)

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """The trusted half loses."""
        while True:
            losses = np.zeros(self.experts)
            order = np.argsort(-learner.weights(), kind="stable")
            losses[order[: self.experts // 2]] = 1.0
            yield Round(losses, None)
