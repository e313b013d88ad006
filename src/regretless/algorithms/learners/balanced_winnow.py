"""Balanced Winnow: Winnow for weights of either sign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from ...parts.composition import Composition
from ...parts.geometries import SignedEntropy
from ...parts.losses import Hinge
from ...parts.steps import Constant
from ...parts.triggers import OnMistake
from ..estimator_spec import EstimatorSpec
from ..played import GameKind
from .linear_learner import LinearLearner
from .multiplicative import check_domain, entry_range, step_for_margin

__all__ = ["BalancedWinnow"]


@dataclass(repr=False)
class BalancedWinnow(LinearLearner):
    """Normalized Winnow on (x, -x): every feature votes for itself and against itself.

    Start at w+_i = w-_i = 1/(2N); the score is (w+ - w-).x. On a mistake::

        w+_i = w+_i exp(+eta y x_i) / Z,    w-_i = w-_i exp(-eta y x_i) / Z

    with one Z that makes all 2N weights add up to one.

    **Theorem.** Where |x|_inf <= 1 and some u with |u|_1 = 1, of any signs, has
    y u.x >= delta, at eta = (1/2) ln((1+delta)/(1-delta)) ::

        M <= 2 ln(2N) / delta^2

    Parts: hinge loss, :class:`~regretless.SignedEntropy`, constant step, on mistake.

    Parameters
    ----------
    eta : float
        The step; :meth:`for_margin` gives the one of the theorem.
    domain : {"check", "allow"}
        Whether features outside [-1, 1] are refused, or learned from without the
        theorem.

    References
    ----------
    Littlestone (1989); Schapire, COS 511 lecture 15 (ln N there must be ln 2N).

    Examples
    --------
    >>> import regretless as rg
    >>> X, y = [[1, -1], [-1, 1], [0.5, 1]], [1, -1, -1]
    >>> run = rg.play(rg.BalancedWinnow(0.5), X, y)
    >>> run.mistakes, run.weights.round(4)
    (1, array([ 0.2311, -0.2311]))
    """

    eta: float
    domain: Literal["check", "allow"] = "check"

    theorems = "normalized_winnow.BALANCED_WINNOW"
    games = ("hung-panel", "schapire-panel")
    comparator: ClassVar[str] = "signed margin"
    classifier = EstimatorSpec({"eta": 0.1}, fixed={"domain": "allow"})

    advice: ClassVar[str] = (
        'where the theorem of BalancedWinnow holds; domain="allow" learns without it'
    )

    @classmethod
    def for_margin(cls, margin: float) -> Self:
        """The learner with the step that the theorem takes for this margin."""
        return cls(step_for_margin(margin))

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        return cls.for_margin(1.0 / getattr(game, "k", 3))

    def composition(self, n_weights: int) -> Composition:
        """Hinge, signed entropy, constant, on mistake."""
        check_domain(self.domain)
        low, high = entry_range(self.domain, -1.0, 1.0)
        return Composition(
            loss=Hinge(),
            geometry=SignedEntropy(),
            step=Constant(self.eta),
            trigger=OnMistake(),
            low=low,
            high=high,
        )
