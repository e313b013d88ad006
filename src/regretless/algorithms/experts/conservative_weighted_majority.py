"""Conservative weighted majority: weights change only where the vote was not right."""

from __future__ import annotations

from dataclasses import dataclass

from ...parts.rules import ConservativeMajority
from .expert_learner import ExpertLearner

__all__ = ["ConservativeWeightedMajority"]


@dataclass
class ConservativeWeightedMajority(ExpertLearner):
    """Predict what more weight votes for, 0 at a tie; learn from one's mistakes alone.

    Start at w_k = 1/N. Where those who were wrong hold half of the weight or more, that
    is on every mistake and at a tie::

        w_k = beta w_k    for every expert k that was wrong

    **Theorem.** With m_k the mistakes of expert k, for every k ::

        M <= (ln N + m_k ln(1/beta)) / ln(2/(1+beta))

    because each of these rounds takes at least (1-beta)/2 of the total away; only the
    mistakes of expert k on them count, so all of them are enough.

    On experts that say -1 or +1 it is :class:`~regretless.NormalizedWinnow` with
    beta = exp(-2 eta): the same weights after every round.

    Parts: :class:`ConservativeMajority`. Weights are beta^(m_k - min m), m_k counted on
    these rounds: at beta = 1/2 they are powers of two, and a tie is exactly a tie.

    Parameters
    ----------
    beta : float
        Above 0 and below 1.

    Notes
    -----
    An expert asleep (nan) keeps its weight; the theorem is then not claimed.

    References
    ----------
    Littlestone and Warmuth (1994); Schapire, COS 511 lecture 15, equation (9).

    Examples
    --------
    >>> import regretless as rg
    >>> votes = [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    >>> run = rg.play(rg.ConservativeWeightedMajority(), votes, [1, 1, 1], trace=True)
    >>> run.mistakes, run.scores
    (2, array([0.66666667, 0.33333333, 0.25      ]))
    """

    beta: float = 0.5

    theorems = "majority.CONSERVATIVE"
    games = ("balancing", "noisy-voters best=0.1")

    def rule(self, n_experts: int) -> ConservativeMajority:
        """The majority that learns from its mistakes."""
        return ConservativeMajority(self.beta)
