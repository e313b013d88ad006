"""Normalized Winnow: multiplicative updates on the simplex, on mistakes only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from ...parts.composition import Composition
from ...parts.geometries import SimplexEntropy
from ...parts.losses import Hinge
from ...parts.steps import Constant
from ...parts.triggers import OnMistake
from ..estimator_spec import EstimatorSpec
from ..played import GameKind
from .linear_learner import LinearLearner
from .multiplicative import check_domain, entry_range, step_for_margin

__all__ = ["NormalizedWinnow"]


@dataclass(repr=False)
class NormalizedWinnow(LinearLearner):
    """Schapire's Winnow: find the panel of experts whose weighted vote is right.

    Start at w_i = 1/N. On a mistake::

        w_i = w_i exp(eta y x_i) / Z,    Z such that the weights add up to one

    **Theorem.** Where |x|_inf <= 1 and some u >= 0 with |u|_1 = 1 has y u.x >= delta ::

        M <= ln N / (eta delta + ln(2/(e^eta + e^-eta)))
        M <= RE(u || uniform) / kl((1+delta)/2 || 1/2) <= 2 ln N / delta^2
                                        at eta = (1/2) ln((1+delta)/(1-delta))

    For a panel of k out of N voters in {-1, +1} whose majority is always right, delta
    is 1/k: M <= 2 k^2 ln N, where the Perceptron pays N k.

    Parts: hinge loss, :class:`~regretless.SimplexEntropy`, constant step, on mistake.

    Parameters
    ----------
    eta : float
        The step; :meth:`for_margin` gives the one of the theorem.
    domain : {"check", "allow"}
        Whether features outside [-1, 1] are refused, or learned from without the
        theorem.

    Notes
    -----
    On +-1 voters it equals weighted majority that updates only when the master errs,
    with beta = exp(-2 eta). Schapire's equation (9) should read
    w_i e^eta/Z times 1 if expert i is right, times e^(-2 eta) if not.

    References
    ----------
    Littlestone (1989); Schapire, COS 511 lecture 15.

    Examples
    --------
    >>> import regretless as rg
    >>> X, y = [[1, -1, 1], [-1, 1, 1], [1, 1, -1]], [1, -1, 1]
    >>> run = rg.play(rg.NormalizedWinnow(0.5), X, y)
    >>> run.mistakes, float(run.weights.sum().round(12))
    (1, 1.0)
    """

    eta: float
    domain: Literal["check", "allow"] = "check"

    theorems = "normalized_winnow.NORMALIZED_WINNOW"
    games = ("hung-panel", "schapire-panel")
    comparator: ClassVar[str] = "margin"
    classifier = EstimatorSpec(
        {"eta": 0.1},
        fixed={"domain": "allow"},
        poor_score=True,  # no weight can be negative
        example="""
        >>> import regretless as rg
        >>> votes = [[1, 1, -1], [-1, 1, 1], [1, -1, 1], [-1, -1, -1]] * 5
        >>> truth = [1, -1, 1, -1] * 5  # as the first voter says
        >>> model = rg.sklearn.NormalizedWinnowClassifier(eta=0.5, random_state=0)
        >>> model = model.fit(votes, truth)
        >>> model.predict([[1, -1, -1], [-1, 1, 1]])
        array([ 1, -1])
        """,
    )

    advice: ClassVar[str] = (
        'where the theorem of NormalizedWinnow holds; domain="allow" learns without it'
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
        """Hinge, entropy on the simplex, constant, on mistake."""
        check_domain(self.domain)
        low, high = entry_range(self.domain, -1.0, 1.0)
        return Composition(
            loss=Hinge(),
            geometry=SimplexEntropy(),
            step=Constant(self.eta),
            trigger=OnMistake(),
            low=low,
            high=high,
        )
