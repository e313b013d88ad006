"""ML-Poly: polynomial weights that find their rates by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...parts.rules import PolynomialWeights
from .expert_learner import ExpertLearner

__all__ = ["MLPoly"]


@dataclass
class MLPoly(ExpertLearner):
    """Weigh experts by how far they are ahead of the mixture, each at its own rate.

    With r_k the mixture's loss less that of expert k in a round, R_k the sum of these
    so far, V_k that of their squares, and B the largest square of anyone::

        w_k = max(R_k, 0)/(B + V_k) / Z;    pay w.l

    While no expert is ahead, all weigh the same; while all that are ahead sleep, the
    others weigh exp(R_k/sqrt(B + V_k)).

    **Theorem.** For losses of any range, for every expert k, after T rounds ::

        R_k <= sqrt((B + V_k) sum_j Q_j),   Q_j = sum_t r_j^2 / (B + V_j) before t

    Each Q_j is about ln T at most, so regret is of the order sqrt(N V_k ln T).
    Let eta_k = 1/(B + V_k), which never grows. The weights make
    sum_k eta_k max(R_k, 0) r_k = 0, so the potential sum_k eta_k max(R_k, 0)^2 grows by
    no more than sum_k eta_k r_k^2 in a round (in the first round with a gap, at the
    rate after it), and the term of k alone is no more than all of it. The right side is
    ``run.ledger.regret_bounds``. While k sleeps r_k = 0, and nothing of it moves; where
    no expert awake is ahead, the sum is 0 for any weights.

    Parts: :class:`PolynomialWeights`.

    References
    ----------
    Gaillard, Stoltz and van Erven (2014), "A second-order bound with excess losses".

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.MLPoly(), losses=[[0.1, 0.9, 0.5]] * 50)
    >>> round(run.ledger.regret, 3), run.weights
    (0.4, array([1., 0., 0.]))
    >>> bool(run.ledger.regret <= run.ledger.regret_bounds[0])
    True
    """

    theorems = "second_order.ML_POLY"
    games = ("heavier-half", "meteorologists")
    by_slopes: ClassVar[bool] = True

    def rule(self, n_experts: int) -> PolynomialWeights:
        """Positive parts of regrets over their spreads."""
        return PolynomialWeights()
