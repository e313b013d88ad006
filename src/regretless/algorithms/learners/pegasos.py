"""Pegasos: the support vector machine as a strongly convex online game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ...parts.composition import Composition
from ...parts.geometries import Euclidean
from ...parts.losses import Hinge
from ...parts.penalties import L2
from ...parts.steps import InverseTime
from ..estimator_spec import EstimatorSpec
from ..played import GameKind
from .linear_learner import LinearLearner

__all__ = ["Pegasos"]


@dataclass(repr=False)
class Pegasos(LinearLearner):
    """Gradient descent on hinge + (strength/2)|w|^2 with steps 1/(strength t).

    Start at w = 0. In round t::

        w = (1 - 1/t) w + [y w.x <= 1] y x / (strength t)

    **Theorem.** Every round's objective is strength-strongly convex, so against every
    u, with g_t the gradient of the whole objective ::

        R(u) <= sum |g_t|^2 / (2 strength t) <= (G^2/(2 strength)) (1 + ln T)

    Logarithmic in T, where a merely convex loss allows sqrt(T). The loss in the ledger
    is the whole objective.

    Parts: hinge loss, :class:`~regretless.L2` penalty, Euclidean geometry,
    :class:`~regretless.InverseTime` step, always.

    Parameters
    ----------
    strength : float
        The sigma of (sigma/2)|w|^2.

    Notes
    -----
    Strong convexity needs every eigenvalue of the Hessian to be at least sigma;
    Cesa-Bianchi's lecture says positive, for which exp(w) is a counterexample. The
    original algorithm may also project; this is the variant without.

    References
    ----------
    Shalev-Shwartz, Singer, Srebro, Cotter (2011); Cesa-Bianchi, lecture 16.

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.Pegasos(1.0), [[1, 0], [0, 1], [1, 1]], [1, -1, -1])
    >>> run.mistakes, run.weights.round(3)
    (3, array([ 0.   , -0.667]))
    """

    strength: float

    theorems = "strongly_convex.PEGASOS"
    games = ("orthogonal", "noisy-labels")
    classifier = EstimatorSpec({"strength": 1e-3})

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        return cls(0.1)

    def composition(self, n_weights: int) -> Composition:
        """Hinge, L2, Euclidean, 1/(sigma t), always."""
        return Composition(
            loss=Hinge(),
            geometry=Euclidean(),
            step=InverseTime(self.strength),
            penalty=L2(self.strength),
        )
