"""The adversary of gradient descent: gradients at a right angle to where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ...parts.state import Floats
from .game import Game, Opponent, Played, Round
from .ranges import whole


@dataclass(frozen=True)
class Orthogonal(Game):
    """Show a unit x at a right angle to w, and say +1.

    The score is 0, the gradient of the hinge is -x, and by Pythagoras |w|^2 grows by
    eta^2 a round: in two dimensions already, w runs out on a spiral. Against u = w
    (scaled into the unit ball, where the hinge is linear) the regret is
    eta T = |u|^2/(2 eta) + (eta/2) T.

    **Reaches** the whole bound of :class:`~regretless.OGD` with a constant step as long
    as eta sqrt(T) <= 1: a ratio of 1.000, also with the lecture's step on the unit
    ball. For the Perceptron every round is a tie, hence a mistake.

    Parameters
    ----------
    features : int
        d.

    References
    ----------
    Cesa-Bianchi, lecture 16; Dekel, lecture 18.

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.OGD(step="theorem", radius=1.0, max_norm=1.0, horizon=400)
    >>> bout = rg.arena(learner, rg.games.Orthogonal(), rounds=400)
    >>> bout.headline.theorem.name, round(bout.headline.ratio, 6)
    ('ogd/lecture', 1.0)
    """

    features: int = 2

    kind = "labels"
    usual_rounds = 400  # enough to see the root
    adaptive = True
    reaches = ("ogd/lecture", "ogd/data")

    def check(self) -> None:
        """A right angle needs two dimensions."""
        whole("features", self.features, 2)

    def moves(self, rng: np.random.Generator, learner: Opponent) -> Iterator[Round]:
        """A unit vector orthogonal to the weights, always labeled +1."""
        for t in count():
            w = learner.weights()
            squares = float(w @ w)
            x: Floats = np.zeros(self.features)
            x[t % self.features] = 1.0
            if squares > 0.0:
                x -= (x @ w) / squares * w
            if float(x @ x) < 0.25 and squares > 0.0:  # too near to w: turn it away
                x = np.zeros(self.features)
                x[int(np.argmin(np.abs(w)))] = 1.0
                x -= (x @ w) / squares * w
            yield Round(x / np.linalg.norm(x), 1.0)

    def truth(self, played: Played) -> Floats:
        """Where the learner ended, scaled into the unit ball."""
        return played.weights / max(1.0, float(np.linalg.norm(played.weights)))
