"""The adversary of strongly convex losses: a parabola with its bottom far away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats
from .game import Game, Opponent, Played, Round


@dataclass(frozen=True)
class Quadratic(Game):
    """The loss (w - z)^2, z the end of [-1, 1] that is farther from w.

    It is 2-strongly convex (half of it is 1-strongly convex), and steps of 1/(2t)
    from w = 0 make w the mean of the z so far. Then the regret is exactly
    sum |g_t|^2/(2 sigma t), g_t = 2 (w_t - z_t), sigma = 2.

    **Reaches** the whole data form of ``OGD(loss=Squared(), step=InverseTime(2.0))``:
    a ratio of 1.000, and a regret of about ln T.

    References
    ----------
    Cesa-Bianchi, lecture 16.

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.OGD(loss=rg.Squared(), step=rg.InverseTime(2.0))
    >>> bout = rg.arena(learner, rg.games.Quadratic(), rounds=500)
    >>> bout.headline.theorem.name, round(bout.headline.ratio, 9)
    ('strongly-convex/data', 1.0)
    """

    kind = "targets"
    adaptive = True
    reaches = ("strongly-convex/data",)

    def check(self) -> None:
        """Nothing to set."""

    @property
    def width(self) -> int:
        """One weight."""
        return 1

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """The farther end."""
        while True:
            x = np.ones(1)
            yield Round(x, -1.0 if learner.score(x) > 0.0 else 1.0)

    def truth(self, played: Played) -> Floats:
        """The mean of all targets."""
        return np.array([float(played.y.mean())])
