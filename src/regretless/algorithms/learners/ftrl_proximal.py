"""FTRL-Proximal: a step a feature, and weights that are exactly zero."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

from ...parts.composition import Composition
from ...parts.domains import Box, Everywhere
from ...parts.geometries import Proximal
from ...parts.losses import Hinge, Logistic
from ...parts.part_types import Domain, Loss
from ...parts.spelled import spelled
from ...parts.steps import Constant
from ..estimator_spec import EstimatorSpec
from ..played import GameKind
from .linear_learner import LinearLearner
from .scaling import view_named

__all__ = ["FTRLProximal"]


@dataclass(repr=False)
class FTRLProximal(LinearLearner):
    """Follow the regularized leader, proximally, a feature at a time, with L1.

    Start at z = n = 0. Every round, with g the gradient of the loss of w, for every i
    with g_i != 0 ::

        sigma = (sqrt(n_i + g_i^2) - sqrt(n_i))/alpha
        z_i += g_i - sigma w_i,    n_i += g_i^2
        w_i = 0                                          where |z_i| <= l1, else
        w_i = -(z_i - sign(z_i) l1)/((beta + sqrt(n_i))/alpha + l2)

    Without l1 and l2 it is AdaGrad with steps alpha/(beta + sqrt(n_i)). With l1 it is
    lazy in a way that gradient descent is not: models are truly sparse.

    **Theorem.** For every u (in the box), with |g_i| = sqrt(sum_t g_{t,i}^2) and with D
    the width of the box, or max_t |w_t|_inf + |u|_inf where there is none ::

        R(u) <= l1|u|_1 + ((l2 + beta/alpha)/2)|u|^2 + (D^2/(2 alpha) + alpha) sum |g_i|
        R(u) <= 2 sqrt(2) B sum |g_i|     box of radius B, alpha = sqrt(2) B, the rest 0

    Parts: the given loss, :class:`~regretless.Proximal` geometry, constant step,
    always, :class:`~regretless.Box`.

    Parameters
    ----------
    alpha : float
        The step; about the size of the weights to be learned.
    beta : float
        Holds the first steps back.
    l1, l2 : float
        The regularizer l1|w|_1 + (l2/2)|w|^2, in all and not in every round.
    loss : a loss
        Logistic by default.
    radius : float or None
        Keep every weight within [-radius, radius].
    scale : "rms", "max" or None
        Divide every entry by the running root mean square, or the running maximum, of
        its feature (nonzeros only, this one included). Then the learner is scale-free:
        the units of a feature do not matter. Without, they do. Theorems are then about
        rows as they are seen.

    References
    ----------
    McMahan (2011), "Follow-the-regularized-leader and mirror descent"; McMahan et al.
    (2013), "Ad click prediction", algorithm 1; McMahan (2017), theorem 2.

    Examples
    --------
    >>> import regretless as rg
    >>> X, y = [[1, 1, 0], [1, 0, 1], [-1, 0, 1], [-1, 1, 0]] * 25, [1, 1, -1, -1] * 25
    >>> run = rg.play(rg.FTRLProximal(alpha=1.0, l1=2.0), X, y)
    >>> run.mistakes, run.weights.round(3)
    (5, array([3.57, 0.  , 0.  ]))
    """

    theorems = "adaptive.FTRL_PROXIMAL"
    games = ("unit-vectors", "noisy-labels")
    scales_columns: ClassVar[bool] = True

    alpha: float = 0.1
    beta: float = 1.0
    l1: float = 0.0
    l2: float = 0.0
    loss: Loss | str = Logistic()
    radius: float | None = None
    scale: str | None = None

    classifier = EstimatorSpec(model="last", arguments="alpha=1.0")
    # scikit-learn's check of the score sets alpha=0.01: a penalty's name elsewhere.
    regressor = EstimatorSpec({"alpha": 1.0, "loss": "squared"}, poor_score=True)

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        return cls(math.sqrt(2.0), 0.0, loss=Hinge(), radius=1.0)

    def composition(self, n_weights: int) -> Composition:
        """The given loss, proximal, constant, always, a box."""
        domain: Domain = Everywhere()
        if self.radius is not None:
            if not 0 < self.radius < math.inf:
                raise ValueError(f"radius={self.radius!r} must be positive and finite")
            domain = Box(-self.radius, self.radius)
        return Composition(
            loss=spelled("loss", self.loss),
            geometry=Proximal(self.alpha, self.beta, self.l1, self.l2),
            step=Constant(1.0),
            domain=domain,
            view=view_named(self.scale),
        )
