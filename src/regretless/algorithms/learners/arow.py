"""AROW: adaptive regularization of weights, a Gaussian belief about every weight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ...parts.composition import Composition
from ...parts.losses import Hinge
from ...parts.steps import Constant
from ...parts.triggers import OnMargin
from ...parts.updates import LeastSquares
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner
from .matrices import matrix_named

__all__ = ["AROW"]


@dataclass(repr=False)
class AROW(LinearLearner):
    """Adaptive regularization of weight vectors: confident about what it has met often.

    Start with w = 0 and covariance S = I. Predict the sign of w.x; where the margin
    y w.x is at most 1 ::

        w += S x (y - w.x)/(r + x'S x),    S -= S x x'S/(r + x'S x)

    With A = r S^-1 that is A += x x', w += A^-1 x (y - w.x) with the new A: ridge
    regression on the rows whose margin was too small.

    **Theorem.** For every u, with M mistakes, U updates that were none, h_t(u) the
    hinge losses, sums over all updates, r_t = x_t'A_t^-1 x_t ::

        M <= sqrt((r|u|^2 + sum (u.x_t)^2) (sum r_t + U)) + sum h_t(u) - U
          <= sqrt((r|u|^2 + sum (u.x_t)^2) (ln det(A/r) + U)) + sum h_t(u) - U

    Parts: :class:`~regretless.Hinge` loss, :class:`~regretless.FullMatrix` geometry,
    :class:`~regretless.LeastSquares` updates, :class:`~regretless.OnMargin`.

    Parameters
    ----------
    r : float
        How little a single row is trusted, in the units of x^2.
    matrix : "auto", "full" or "diagonal"
        "auto" keeps the full matrix up to 2,000 features, and else its diagonal, about
        which nothing is proven.

    References
    ----------
    Crammer, Kulesza, Dredze (2009), "Adaptive regularization of weight vectors".

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.AROW(), [[1, 0], [0, 2], [1, 1]], [1, -1, -1])
    >>> run.mistakes, run.ledger.updates, run.weights
    (3, 3, array([ 0.17647059, -0.52941176]))
    """

    theorems = "full_matrix.AROW"
    games = ("unit-vectors", "noisy-labels")
    comparator: ClassVar[str] = "machines"

    r: float = 1.0
    matrix: Literal["auto", "full", "diagonal"] = field(default="auto", kw_only=True)

    classifier = EstimatorSpec(model="last")

    def composition(self, n_weights: int) -> Composition:
        """Hinge, a matrix of rows, least squares, within the margin."""
        return Composition(
            loss=Hinge(),
            geometry=matrix_named(
                self.matrix, ("r", self.r), n_weights, bias=self.bias
            ),
            step=Constant(1.0),
            trigger=OnMargin(1.0),
            update=LeastSquares(),
        )
