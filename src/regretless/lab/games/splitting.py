"""The adversary of Halving: split those who were never wrong, answer against them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Opponent, Round
from .ranges import whole


@dataclass(frozen=True)
class Splitting(Game):
    """Split the experts who were never wrong, and let the vote be wrong.

    Of the experts left, 2^(m-1) vote one way and the others the other way, m being the
    mistakes still to come; what happens is what the learner did not predict. Whichever
    side it follows, at least 2^(m-1) experts are left for m - 1 more mistakes.

    **Reaches** exactly floor(log2 N) mistakes of :class:`~regretless.Halving`: its
    whole bound, for every N, and as many of any other deterministic learner.

    After that one expert is left, who is right for ever.

    Parameters
    ----------
    experts : int
        N.

    References
    ----------
    Littlestone (1988); Freund's lecture.

    Examples
    --------
    >>> import regretless as rg
    >>> bout = rg.arena(rg.Halving(), rg.games.Splitting(experts=1000))
    >>> bout.run.mistakes, bout.headline.value
    (9, 9.0)
    """

    experts: int = 1024

    kind = "votes"
    adaptive = True
    reaches = ("halving",)

    def check(self) -> None:
        """Two experts at least."""
        whole("experts", self.experts, 2)

    @property
    def natural(self) -> int:
        """A mistake a round, and as many rounds of peace."""
        return 2 * (self.experts.bit_length() - 1)

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """Split, and answer against the vote, while there is anybody to split."""
        alive = np.arange(self.experts)
        for left in range(self.experts.bit_length() - 2, -1, -1):
            votes = np.zeros(self.experts)
            votes[alive[: alive.size - 2**left]] = 1.0
            y = 1.0 - learner.predict(votes)
            yield Round(votes, y)
            alive = alive[votes[alive] == y]
        votes = np.zeros(self.experts)
        votes[alive] = 1.0
        while True:
            yield Round(votes, 1.0)
