"""Bernstein online aggregation with rates fixed before the round, and its bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ...parts.rules import BernsteinWeights
from .expert_learner import ExpertLearner

__all__ = ["SafeBOA"]


@dataclass
class SafeBOA(ExpertLearner):
    """Exponential weights of regret less its variance, with a rate for every expert.

    :class:`BOA` is the published rule. This one fixes its rates before the round, so
    that a bound can be proved for every sequence.

    With r_k the mixture's loss less that of expert k in a round, V_k the sum of their
    squares and B the largest size of anyone's so far::

        w_k = eta_k exp(eta_k Y_k)/Z;    pay w.l;    Y_k = Y_k + r_k - eta_k r_k^2
        eta_k = min(1/(2 B), sqrt(ln N / V_k))

    A round whose largest gap exceeds B is first shrunk to B (the first one to nothing),
    so that eta_k r_k >= -1/2; then B grows. Y_k starts at -ln N/eta_1.

    **Theorem.** For losses of any range, for every expert k, after T rounds ::

        R_k <= B + sum_t eta_k r_k^2 + ln N/eta_1 + ln(1 + D/e)/eta_k

    eta_1 is the first rate, and D sums (rate before/rate after - 1) over all experts
    and rounds: it grows like N ln T. Shrinking costs no more than B in all. The rest is
    the potential W = sum_k exp(eta_k Y_k), which starts at one: exp(x - x^2) <= 1 + x
    for x >= -1/2 and the weights make the sum of the terms in x zero; lowering a rate
    from a to b adds at most (a/b - 1)/e to it, as z <= z^c + (c - 1)/e for c >= 1. So
    exp(eta_k Y_k) <= 1 + D/e at the end, for every k. The right side is
    ``run.ledger.regret_bounds``. While k sleeps r_k = 0.

    Parts: :class:`BernsteinWeights`.

    References
    ----------
    Wintenberger (2017), "Optimal learning with Bernstein online aggregation"; Gaillard,
    Stoltz and van Erven (2014) for rates that fall; Mhammedi, Koolen and van Erven
    (2019) for the shrinking.

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.SafeBOA(), losses=[[0.1, 0.9, 0.5]] * 50)
    >>> round(run.ledger.regret, 3), run.weights.round(3)
    (2.12, array([1., 0., 0.]))
    >>> bool(run.ledger.regret <= run.ledger.regret_bounds[0])
    True
    """

    theorems = "second_order.SAFE_BOA"
    games = ("heavier-half", "meteorologists")
    by_slopes: ClassVar[bool] = True

    def rule(self, n_experts: int) -> BernsteinWeights:
        """Second-order weights."""
        return BernsteinWeights(math.log(n_experts))
