"""Squint: small regret where an expert is clearly good, with no rate to tune."""

from __future__ import annotations

from dataclasses import dataclass

from ...parts.rules import SquintGrid
from .expert_learner import ExpertLearner

__all__ = ["Squint"]


@dataclass
class Squint(ExpertLearner):
    """Mix over experts and over rates, by how each expert has done against the mixture.

    With R_k the regret against expert k so far and V_k the sum of its squared terms::

        w_k = sum_i pi_i eta_i exp(eta_i R_k - eta_i^2 V_k) / Z

    The grid is eta_i = 2^-i, i = 1..20, with prior pi_i = (21/20)/(i(i+1)), which adds
    up to one; the prior over experts is uniform.

    **Theorem.** With losses in [0, 1], for every expert k and every i ::

        R_k <= eta_i V_k + ln(N/pi_i)/eta_i

    The potential sum_k (1/N) sum_i pi_i exp(eta_i R_k - eta_i^2 V_k) starts at one and
    never grows, because exp(x - x^2) <= 1 + x for x >= -1/2 and the weights make the
    sum of the terms in x zero. (The factor eta_i in the weights matters for that.) V_k
    is ``run.ledger.squared_gaps[k]``. While k sleeps, R_k and V_k stand still.

    Parts: :class:`SquintGrid`.

    References
    ----------
    Koolen and van Erven (2015), "Second-order quantile methods for experts and
    combinatorial games".

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.Squint(), losses=[[0.1, 0.9, 0.5]] * 50)
    >>> round(run.ledger.regret, 3), run.weights.round(3)
    (2.843, array([0.995, 0.001, 0.004]))
    """

    theorems = "experts.SQUINT"
    games = ("heavier-half", "meteorologists")

    def rule(self, n_experts: int) -> SquintGrid:
        """The grid of rates."""
        return SquintGrid()
