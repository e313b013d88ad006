"""Passive-aggressive: stay where the loss is zero, else go just far enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...parts.composition import Composition
from ...parts.geometries import Euclidean
from ...parts.losses import EpsilonInsensitive, Hinge, SquaredHinge
from ...parts.steps import Constant
from ...parts.updates import Implicit, Polyak
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner

__all__ = ["PassiveAggressive"]


@dataclass(repr=False)
class PassiveAggressive(LinearLearner):
    """PA, PA-I and PA-II: the closest weights that make (or nearly make) up for a loss.

    Start at w = 0. Every round, with h the hinge loss max(0, 1 - y w.x) ::

        w += tau y x,   tau = h/|x|^2                 PA     (C = None)
                        tau = min(C, h/|x|^2)         PA-I
                        tau = h/(|x|^2 + 1/(2C))      PA-II  (squared=True)

    PA-I is the implicit update of gradient descent on the hinge with step C, and PA-II
    the same on the squared hinge.

    **Theorem.** For every u, with R = max |x_t| and h_t(u) its hinge losses ::

        M <= R^2 |u|^2                                  PA, where y u.x >= 1 always
        M <= max(R^2, 1/C) (|u|^2 + 2 C sum h_t(u))          PA-I
        sum h_t^2 <= (R^2 + 1/(2C)) (|u|^2 + 2 C sum h_t(u)^2)     PA-II

    and for PA-I also the regret of gradient descent,
    R(u) <= |u|^2/(2C) + (C/2) sum |g_t|^2.

    Parts: :class:`~regretless.Hinge` loss (PA-II: :class:`~regretless.SquaredHinge`;
    regression: :class:`~regretless.EpsilonInsensitive`), Euclidean geometry, constant
    step C, :class:`~regretless.Implicit` updates (PA: :class:`~regretless.Polyak`),
    always. PA and classification with it are scale-free as a whole (multiply all of x
    by one number and nothing changes), but not a feature at a time.

    Parameters
    ----------
    C : float or None
        How aggressive: the largest step. None stands for no limit, which trusts every
        label.
    squared : bool
        PA-II: a soft limit in place of a hard one.
    epsilon : float or None
        Learn real numbers: a prediction within epsilon of the truth costs nothing.

    References
    ----------
    Crammer, Dekel, Keshet, Shalev-Shwartz, Singer (2006), "Online passive-aggressive
    algorithms", theorems 2, 4 and 5.

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.PassiveAggressive(), [[1, 0], [0, 2], [1, 1]], [1, -1, -1])
    >>> run.mistakes, run.weights
    (3, array([ 0.25, -1.25]))
    """

    theorems = "passive_aggressive.PASSIVE_AGGRESSIVE"
    games = ("unit-vectors", "separable")
    comparator: ClassVar[str] = "machines"

    C: float | None = None
    squared: bool = False
    epsilon: float | None = None

    classifier = EstimatorSpec({"C": 1.0}, fixed={"epsilon": None})
    regressor = EstimatorSpec({"C": 1.0, "epsilon": 0.1}, fixed={"squared": False})

    def composition(self, n_weights: int) -> Composition:
        """Hinge, Euclidean, constant C, always, implicit."""
        if self.squared and self.C is None:
            raise ValueError("squared=True is PA-II, which needs C=")
        if self.squared and self.epsilon is not None:
            raise ValueError("squared=True is for classification: leave epsilon out")
        loss = SquaredHinge() if self.squared else Hinge()
        if self.epsilon is not None:
            loss = EpsilonInsensitive(self.epsilon)
        return Composition(
            loss=loss,
            geometry=Euclidean(),
            step=Constant(1.0 if self.C is None else self.C),
            update=Polyak() if self.C is None else Implicit(),
        )
