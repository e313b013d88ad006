"""Vovk, Azoury and Warmuth's forecaster: ridge regression that foresees its own row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ...parts.composition import Composition
from ...parts.losses import Squared
from ...parts.prediction_rules import Foreseen
from ...parts.steps import Constant
from ...parts.updates import LeastSquares
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner
from .matrices import matrix_named
from .scaling import view_named

__all__ = ["VAW"]


@dataclass(repr=False)
class VAW(LinearLearner):
    """The Vovk-Azoury-Warmuth forecaster, for real numbers and the squared loss.

    Start with A = a I, b = 0. Every round::

        A += x x';    predict b.(A^-1 x);    b += y x

    A has met x before x is predicted, which shrinks predictions in directions that have
    not been seen. The weights are those of ridge regression, w = A^-1 b: with P = A^-1
    kept up to date and q = x'P x from before the round, the prediction is
    w.x/(1 + q), and ::

        w += P x (y - w.x)/(1 + q),    P -= P x x'P/(1 + q)

    **Theorem.** For every u, with Y = max |y_t|, r_t = x_t'A_t^-1 x_t ::

        R(u) <= a|u|^2 + Y^2 sum_t r_t
             <= a|u|^2 + Y^2 ln det(A_T/a)
             <= a|u|^2 + Y^2 d ln(1 + sum |x_t|^2/(a d))

    Nothing has to be known in advance, neither Y nor |u|. (Exactly, for every u:
    R(u) = a|u|^2 - (u - w_T)'A_T(u - w_T) + sum_t (y_t^2 r_t - q_t s_t^2), where s_t is
    what was predicted.)

    Parts: :class:`~regretless.Squared` loss, :class:`~regretless.FullMatrix` geometry,
    :class:`~regretless.LeastSquares` updates, :class:`~regretless.Foreseen`
    predictions, always.

    Parameters
    ----------
    strength : float
        a, the ridge. It is in the units of x^2: take ``scale`` where those differ.
    scale : "rms", "max" or None
        Divide every entry by the running root mean square, or the running maximum, of
        its feature. Theorems are then about rows as they are seen.
    matrix : "auto", "full" or "diagonal"
        "auto" keeps the full matrix up to 2,000 features, and else its diagonal. A row
        costs O(d^2), or O(nonzeros) with the diagonal, about which nothing is proven.

    References
    ----------
    Vovk (2001), "Competitive on-line statistics"; Azoury, Warmuth (2001), "Relative
    loss bounds for on-line density estimation".

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.VAW(), [[1.0], [1.0], [2.0]], [3.0, 3.0, 6.0], trace=True)
    >>> run.scores.round(3), run.weights.round(3)  # ridge: 18/(1 + 6)
    (array([0.   , 1.   , 1.714]), array([2.571]))
    """

    theorems = "full_matrix.VAW"
    games = ("quadratic", "quadratic")
    comparator: ClassVar[str] = "ridge"
    scales_columns: ClassVar[bool] = True

    strength: float = 1.0
    scale: str | None = None
    matrix: Literal["auto", "full", "diagonal"] = field(default="auto", kw_only=True)

    regressor = EstimatorSpec(
        model="last",
        notes="""
        After any number of rows ``coef_`` is that of ridge regression on all of them,
        in whatever order they came. The theorem, and ``ledger_``, are about what it
        said on the way, when each row had entered its matrix first.
        """,
        example="""
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(1000, 3))
        >>> y = X @ [0.5, 1.0, -0.25] + 0.1
        >>> model = rg.sklearn.VAWRegressor(random_state=0).fit(X, y)
        >>> model.coef_.round(2), model.intercept_.round(2)
        (array([ 0.5 ,  1.  , -0.25]), array([0.1]))
        """,
    )

    def composition(self, n_weights: int) -> Composition:
        """Squared, a matrix of rows, least squares, foreseen, always."""
        return Composition(
            loss=Squared(),
            geometry=matrix_named(
                self.matrix, ("strength", self.strength), n_weights, bias=self.bias
            ),
            step=Constant(1.0),
            update=LeastSquares(),
            view=view_named(self.scale),
            prediction_rule=Foreseen(),
        )
