"""Online gradient descent: a step against the gradient, and back into the domain."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from ...parts.composition import Composition
from ...parts.domains import Ball, Everywhere
from ...parts.geometries import Euclidean
from ...parts.losses import Hinge, Squared
from ...parts.part_types import Domain, Loss, Part
from ...parts.spelled import spelled
from ...parts.steps import Constant, InverseSqrt, InverseTime
from ..estimator_spec import EstimatorSpec
from ..played import GameKind
from .linear_learner import LinearLearner
from .theorem_steps import checked, declared, lipschitz

__all__ = ["OGD"]


@dataclass(repr=False)
class OGD(LinearLearner):
    """Online (sub)gradient descent with any loss and any step, free or projected.

    Start at w = 0. Every round, with g the gradient of the loss of w::

        w = Proj(w - eta_t g)

    **Theorem.** For every u (every u in the domain, when projecting) the regret is ::

        R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2         eta constant
        R(u) <= U G sqrt(8 T)          eta_t = sqrt(2) U/(G sqrt(t)), ball of radius U
        R(u) <= U sqrt(8 sum |g_t|^2)  eta_t = sqrt(2) U/sqrt(sum_{s<=t} |g_s|^2)

    Parts: the given loss and step, Euclidean geometry, always.

    Parameters
    ----------
    loss : a loss
        :class:`~regretless.Hinge`, :class:`~regretless.Logistic`,
        :class:`~regretless.Squared`, ... or your own.
    step : a step, or "theorem"
        :class:`~regretless.Constant`, :class:`~regretless.InverseSqrt`,
        :class:`~regretless.InverseTime`, :class:`~regretless.Adaptive`. "theorem" is
        the step of the bound: B/(lambda X sqrt(m)) for a declared horizon m, else the
        anytime sqrt(2) B/(lambda X sqrt(t)); it needs `radius` and `max_norm`.
    radius : float or None
        Project onto the ball of this radius; None for no projection.
    domain : a domain or None
        Another set to project onto: :class:`~regretless.Box`,
        :class:`~regretless.Simplex`.
    max_norm : float or None
        The X of the theorem: no row is longer.
    horizon : int or None
        The m of the theorem: how many rounds there will be.

    References
    ----------
    Zinkevich (2003); Cesa-Bianchi, lecture 16; Dekel, lecture 18 (whose regret bound
    once prints sqrt(n) where sqrt(m), the number of rounds, is meant).

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.OGD(loss=rg.Squared(), step=rg.Constant(0.1), radius=1.0)
    >>> run = rg.play(learner, [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [1.0, 2.0, 3.0])
    >>> float(round(run.loss, 4)), run.weights.round(3)
    (10.76, array([0.611, 0.791]))
    """

    loss: Loss | str = Hinge()
    step: Part | float | str = Constant(0.5)
    radius: float | None = None
    domain: Domain | str | None = None
    max_norm: float | None = None
    horizon: int | None = None

    theorems = "gradient.OGD strongly_convex.PEGASOS"
    games = ("orthogonal", "noisy-labels")
    classifier = EstimatorSpec(
        example="""
        >>> import regretless as rg
        >>> X, y = [[1, 0], [0, 1], [2, 1], [1, 3]] * 10, ["ham", "spam"] * 20
        >>> model = rg.sklearn.OGDClassifier(loss="logistic", random_state=0).fit(X, y)
        >>> model.predict_proba([[3, 1], [0, 2]]).round(1)
        array([[1., 0.],
               [0., 1.]])
        """
    )
    regressor = EstimatorSpec(
        {"loss": "squared", "step": None},
        hints={"step": "No scale of the data can blow up an adaptive step."},
    )

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        if game.kind == "targets":
            return cls(loss=Squared(), step=InverseTime(2.0))
        return cls(step="theorem", radius=1.0, max_norm=1.0, horizon=rounds)

    def composition(self, n_weights: int) -> Composition:
        """The given loss and step, Euclidean, always, the given domain."""
        if self.radius is not None and self.domain is not None:
            raise ValueError("give radius or domain, not both")
        domain = Everywhere() if self.domain is None else spelled("domain", self.domain)
        if self.radius is not None:
            domain = Ball(self.radius)
        return Composition(
            loss=spelled("loss", self.loss),
            geometry=Euclidean(),
            step=self._step(),
            domain=domain,
        )

    def _step(self) -> Part:
        if not isinstance(self.step, str):
            return spelled("step", self.step)
        reach = declared(self.step, self.max_norm, "max_norm")
        if self.radius is None:
            raise ValueError('step="theorem" is for a ball: declare radius=')
        if isinstance(self.loss, Squared):  # |g| <= 4 B X^2 while |y| <= B X
            steepest = 4.0 * self.radius * reach**2
        else:
            steepest = lipschitz(self.loss) * reach
        if self.horizon is None:
            return InverseSqrt(math.sqrt(2.0) * self.radius / steepest)
        return Constant(self.radius / (steepest * math.sqrt(checked(self.horizon))))
