"""Weighted majority: who is wrong loses weight, and is never dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...parts.rules import Majority
from .expert_learner import ExpertLearner

__all__ = ["WeightedMajority"]


@dataclass
class WeightedMajority(ExpertLearner):
    """Predict what more weight votes for; 0 at a tie.

    Start at w_k = 1/N. Every round, mistake or not::

        w_k = beta w_k    for every expert k that was wrong

    **Theorem.** With m_k the mistakes of expert k, for every k ::

        M <= (ln N + m_k ln(1/beta)) / ln(2/(1+beta))

    **Sleeping experts.** Let A be the weight of those awake before a round and A' after
    it. Those asleep are multiplied by A'/A, so the total is too, and the share of an
    expert changes only while it is awake: by beta^[wrong] A/A'. On a mistake at least
    half of A was wrong, so A'/A <= (1+beta)/2, and A'/A <= 1 always. The last share of
    expert k is at most one::

        1 >= (1/N) beta^(m_k) (2/(1+beta))^(M_k)

    where m_k and M_k count mistakes of the expert and of the learner on the waking
    rounds of k. That is the theorem with M_k in place of M, and all of it if none
    sleeps.

    Parts: :class:`Majority`. Weights are beta^(m_k - min m): at beta = 1/2 they are
    powers of two, and a tie is exactly a tie.

    Parameters
    ----------
    beta : float
        In [0, 1). beta = 0 is exactly :class:`~regretless.Halving`.

    References
    ----------
    Littlestone and Warmuth (1994); Freund, Schapire, Singer and Warmuth (1997) for
    specialists; Schapire, COS 511 lecture 15.

    Examples
    --------
    >>> import regretless as rg
    >>> votes = [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    >>> run = rg.play(rg.WeightedMajority(), votes, [1, 1, 1], trace=True)
    >>> run.mistakes, run.scores
    (2, array([0.66666667, 0.4       , 0.28571429]))
    """

    majority: ClassVar[bool] = True

    beta: float = 0.5

    theorems = "majority.WEIGHTED_MAJORITY"
    games = ("balancing", "noisy-voters best=0.1")

    def rule(self, n_experts: int) -> Majority:
        """The weighted majority."""
        return Majority(self.beta)
