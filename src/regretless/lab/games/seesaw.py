"""Linear losses that break a follower of the leader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from .game import Game, Round


@dataclass(frozen=True)
class Seesaw(Game):
    """The losses g w with g = 1/2, -1, +1, -1, ... on [-1, 1], as two experts.

    The expert at -1 and the one at +1 lose (1 - g)/2 and (1 + g)/2; a mixture of them
    is a point between. The sum of the g so far changes its sign every round, so the
    best point so far is always the worst in the next round.

    **Reaches** T: following the leader (``Hedge(eta=1e6)`` as near as makes no
    difference) loses in every round, the best expert in every other one, so the regret
    is T/2. A learner that leans on its past more gently (``Hedge()``, AdaHedge, OGD)
    pays a constant or the root of T.

    References
    ----------
    Freund's lecture, on follow the leader; Shalev-Shwartz (2012), example 2.2.

    Examples
    --------
    >>> import regretless as rg
    >>> for learner in (rg.Hedge(eta=1e6), rg.Hedge()):
    ...     run = rg.arena(learner, rg.games.Seesaw(), rounds=1000).run
    ...     print(f"{run.ledger.regret:.1f}")
    499.8
    12.9
    """

    kind = "losses"
    reaches = ("hedge/anytime", "hedge/rate")

    def check(self) -> None:
        """Nothing to set."""

    @property
    def width(self) -> int:
        """The two ends."""
        return 2

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """1/2, then -1 and +1 in turn."""
        for t in count():
            g = 0.5 if t == 0 else (-1.0 if t % 2 else 1.0)
            yield Round(np.array([0.5 - 0.5 * g, 0.5 + 0.5 * g]), None)
