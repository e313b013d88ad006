"""The adversary of Schapire's panel: votes that are tied wherever they can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats
from .game import Game, Opponent, Played, Round
from .ranges import whole

ROOM = 1e-12  # sums are rounded


@dataclass(frozen=True)
class HungPanel(Game):
    """The panel decides by one voice, and the other voters make it a tie.

    Of the panel, the k//2 + 1 members that the learner trusts least vote +1, the others
    -1. Everybody else is dealt to the two sides, heaviest first, so that the weighted
    vote is as close to a tie as it can be without being right. What happens is +1. On
    such a round |w|^2 grows by N, the most that the proof of the Perceptron allows, and
    the divergence of Winnow falls by the least.

    **Reaches** .99 of the Perceptron's N k from N = 101 on, and .92 to .96 of the data
    forms of normalized and balanced Winnow: until the panel outweighs all others.

    When no tie is possible any more, the panel is shown deciding by one voice.

    Parameters
    ----------
    voters : int
        N.
    k : int
        The size of the panel, odd; its members come first.

    References
    ----------
    Schapire, COS 511 lecture 15.

    Examples
    --------
    >>> import regretless as rg
    >>> bout = rg.arena(rg.Perceptron(), rg.games.HungPanel(voters=101, k=3))
    >>> bout.run.mistakes, bout.headline.value
    (300, 303.0)
    """

    voters: int = 101
    k: int = 3

    kind = "labels"
    adaptive = True
    reaches = (
        "perceptron/panel",
        "normalized-winnow/panel",
        "balanced-winnow/panel",
    )

    def check(self) -> None:
        """A majority needs an odd panel, and a panel others to hide among."""
        whole("voters", self.voters, 2)
        whole("k", self.k, 1)
        if self.k % 2 == 0 or self.k >= self.voters:
            raise ValueError(
                f"k={self.k} must be odd and less than voters={self.voters}"
            )

    @property
    def natural(self) -> int:
        """As many as the Perceptron may be wrong."""
        return self.voters * self.k

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """Votes that are as good as tied."""
        before: Floats = np.zeros(0)
        x: Floats = np.zeros(0)
        while True:
            weights = learner.weights()
            if not np.array_equal(weights, before):  # else it was right, and stays so
                before, x = weights, self._deal(weights)
                score = learner.score(x)
                if score > 0.0:
                    _tip(x[self.k :], weights[self.k :], score)
            yield Round(x, 1.0)

    def _deal(self, weights: Floats) -> Floats:
        """The panel by one voice, and everybody else against it."""
        x: Floats = np.ones(self.voters)
        x[np.argsort(-weights[: self.k], kind="stable")[: self.k // 2]] = -1.0
        total = float(weights[: self.k] @ x[: self.k])
        others = self.k + np.argsort(-np.abs(weights[self.k :]), kind="stable")
        signs: list[float] = []
        for weight in weights[others].tolist():
            signs.append(-1.0 if (total > 0.0) == (weight > 0.0) else 1.0)
            total += weight * signs[-1]
        x[others] = signs
        return x

    def truth(self, played: Played) -> Floats:
        """One for every member of the panel."""
        u = np.zeros(self.voters)
        u[: self.k] = 1.0
        return u


def _tip(x: Floats, weights: Floats, score: float) -> None:
    """Turn one voter, the lightest that is enough, where the vote would be right."""
    gains = weights * x
    enough = np.flatnonzero(gains >= 0.5 * score + ROOM)
    if enough.size:
        voter = enough[np.argmin(gains[enough])]
        x[voter] = -x[voter]
