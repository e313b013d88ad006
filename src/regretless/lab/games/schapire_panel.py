"""Schapire's panel: among N voters, the majority of an unknown k is always right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...parts.rows import Longs
from ...parts.state import Floats
from .game import Game, Played, Round
from .ranges import whole

ENTRIES = 2**16  # votes drawn at a time


@dataclass(frozen=True)
class SchapirePanel(Game):
    """N voters say -1 or +1 at random; what happens is the majority of k of them.

    The panel has |u|^2 = k and a margin of one, a row |x|^2 = N: the Perceptron makes
    at most N k mistakes. On the simplex the margin is 1/k: normalized Winnow makes at
    most 2 k^2 ln N.

    **Reaches** a part of either that shows their shape: linear in N, logarithmic in N
    (:func:`~regretless.experiments.panel_growth` draws both). `close` votes, which the
    panel decides by one voice, are harder.

    Parameters
    ----------
    voters : int
        N.
    k : int
        The size of the panel, odd.
    close : bool
        Whether the panel always decides by one voice.

    References
    ----------
    Schapire, COS 511 lecture 15.

    Examples
    --------
    >>> import regretless as rg
    >>> game = rg.games.SchapirePanel(voters=51, k=3)
    >>> bout = rg.arena(rg.Perceptron(), game, rounds=2000)
    >>> bout.headline.value
    153.0
    >>> rg.games.SchapirePanel(voters=9, k=4)
    Traceback (most recent call last):
    ValueError: k=4 must be odd and at most voters=9
    """

    voters: int = 51
    k: int = 3
    close: bool = False

    kind = "labels"
    random = True
    reaches = (
        "perceptron/panel",
        "normalized-winnow/panel",
        "balanced-winnow/panel",
    )

    def check(self) -> None:
        """A majority needs an odd panel, and a panel voters."""
        whole("voters", self.voters, 1)
        whole("k", self.k, 1)
        if self.k % 2 == 0 or self.k > self.voters:
            raise ValueError(f"k={self.k} must be odd and at most voters={self.voters}")

    @property
    def natural(self) -> int:
        """Enough to find the panel."""
        return 20 * self.voters

    def moves(self, rng: np.random.Generator, learner: object) -> Iterator[Round]:
        """Vote after vote."""
        panel = self._panel(rng)
        block = max(1, ENTRIES // self.voters)
        while True:
            X = np.where(rng.random((block, self.voters)) < 0.5, 1.0, -1.0)
            if self.close:
                winning = np.arange(self.k) <= self.k // 2
                shuffled = rng.permuted(np.tile(winning, (block, 1)), axis=1)
                side = np.where(rng.random((block, 1)) < 0.5, 1.0, -1.0)
                X[:, panel] = np.where(shuffled, side, -side)
            y = np.sign(X[:, panel].sum(axis=1))
            yield from map(Round, X, y.tolist())

    def truth(self, played: Played) -> Floats:
        """One for every member of the panel."""
        u = np.zeros(self.voters)
        u[self._panel(np.random.default_rng(played.seed))] = 1.0
        return u

    def _panel(self, rng: np.random.Generator) -> Longs:
        return rng.choice(self.voters, size=self.k, replace=False)
