"""Bernstein online aggregation, as published and as opera plays it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ...parts.rules import DoublingWeights
from .expert_learner import ExpertLearner

__all__ = ["BOA"]


@dataclass
class BOA(ExpertLearner):
    """Exponential weights of regret less its variance, with a rate for every expert.

    With r_k the mixture's loss less that of expert k in a round, V_k the sum of their
    squares and B_k the least power of two (2^-20 or more) that no |r_k| exceeds::

        w_k = eta_k exp(eta_k Y_k)/Z;    pay w.l
        eta_k = min(1/B_k, sqrt(ln N / V_k))
        Y_k = Y_k + (r_k - eta_k r_k^2 + B_k [eta_k r_k > 1/2])/2

    This is the rule of the R package opera (version 1.2), number for number where
    none sleeps. An expert who never differed from the mixture has no rate yet: here
    it weighs what the others weigh on average, there it outweighs them all.

    No theorem: the rates use the round that they learn from, and nothing is proved
    about that here. :class:`SafeBOA` is the variant with a bound.

    Parts: :class:`DoublingWeights`.

    References
    ----------
    Wintenberger (2017), "Optimal learning with Bernstein online aggregation"; Gaillard
    and Goude, opera: Online prediction by expert aggregation, R package.

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.BOA(), losses=[[0.1, 0.9, 0.5]] * 50)
    >>> round(run.ledger.regret, 3), run.weights.round(3)
    (3.727, array([0.999, 0.   , 0.001]))
    """

    games = ("heavier-half", "meteorologists")
    by_slopes: ClassVar[bool] = True

    def rule(self, n_experts: int) -> DoublingWeights:
        """Second-order weights, with the published rates."""
        return DoublingWeights(math.log(n_experts))
