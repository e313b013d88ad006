"""The adversary of weighted majorities: split the weight evenly, answer against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Opponent, Round
from .ranges import whole


@dataclass(frozen=True)
class Balancing(Game):
    """Let the weights on both sides be equal, as nearly as they can, and be contrary.

    Experts are dealt to the two sides, heaviest first, always to the lighter side; then
    what happens is what the learner did not predict. Where the sides are equal, the
    total falls by a factor of (1 + beta)/2, no more than the proof allows.

    **Reaches** a mistake in every round, and .96 to .98 of the bound of
    :class:`~regretless.WeightedMajority` (from 8 experts on, 400 rounds; .99 with 16,
    beta = .9 and 2,000 rounds); .86 of the randomized one's.

    No expert is perfect in this game: it is not for Halving.

    Parameters
    ----------
    experts : int
        N.

    References
    ----------
    Littlestone and Warmuth (1994).

    Examples
    --------
    >>> import regretless as rg
    >>> bout = rg.arena(rg.WeightedMajority(), rg.games.Balancing(experts=8))
    >>> bout.run.mistakes, round(bout.headline.ratio, 2)
    (400, 0.96)
    """

    experts: int = 8

    kind = "votes"
    usual_rounds = 400  # enough to see the share grow
    adaptive = True
    reaches = (
        "weighted-majority",
        "randomized-weighted-majority",
    )

    def check(self) -> None:
        """Two sides."""
        whole("experts", self.experts, 2)

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """Deal the experts to two sides, and answer against the learner."""
        while True:
            weights = learner.weights()
            votes = np.zeros(self.experts)
            sides = [0.0, 0.0]
            for expert in np.argsort(-weights, kind="stable").tolist():
                side = int(sides[1] <= sides[0])
                votes[expert] = side
                sides[side] += float(weights[expert])
            yield Round(votes, 1.0 - learner.predict(votes))
