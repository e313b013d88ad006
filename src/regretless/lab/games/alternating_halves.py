"""The adversary of Hedge: halves lose in turn, then all but one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .game import Game, Round
from .ranges import whole


@dataclass(frozen=True)
class AlternatingHalves(Game):
    """One half of the experts loses, then the other; at the end all but one lose.

    In the first phase the weights swing, and the mixture loses eta/8 more than the best
    in every round; in the second one it pays ln N/eta to find the one that stopped
    losing. With eta = sqrt(8 ln N / T), the second phase is as long as a round of it
    costs more than eta/8: ln((N-1)(8/eta - 1))/eta.

    **Reaches** .974 to .995 of sqrt(T ln N / 2), the bound of
    :class:`~regretless.Hedge` with its horizon known (T from 1,000 to 10,000).

    After T rounds all but one go on losing.

    Parameters
    ----------
    experts : int
        N.
    horizon : int
        T.

    References
    ----------
    Cesa-Bianchi and Lugosi (2006), section 2.2, for the bound.

    Examples
    --------
    >>> import regretless as rg
    >>> game = rg.games.AlternatingHalves(experts=16, horizon=10_000)
    >>> bout = rg.arena(rg.Hedge(horizon=10_000), game)
    >>> round(bout.headline.ratio, 3)
    0.994
    """

    experts: int = 16
    horizon: int = 1000

    kind = "losses"
    reaches = ("hedge/horizon", "hedge/anytime")

    def check(self) -> None:
        """Two halves, and time for both phases."""
        whole("experts", self.experts, 2)
        whole("horizon", self.horizon, 2)

    @property
    def natural(self) -> int:
        """T."""
        return self.horizon

    @property
    def closing(self) -> int:
        """How many rounds the second phase has."""
        eta = math.sqrt(8.0 * math.log(self.experts) / self.horizon)
        odds = (self.experts - 1) * max(8.0 / eta - 1.0, 2.0)
        return min(math.ceil(math.log(odds) / eta), self.horizon // 2)

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Swing, then settle."""
        first = np.arange(self.experts) < self.experts // 2
        halves = (~first).astype(np.float64), first.astype(np.float64)
        for t in range(self.horizon - self.closing):
            yield Round(halves[t % 2], None)
        last = (np.arange(self.experts) != self.experts - 1).astype(np.float64)
        while True:
            yield Round(last, None)
