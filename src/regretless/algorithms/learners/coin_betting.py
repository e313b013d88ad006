"""Coin betting: gradient descent without a step size, by betting on the gradients."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ...parts.composition import Composition
from ...parts.geometries import Betting, CoordinateBetting
from ...parts.losses import Hinge
from ...parts.part_types import Loss
from ...parts.spelled import spelled
from ...parts.steps import Constant
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner
from .scaling import view_named

__all__ = ["CoinBetting"]


@dataclass(repr=False)
class CoinBetting(LinearLearner):
    """The Krichevsky-Trofimov bettor: nothing to tune, for every |u| at once.

    Every gradient is a coin c = -g/G, where G = lambda X bounds |g|: the loss is
    lambda-Lipschitz and rows are at most X long. Start with the wealth W = eps,
    theta = 0, S = 0. Every round ::

        w = theta W/(1 + S);    then    W += c.w,    theta += c,    S += |c|

    With coins of size one, 1 + S is the number of the round, and w is the textbook's
    -(sum g/t) W.

    **Theorem.** For every u, with T rounds, S = sum |g_t|/G <= T ::

        R(u) <= G (|u| sqrt(S ln(1 + 24 S^2 |u|^2/eps^2)) + eps)
        R(u)  = G (eps - W - theta.u)           of the linearized losses, exactly

    With ``per_coordinate`` every feature has a bettor of its own, and ::

        R(u) <= G sum_i (|u_i| sqrt(S_i ln(1 + 24 S_i^2 u_i^2/eps^2)) + eps)

    over the features that were met.

    Parts: the given loss, :class:`~regretless.Betting` geometry (or
    :class:`~regretless.CoordinateBetting`), constant step 1/G, always.

    Parameters
    ----------
    loss : a loss
        One that is Lipschitz: :class:`~regretless.Hinge`,
        :class:`~regretless.Logistic`, :class:`~regretless.Absolute`, ...
    eps : float
        The wealth to begin with: the regret against u = 0 is at most G eps.
    max_norm : float
        The X of the theorem: no row (with ``per_coordinate``, no entry) is larger. A
        larger one is learned from as if its gradient were cut to G; the theorem then
        says that it does not apply.
    per_coordinate : bool
        One bettor a feature. Entries are divided by the running maximum of their
        feature, unless `scale` says otherwise, so that they are at most 1.
    scale : "rms", "max" or None
        Divide every entry by the running root mean square, or the running maximum, of
        its feature (nonzeros only, this one included). The learner is scale-free (the
        units of a feature do not matter) with a scale or with ``per_coordinate``, and
        else not. Theorems are then about rows as they are seen.

    Notes
    -----
    S in place of the number of rounds costs nothing: the potential of the proof obeys
    F(S + a, theta + a)/F(S, theta) = E[(2Z)^a] with Z of a beta distribution, which is
    convex in a, and equals 1 + a theta/(1 + S) at a = 0 and a = 1.

    References
    ----------
    Orabona, Pal (2016), "Coin betting and parameter-free online learning"; Krichevsky,
    Trofimov (1981).

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.CoinBetting(), [[0.5, 0.5], [-0.5, 0.5]] * 20, [1, -1] * 20)
    >>> run.mistakes, run.weights.round(2)
    (2, array([2.09, 0.  ]))
    """

    theorems = "adaptive.COIN"
    games = ("unit-vectors", "noisy-labels")
    scales_columns: ClassVar[bool] = True

    loss: Loss | str = Hinge()
    eps: float = 1.0
    max_norm: float = 1.0
    per_coordinate: bool = False
    scale: str | None = None

    classifier = EstimatorSpec(model="last")
    regressor = EstimatorSpec({"loss": "absolute"}, arguments="per_coordinate=True")

    def composition(self, n_weights: int) -> Composition:
        """The given loss, betting, constant 1/G, always."""
        steepest = getattr(self.loss, "lipschitz", None)
        if steepest is None:
            raise ValueError(
                f"a bettor needs a Lipschitz loss, and {self.loss!r:.40} declares no "
                "constant"
            )
        if not 0 < self.max_norm < math.inf:
            raise ValueError(f"max_norm={self.max_norm!r} must be positive and finite")
        kind = CoordinateBetting if self.per_coordinate else Betting
        scale = self.scale
        if self.per_coordinate and scale is None:
            scale = "max"
        return Composition(
            loss=spelled("loss", self.loss),
            geometry=kind(self.eps),
            step=Constant(1.0 / (steepest * self.max_norm)),
            view=view_named(scale),
        )
