"""The adversary of Winnow's potential: promote bystanders, then demote them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats
from .game import Game, Opponent, Played, Round
from .ranges import whole

ROOM = 1e-9  # sums are rounded: keep a little away from the threshold


@dataclass(frozen=True)
class PromoteDemote(Game):
    """False negatives that raise bystanders, false positives that lower them again.

    The label is +1 if one of the first k features is present. Greedily, looking at the
    weights: show a relevant feature together with as many irrelevant ones, lightest
    first, as w.x stays below the threshold (a false negative: all are promoted for the
    sake of one); then, as long as they can, the fewest irrelevant ones, heaviest first,
    with w.x above it (a false positive: they are demoted).

    **Reaches** .87 to .89 of the potential bound of :class:`~regretless.Winnow` from
    d = 300 on (about .58 of 8(1 + k(ln d - 1)), which counts both kinds of mistake
    alike).

    When nothing can be forced any more, the relevant features are shown in turn.

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
    >>> bout = rg.arena(rg.Winnow(), rg.games.PromoteDemote(features=300, k=4))
    >>> bout.run.mistakes, round(bout.headline.ratio, 2)
    (94, 0.89)
    """

    features: int = 300
    k: int = 4

    kind = "labels"
    adaptive = True
    sparse = True
    reaches = ("winnow/potential", "winnow/disjunction")

    def check(self) -> None:
        """Fewer relevant features than features."""
        whole("features", self.features, 2)
        whole("k", self.k, 1)
        if self.k >= self.features:
            raise ValueError(f"k={self.k} must be less than features={self.features}")

    @property
    def natural(self) -> int:
        """About what Winnow with eta = 1/4 can be made to err."""
        return int(5 * (1 + self.k * (np.log(self.features) - 1))) + 1

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """What costs most, as long as something can be forced."""
        turn = 0
        while True:
            weights, threshold = learner.weights(), learner.threshold
            others = self.k + np.argsort(weights[self.k :], kind="stable")
            total = weights[others[::-1]].cumsum()
            x = np.zeros(self.features)
            if total[-1] >= threshold + ROOM:
                fewest = int(total.searchsorted(threshold + ROOM)) + 1
                x[others[::-1][:fewest]] = 1.0
                yield Round(x, -1.0)
                continue
            low = np.flatnonzero(weights[: self.k] < threshold - ROOM)
            feature = int(low[0]) if low.size else turn % self.k
            turn += 1
            x[feature] = 1.0
            if low.size:
                room = threshold - ROOM - float(weights[feature])
                many = int(weights[others].cumsum().searchsorted(room, "right"))
                x[others[:many]] = 1.0
            yield Round(x, 1.0)

    def truth(self, played: Played) -> Floats:
        """The first k features."""
        u = np.zeros(self.features)
        u[: self.k] = 1.0
        return u
