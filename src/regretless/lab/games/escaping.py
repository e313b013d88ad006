"""The adversary of prediction intervals: it sees them, and escapes when it hurts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from .game import Game, Round
from .opponents import CoveredOpponent
from .ranges import whole


@dataclass(frozen=True)
class Escaping(Game):
    """Nothing but the prediction, for long; then always just outside of the interval.

    While every label is what was predicted, the threshold q falls to 0. When steps are
    small, each label is beyond the end of its interval, until q is 1 and intervals are
    unbounded. Between the two, q has moved as far as it can, and every part of the way
    was a miss.

    **Reaches** 0.86 of the bound on misses (``coverage/prefix``) where it turns at
    round 4,200, and never all of it, whatever the learner is.

    Parameters
    ----------
    turn : int
        The round from which on labels escape.

    References
    ----------
    Gibbs, Candes (2021), Adaptive conformal inference under distribution shift.

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.intervals(rg.OGD(rg.Squared(), rg.Constant(0.1)), level=0.9)
    >>> bout = rg.arena(learner, rg.games.Escaping(), points=1)
    >>> bout.headline.theorem.name, round(bout.headline.ratio, 2)
    ('coverage/prefix', 0.86)
    """

    turn: int = 4200

    kind = "targets"
    adaptive = True
    covered = True
    reaches = ("coverage/prefix",)

    def check(self) -> None:
        """There is a round before it."""
        whole("turn", self.turn, 1)

    @property
    def width(self) -> int:
        """One feature, always 1."""
        return 1

    @property
    def natural(self) -> int:
        """Until intervals are unbounded, and a little longer."""
        return self.turn + 150

    def moves(
        self, rng: np.random.Generator, learner: CoveredOpponent
    ) -> Iterator[Round]:
        """The prediction (1 at first); then a number above the interval."""
        x = np.ones(1)
        for t in count():
            _, high = learner.interval(x)
            y = learner.score(x) if t else 1.0
            if t >= self.turn and math.isfinite(high):
                y = high + max(1.0, abs(high)) * 1e-9
            yield Round(x, y)
