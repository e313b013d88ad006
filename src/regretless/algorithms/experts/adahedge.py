"""AdaHedge: Hedge that finds its rate by itself, for losses of any range."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...parts.rules import AdaptiveRate
from .expert_learner import ExpertLearner

__all__ = ["AdaHedge"]


@dataclass
class AdaHedge(ExpertLearner):
    """Hedge at the rate ln N over the sum of what mixing has cost so far.

    In round t, with L_k the loss of expert k before it and w.l_t what is paid::

        eta = ln N / Delta;    w_k = exp(-eta L_k) / Z
        Delta = Delta + w.l_t + ln(sum w_k exp(-eta l_tk))/eta

    The last two terms are the mixability gap, never negative. While Delta = 0 the rate
    is infinite: follow the leaders, all with the same weight, where the gap is w.l_t
    less the increase of the least L.

    **Theorem.** For losses of any range s_t, after T rounds ::

        R <= 2 Delta_T
        R <= sqrt(sum_t s_t^2 ln N) + max s_t (4/3 ln N + 2)

    Delta_T is ``run.ledger.mixability_gap``. An expert asleep is charged the learner's
    own loss, which keeps both for the regret on its waking rounds.

    Parts: :class:`AdaptiveRate`.

    References
    ----------
    De Rooij, van Erven, Grunwald and Koolen (2014), "Follow the leader if you can,
    hedge if you must".

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.AdaHedge(), losses=[[0, 9], [9, 0], [0, 9], [0, 9]])
    >>> round(run.loss, 4), round(run.ledger.mixability_gap, 4)
    (18.7978, 7.6364)
    """

    theorems = "experts.ADAHEDGE"
    games = ("heavier-half", "meteorologists")

    def rule(self, n_experts: int) -> AdaptiveRate:
        """Exponential weights at the adaptive rate."""
        return AdaptiveRate(math.log(n_experts))
