"""The second-order Perceptron: a Perceptron in the geometry of its own mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ...parts.composition import Composition
from ...parts.losses import Hinge
from ...parts.prediction_rules import Foreseen
from ...parts.steps import Constant
from ...parts.triggers import OnMistake
from ...parts.updates import LeastSquares
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner
from .matrices import matrix_named

__all__ = ["SecondOrderPerceptron"]


@dataclass(repr=False)
class SecondOrderPerceptron(LinearLearner):
    """The Perceptron on rows that the correlation matrix of its mistakes has whitened.

    Start with A = a I, b = 0. Predict the sign of b.((A + x x')^-1 x); on a mistake ::

        A += x x',    b += y x

    In weights, w = A^-1 b and q = x'A^-1 x: the score is w.x/(1 + q), which has the
    sign of w.x, and a mistake moves w by A^-1 x (y - w.x)/(1 + q): ridge regression on
    the rows that were mistaken. A large `a` is the Perceptron.

    **Theorem.** For every u, with h_t(u) its hinge losses, sums over mistakes ::

        M <= sum h_t(u) + sqrt((a|u|^2 + sum (u.x_t)^2) sum r_t)
          <= sum h_t(u) + sqrt((a|u|^2 + sum (u.x_t)^2) ln det(A/a))

    where r_t = x_t'A_t^-1 x_t, A_t with x_t in it.

    Parts: :class:`~regretless.Hinge` loss, :class:`~regretless.FullMatrix` geometry,
    :class:`~regretless.LeastSquares` updates, :class:`~regretless.Foreseen`
    predictions, :class:`~regretless.OnMistake`.

    Parameters
    ----------
    a : float
        What the matrix starts with, in the units of x^2.
    matrix : "auto", "full" or "diagonal"
        "auto" keeps the full matrix up to 2,000 features, and else its diagonal, about
        which nothing is proven.

    References
    ----------
    Cesa-Bianchi, Conconi, Gentile (2005), "A second-order Perceptron algorithm".

    Examples
    --------
    >>> import regretless as rg
    >>> rows, y = [[1, 1], [1, 0], [2, 1]], [1, -1, 1]
    >>> run = rg.play(rg.SecondOrderPerceptron(), rows, y)
    >>> run.mistakes, run.weights
    (2, array([-0.2,  0.6]))
    """

    a: float = 1.0
    matrix: Literal["auto", "full", "diagonal"] = field(default="auto", kw_only=True)

    theorems = "full_matrix.SECOND_ORDER_PERCEPTRON"
    games = ("unit-vectors", "separable")
    classifier = EstimatorSpec()

    def composition(self, n_weights: int) -> Composition:
        """Hinge, a matrix of rows, least squares, foreseen, on mistakes."""
        return Composition(
            loss=Hinge(),
            geometry=matrix_named(
                self.matrix, ("a", self.a), n_weights, bias=self.bias
            ),
            step=Constant(1.0),
            trigger=OnMistake(),
            update=LeastSquares(),
            prediction_rule=Foreseen(),
        )
