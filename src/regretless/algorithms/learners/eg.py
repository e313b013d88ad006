"""Exponentiated gradient: multiplicative updates on the simplex or the L1 ball."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from ...parts.composition import Composition
from ...parts.geometries import SignedEntropy, SimplexEntropy
from ...parts.losses import Hinge
from ...parts.part_types import Loss, Part
from ...parts.spelled import spelled
from ...parts.steps import Constant
from ..estimator_spec import EstimatorSpec
from ..played import GameKind
from .linear_learner import LinearLearner
from .theorem_steps import checked, declared, lipschitz

__all__ = ["EG"]


@dataclass(repr=False)
class EG(LinearLearner):
    """Exponentiated gradient, for any loss; signed, it reaches the whole L1 ball.

    Start at w_i = U/n, where U is the radius. Every round, with g the gradient::

        w_i = w_i exp(-eta U g_i) / Z,      Z such that sum w_i = U

    Signed, w = U(p+ - p-) from p+-_i = 1/(2n), with p+- moving by exp(-+ eta U g).

    **Theorem.** (U = 1) For every u on the simplex, with H its entropy ::

        R(u) <= (ln n - H(u))/eta + (eta/2) sum |g_t|_inf^2
        R(u) <= lambda X sqrt(2 m ln n)      at eta = sqrt(2 ln n / m)/(lambda X)

    for a lambda-Lipschitz loss and |x|_inf <= X. Signed and scaled: ln 2n for ln n, and
    U X for X.

    Parts: the given loss and step, :class:`~regretless.SimplexEntropy` or
    :class:`~regretless.SignedEntropy`, always.

    Parameters
    ----------
    loss : a loss
        Any.
    step : a step, or "theorem"
        Any. "theorem" is the step of the bound, sqrt(2 ln n / m)/(lambda U X) (2n for n
        if signed); it needs `max_entry` and `horizon`.
    radius : float
        What the weights (or their absolute values) add up to, at most.
    signed : bool
        Whether weights may be negative.
    max_entry : float or None
        The X of the theorem: no entry of x is larger in absolute value.
    horizon : int or None
        The m of the theorem: how many rounds there will be.

    References
    ----------
    Kivinen, Warmuth (1997); Dekel, lecture 18 (whose theorem once prints
    sqrt(2 n log m) where sqrt(2 m log n) is meant).

    Examples
    --------
    >>> import regretless as rg
    >>> learner = rg.EG(loss=rg.Squared(), step=rg.Constant(0.5))
    >>> run = rg.play(learner, [[1.0, 0.0], [1.0, 0.5], [0.0, 1.0]], [1.0, 1.0, 0.0])
    >>> run.weights.round(3)
    array([0.721, 0.279])
    """

    loss: Loss | str = Hinge()
    step: Part | float | str = Constant(0.5)
    radius: float = 1.0
    signed: bool = False
    max_entry: float | None = None
    horizon: int | None = None

    theorems = "exponentiated.EG"
    games = ("orthogonal", "noisy-labels")
    classifier = EstimatorSpec({"signed": True})
    regressor = EstimatorSpec({"loss": "squared", "step": 0.1, "signed": True})

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        return cls(step="theorem", max_entry=1.0, horizon=rounds, signed=True)

    def composition(self, n_weights: int) -> Composition:
        """The given loss and step, entropy on the simplex or signed, always."""
        kind = SignedEntropy if self.signed else SimplexEntropy
        step = self._step(n_weights * (2 if self.signed else 1))
        loss = spelled("loss", self.loss)
        return Composition(loss=loss, geometry=kind(self.radius), step=step)

    def _step(self, n: int) -> Part:
        if not isinstance(self.step, str):
            return spelled("step", self.step)
        reach = declared(self.step, self.max_entry, "max_entry")
        steepest = lipschitz(self.loss) * self.radius * reach
        rounds = checked(self.horizon)
        return Constant(math.sqrt(2.0 * math.log(max(n, 2)) / rounds) / steepest)
