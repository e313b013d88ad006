"""Hedge: exponential weights, with a rate that is fixed or falls with time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from ...parts.rules import ExponentialWeights
from ...parts.steps import Constant, InverseSqrt
from ..played import GameKind
from .expert_learner import ExpertLearner

__all__ = ["Hedge"]


@dataclass
class Hedge(ExpertLearner):
    """Mix the experts by the exponentials of their losses so far.

    In round t, with L_k the loss of expert k before it::

        w_k = exp(-eta_t L_k) / Z;    pay w.l_t

    **Theorem.** With losses in [0, 1], for every expert, after T rounds ::

        R <= ln N/eta + eta T/8        eta constant
        R <= sqrt(T ln N / 2)          horizon = T: eta = sqrt(8 ln N / T)
        R <= sqrt(T ln N)              neither given: eta_t = 2 sqrt(ln N / t)

    *Proof of the last.* Let m_t(eta) = -(1/eta) ln((1/N) sum_k exp(-eta L_k)), with the
    losses of the first t rounds. By Hoeffding's lemma round t costs at most
    m_t(eta_t) - m_{t-1}(eta_t) + eta_t/8. Means of powers make m fall as eta grows, and
    eta_{t+1} <= eta_t, so the differences add up to no more than m_T(eta_T), which is
    at most min_k L_k + ln N/eta_T. So R <= ln N/eta_T + (1/8) sum eta_t for rates that
    fall, and sum 1/sqrt(t) <= 2 sqrt(T): both terms are sqrt(T ln N)/2 at most.

    **Sleeping experts.** An expert asleep is charged the learner's own loss. The
    mixture of those awake is then the mixture of all, so the game is one in which
    no expert sleeps; regret against k, which is zero while k sleeps, keeps the theorem.

    Parts: :class:`ExponentialWeights` with a constant step or one of 1/sqrt(t). Weights
    are measured from the best expert: losses may have any size, though the theorem is
    about [0, 1].

    Parameters
    ----------
    eta : float or None
        A constant rate.
    horizon : int or None
        The number of rounds, if it is known: sets the rate that is best for it.

    References
    ----------
    Freund and Schapire (1997); Cesa-Bianchi and Lugosi (2006), theorem 2.2, for rates
    that are constant. For those that fall: de Rooij, van Erven, Grunwald and Koolen
    (2014), and the proof above. (Theorem 2.3 of the book is about sqrt(8 ln N/t), and
    its bound is 1.4 times as large.)

    Examples
    --------
    >>> import regretless as rg
    >>> run = rg.play(rg.Hedge(eta=1.0), losses=[[0, 1], [0, 1], [1, 0]])
    >>> round(run.loss, 4), run.weights.round(4), round(run.ledger.regret, 4)
    (1.6497, array([0.7311, 0.2689]), 0.6497)
    >>> run = rg.play(rg.Hedge(), [[0.2, 0.9]], [1.0], loss=rg.Squared())
    >>> round(run.loss, 4), round(run.ledger.mean_loss, 4)
    (0.325, 0.2025)
    """

    eta: float | None = None
    horizon: int | None = None

    theorems = "experts.HEDGE"
    games = ("alternating-halves", "meteorologists")

    def __post_init__(self) -> None:
        if self.eta is not None and self.horizon is not None:
            raise ValueError("give eta or horizon, not both")
        if self.horizon is not None and not 1 <= self.horizon < math.inf:
            raise ValueError(f"horizon={self.horizon!r} must be at least 1 and finite")
        super().__post_init__()

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        return cls(horizon=rounds)

    def rule(self, n_experts: int) -> ExponentialWeights:
        """Exponential weights, at the rate the parameters say."""
        if self.eta is not None:
            return ExponentialWeights(Constant(self.eta))
        if n_experts == 1:  # ln 1 = 0: any rate will do
            return ExponentialWeights(Constant(1.0))
        if self.horizon is not None:
            rate = math.sqrt(8 * math.log(n_experts) / self.horizon)
            return ExponentialWeights(Constant(rate))
        return ExponentialWeights(InverseSqrt(2 * math.sqrt(math.log(n_experts))))
