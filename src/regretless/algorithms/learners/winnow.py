"""Winnow: multiplicative updates that find the few features that matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from ...parts.composition import Composition
from ...parts.geometries import Entropy
from ...parts.losses import Hinge
from ...parts.steps import Constant
from ...parts.triggers import OnMistake
from ..estimator_spec import EstimatorSpec
from .linear_learner import LinearLearner
from .multiplicative import check_domain, entry_range

__all__ = ["Winnow"]


@dataclass(repr=False)
class Winnow(LinearLearner):
    """Littlestone's Winnow with a threshold, for features in [0, 1].

    Start at w_i = 1/d; the score is w.x - threshold. On a mistake::

        w_i *= exp(eta y x_i / threshold)        (exp(2 eta y x_i) at threshold 1/2)

    **Theorem.** (threshold 1/2, eta < 1/2) For every u >= 0, with the surrogate
    f_t(u) = max(0, 1 - y_t(2 u.x_t - 1)) and
    D(u) = 1 + (ln d - 1)|u|_1 + sum u_i ln u_i ::

        M <= (D(u)/eta + sum_t f_t(u)) / (1 - 2 eta)
        M <= 8 (1 + k(ln d - 1)) <= 8 (k+1) ln d    for a disjunction of k features,
                                                    eta = 1/4

    Logarithmic in the number of features, where the Perceptron pays (k+1)(4d+1).

    Parts: hinge loss with gain 1/threshold, unnormalized :class:`~regretless.Entropy`,
    constant step, on mistake.

    Parameters
    ----------
    eta : float
        The step.
    threshold : float
        What w.x is compared with.
    domain : {"check", "allow"}
        Whether features outside [0, 1] are refused, or learned from without the
        theorem.

    Notes
    -----
    Mansour's lecture prints the sign of the gradient wrong twice (z = -2 y x is right),
    and |u|_1 <= k + 1 where |u|_1 = k is meant.

    References
    ----------
    Littlestone (1988); Mansour, lecture 5.

    Examples
    --------
    >>> import regretless as rg
    >>> X, y = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], [1, -1, 1, -1]
    >>> run = rg.play(rg.Winnow(), X, y)
    >>> run.mistakes, run.weights.round(3)
    (1, array([0.55 , 0.333, 0.333]))
    """

    eta: float = 0.25
    threshold: float = 0.5
    domain: Literal["check", "allow"] = "check"

    theorems = "winnow.WINNOW"
    games = ("promote-demote", "disjunction")
    comparator: ClassVar[str] = "disjunctions"
    classifier = EstimatorSpec(
        fixed={"domain": "allow"},
        poor_score=True,  # no weight can be negative
        example="""
        >>> import regretless as rg
        >>> words = [[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]] * 5
        >>> spam = [True, False, True, False] * 5  # wherever the first word is
        >>> model = rg.sklearn.WinnowClassifier(random_state=0).fit(words, spam)
        >>> model.predict([[1, 1, 1], [0, 1, 1]])
        array([ True, False])
        """,
    )

    advice: ClassVar[str] = (
        'where the theorem of Winnow holds; domain="allow" learns without it'
    )

    def composition(self, n_weights: int) -> Composition:
        """Hinge with a gain, unnormalized entropy, constant, on mistake."""
        check_domain(self.domain)
        if isinstance(self.threshold, str) or not 0 < self.threshold < math.inf:
            raise ValueError(
                f"threshold={self.threshold!r} must be positive and finite"
            )
        low, high = entry_range(self.domain, 0.0, 1.0)
        return Composition(
            loss=Hinge(gain=1.0 / self.threshold),
            geometry=Entropy(),
            step=Constant(self.eta),
            trigger=OnMistake(),
            threshold=self.threshold,
            low=low,
            high=high,
        )
