"""Online Newton step: steps divided by the matrix of all gradients so far."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Self

from ...parts.composition import Composition
from ...parts.losses import Logistic, Squared, curvature_of
from ...parts.part_types import Loss
from ...parts.prediction_rules import Clipped
from ...parts.spelled import spelled
from ...parts.steps import Constant
from ...parts.updates import Projected
from ..estimator_spec import EstimatorSpec
from ..played import GameKind
from .linear_learner import LinearLearner
from .matrices import matrix_named

__all__ = ["ONS"]


@dataclass(repr=False)
class ONS(LinearLearner):
    """The online Newton step, for losses that bend: squared and logistic.

    Start with A = eps I, w = 0. Every round, with g the gradient of the loss of w ::

        w = the point nearest to w, in the norm of A, with |w.x| <= reach
        predict w.x;    A += g g';    w -= A^-1 g/gamma

    The first line has a closed form, w -= A^-1 x (w.x - clip(w.x))/(x'A^-1 x), so that
    what is predicted is w.x, cut to [-reach, reach].

    **Theorem.** For every u with |u.x_t| <= reach in every round, where the loss obeys
    l(u.x) >= l(w.x) + g.(u - w) + (gamma/2)(g.(u - w))^2 for all scores within reach ::

        R(u) <= (gamma eps/2)|u|^2 + sum_t g_t'A_t^-1 g_t/(2 gamma)
             <= (gamma eps/2)|u|^2 + ln det(A_T/eps)/(2 gamma)

    The squared loss does with gamma = 1/(8 reach^2) where |y| <= reach, the logistic
    loss with gamma = min(exp(-reach), 1/(8 reach))/2.

    Parts: the given loss, :class:`~regretless.FullMatrix` geometry, constant step
    1/gamma, :class:`~regretless.Projected` updates, :class:`~regretless.Clipped`
    predictions, always.

    Parameters
    ----------
    loss : a loss
        :class:`~regretless.Squared` or :class:`~regretless.Logistic`; another needs
        `gamma`.
    reach : float
        Predictions stay within [-reach, reach]; so should numbers y.
    eps : float or None
        What the matrix starts with; None stands for 1/(gamma reach)^2, with which the
        first term of the bound is 1/(2 gamma) at |u| = reach.
    gamma : float or None
        None stands for the gamma above. A larger one takes smaller steps, and the
        theorem is not proven of it.
    matrix : "auto", "full" or "diagonal"
        "auto" keeps the full matrix up to 2,000 features, and else its diagonal, about
        which nothing is proven.

    References
    ----------
    Hazan, Agarwal, Kale (2007), "Logarithmic regret algorithms for online convex
    optimization"; the projection: Luo, Agarwal, Cesa-Bianchi, Langford (2016).

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.ONS(reach=2.0), [[1.0]] * 9, [1.0] * 9, trace=True)
    >>> run.scores.round(2)
    array([0.  , 0.25, 0.43, 0.57, 0.67, 0.75, 0.81, 0.86, 0.89])
    """

    theorems = "full_matrix.ONS"
    games = ("unit-vectors", "noisy-labels")
    comparator: ClassVar[str] = "within reach"

    loss: Loss | str = Squared()
    reach: float = 1.0
    eps: float | None = None
    gamma: float | None = None
    matrix: Literal["auto", "full", "diagonal"] = field(default="auto", kw_only=True)

    classifier = EstimatorSpec(
        {"loss": "logistic"}, model="last", hints={"loss": "Another one needs `gamma`."}
    )
    regressor = EstimatorSpec(
        hints={"loss": "Another one needs `gamma`."}, arguments="reach=2.0"
    )

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        return cls(Logistic())

    def composition(self, n_weights: int) -> Composition:
        """The given loss, a matrix of gradients, 1/gamma, projected, clipped."""
        if not 0.0 < self.reach < math.inf:
            raise ValueError(f"reach={self.reach!r} must be positive and finite")
        gamma = self.gamma
        if gamma is None:
            gamma = curvature_of(spelled("loss", self.loss), self.reach)
        if gamma is None:
            raise ValueError(
                f"no gamma is known for {self.loss!r:.40}: take Squared() or "
                "Logistic(), or give gamma="
            )
        if not 0.0 < gamma < math.inf:
            raise ValueError(f"gamma={gamma!r} must be positive and finite")
        eps = self.eps if self.eps is not None else 1.0 / (gamma * self.reach) ** 2
        return Composition(
            loss=spelled("loss", self.loss),
            geometry=matrix_named(self.matrix, ("eps", eps), n_weights, bias=self.bias),
            step=Constant(1.0 / gamma),
            update=Projected(),
            prediction_rule=Clipped(self.reach),
        )
