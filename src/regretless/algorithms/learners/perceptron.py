"""The Perceptron: w += y x on a mistake, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...parts.composition import Composition
from ...parts.geometries import Euclidean
from ...parts.losses import Hinge
from ...parts.steps import Constant
from ...parts.triggers import OnMistake
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner

__all__ = ["Perceptron"]


@dataclass(repr=False)
class Perceptron(LinearLearner):
    r"""Rosenblatt's Perceptron: gradient descent on the hinge, masked to mistakes.

    Start at w = 0. On a mistake, that is on ``y * w.x <= 0``::

        w += y x

    The step size does not matter: from w = 0 it only scales w.

    **Theorem.** For every u, with h_t(u) = max(0, 1 - y_t u.x_t), R = max |x_t|,
    b = R |u| and c = sum_t h_t(u), the number of mistakes M satisfies ::

        M <= c + b^2/2 + b sqrt(b^2/4 + c)          (<= c + b^2 + b sqrt(c))
        M <= R^2 |u|^2 = (R/margin)^2               if u separates: y u.x >= 1
        M <= sum over mistakes of h_t(u) + |u| |w|  (tightest, on this very data)

    Parts: :class:`~regretless.Hinge` loss, Euclidean geometry, constant step, updates
    on mistakes only.

    Notes
    -----
    A tie is a mistake. Mansour's lecture prints a strict inequality, from which w = 0
    would never move.

    References
    ----------
    Rosenblatt (1958); Novikoff (1962); Mansour, lecture 5; Cesa-Bianchi, lecture 16.

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(
    ...     rg.Perceptron(), [[1, 0], [0, 1], [1, 1], [2, -1]], [1, -1, -1, 1]
    ... )
    >>> run.mistakes, run.weights
    (3, array([ 0., -2.]))
    """

    theorems = "perceptron.PERCEPTRON"
    games = ("unit-vectors", "separable")
    lifts_rows: ClassVar[bool] = True
    classifier = EstimatorSpec()

    def composition(self, n_weights: int) -> Composition:
        """Hinge, Euclidean, constant, on mistake."""
        return Composition(
            loss=Hinge(), geometry=Euclidean(), step=Constant(1.0), trigger=OnMistake()
        )
