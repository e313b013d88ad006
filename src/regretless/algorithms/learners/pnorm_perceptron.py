"""The p-norm Perceptron: the family between the Perceptron and Winnow."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...parts.composition import Composition
from ...parts.geometries import PNorm
from ...parts.losses import Hinge
from ...parts.steps import Constant
from ...parts.triggers import OnMistake
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner

__all__ = ["PNormPerceptron"]


@dataclass(repr=False)
class PNormPerceptron(LinearLearner):
    """Additive in the dual, with weights that are the gradient of a squared p-norm.

    Start at theta = 0. On a mistake::

        theta += y x,    w_i = sign(theta_i) |theta_i|^(p-1) / |theta|_p^(p-2)

    p = 2 is the Perceptron. p = 2 ln d behaves like Winnow, without its restriction to
    features in [0, 1].

    **Theorem.** For every u, with h_t(u) = max(0, 1 - y_t u.x_t), c = sum_t h_t(u) and
    b = sqrt(p-1) max|x_t|_p |u|_q, where 1/p + 1/q = 1 ::

        M <= c + b^2/2 + b sqrt(b^2/4 + c)

    Parts: hinge loss, :class:`~regretless.PNorm` geometry, constant step, on mistake.

    Parameters
    ----------
    p : float or None
        At least 2; None stands for max(2, 2 ln d), which needs the number of features.

    References
    ----------
    Grove, Littlestone, Schuurmans (2001); Gentile (2003).

    Examples
    --------
    >>> import regretless as rg
    >>> X, y = [[1, 0, 0], [0, 1, 1], [1, 0, 1]], [1, -1, 1]
    >>> rg.play(rg.PNormPerceptron(p=3), X, y).mistakes
    3
    """

    p: float | None = None

    theorems = "perceptron.PNORM"
    games = ("hung-panel", "separable")
    classifier = EstimatorSpec()

    @property
    def fixed(self) -> bool:
        """Whether p depends on the number of features."""
        return self.p is None

    def composition(self, n_weights: int) -> Composition:
        """Hinge, p-norm, constant, on mistake."""
        p = self.p if self.p is not None else max(2.0, 2.0 * math.log(n_weights))
        return Composition(
            loss=Hinge(), geometry=PNorm(p), step=Constant(1.0), trigger=OnMistake()
        )
