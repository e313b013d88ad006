"""Randomized weighted majority: follow one expert, drawn by weight."""

from __future__ import annotations

from dataclasses import dataclass

from ...parts.rules import RandomMajority
from .expert_learner import ExpertLearner

__all__ = ["RandomizedWeightedMajority"]


@dataclass
class RandomizedWeightedMajority(ExpertLearner):
    """Predict 1 with the probability that is the share of weight voting 1.

    Start at w_k = 1/N. Every round::

        w_k = beta w_k    for every expert k that was wrong

    **Theorem.** With m_k the mistakes of expert k, for every k ::

        E[M] <= (m_k ln(1/beta) + ln N) / (1 - beta)

    E[M] is the sum of the conditional probabilities of a mistake, which does not depend
    on the coins: that is ``run.loss``. ``run.mistakes`` counts what the coins gave.

    **Sleeping experts** are multiplied by A'/A as in
    :class:`~regretless.WeightedMajority`. If a share q of the weight awake is wrong,
    A'/A = 1 - (1-beta) q <= exp(-(1-beta) q), and the last share of k being at most one
    gives the theorem for the expected mistakes on the waking rounds of k.

    Parts: :class:`RandomMajority`.

    Parameters
    ----------
    beta : float
        In [0, 1).
    seed : int
        The coin of round t depends on the seed and t alone (splitmix64), so a game cut
        into pieces, or resumed, goes as the whole game does.

    References
    ----------
    Littlestone and Warmuth (1994).

    Examples
    --------
    >>> import regretless as rg
    >>> votes = [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    >>> run = rg.play(rg.RandomizedWeightedMajority(seed=1), votes, [1, 1, 1])
    >>> round(run.loss, 4)
    1.6476
    """

    beta: float = 0.5
    seed: int = 0

    theorems = "majority.RANDOMIZED"
    games = ("balancing", "noisy-voters best=0.1")

    def rule(self, n_experts: int) -> RandomMajority:
        """The majority by a coin."""
        return RandomMajority(self.beta, self.seed)
