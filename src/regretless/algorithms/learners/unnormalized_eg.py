"""Unnormalized exponentiated gradient: multiplicative updates, for any loss."""

from __future__ import annotations

from dataclasses import dataclass

from ...parts.composition import Composition
from ...parts.geometries import Entropy
from ...parts.losses import Hinge
from ...parts.part_types import Loss, Part
from ...parts.spelled import spelled
from ...parts.steps import Constant
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner

__all__ = ["UnnormalizedEG"]


@dataclass(repr=False)
class UnnormalizedEG(LinearLearner):
    """Exponentiated gradient whose weights are positive and may add up to anything.

    Start at w_i = 1/d. Every round, with z the gradient::

        w_i = w_i exp(-eta z_i)

    **Theorem.** For a convex loss, while eta |z_{t,i}| <= 1, and every u >= 0, with
    D(u) = 1 + (ln d - 1)|u|_1 + sum u_i ln u_i ::

        R(u) <= D(u)/eta + eta sum_t sum_i w_{t,i} z_{t,i}^2

    :class:`~regretless.Winnow` is this learner on its surrogate, masked to mistakes.

    Parts: the given loss and step, :class:`~regretless.Entropy`, always.

    Parameters
    ----------
    loss : a loss
        Any.
    step : a step
        Any; the theorem is about a constant one.

    References
    ----------
    Kivinen, Warmuth (1997); Mansour, lecture 5.

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.UnnormalizedEG(loss=rg.Squared(), step=rg.Constant(0.1))
    >>> run = rg.play(learner, [[1.0, 0.0], [1.0, 0.5], [0.0, 1.0]], [2.0, 3.0, 1.0])
    >>> run.weights.round(3)
    array([1.022, 0.665])
    """

    loss: Loss | str = Hinge()
    step: Part | float = Constant(0.1)

    theorems = "winnow.UNNORMALIZED_EG"
    games = ("promote-demote", "disjunction")
    classifier = EstimatorSpec(
        model="mean",
        poor_score=True,  # no weight can be negative
        notes="""
        Weights are never negative, nor is the intercept: give each column a twin with
        the opposite sign, or take :class:`EGClassifier`.
        """,
        example="""
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(500, 3))
        >>> y = X @ [2.0, 0.0, 1.0] > 0
        >>> model = rg.sklearn.UnnormalizedEGClassifier(random_state=0).fit(X, y)
        >>> model.score(X, y) > 0.9, bool((model.coef_ > 0).all())
        (True, True)
        """,
    )
    regressor = EstimatorSpec(
        {"loss": "absolute", "step": 0.05},
        model="mean",
        poor_score=True,
        notes="""
        Weights are never negative, nor is the intercept: give each column a twin with
        the opposite sign, or take :class:`EGRegressor`.
        """,
        hints={
            "loss": 'Weights grow by the exponential of the gradient: "squared" needs '
            "labels and\n    entries near one, or a small step."
        },
        example="""
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(1000, 3))
        >>> y = X @ [2.0, 0.0, 1.0] + 0.5
        >>> model = rg.sklearn.UnnormalizedEGRegressor(random_state=0).fit(X, y)
        >>> round(model.score(X, y), 1)
        1.0
        """,
    )

    def composition(self, n_weights: int) -> Composition:
        """The given loss and step, unnormalized entropy, always."""
        return Composition(
            loss=spelled("loss", self.loss),
            geometry=Entropy(),
            step=spelled("step", self.step),
        )
