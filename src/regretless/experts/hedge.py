"""Hedge: exponential weights, with a rate that is fixed or falls with time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..parts.rules import ExponentialWeights
from ..parts.steps import Constant, InverseSqrt
from .expert import ExpertLearner

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

    **Sleeping experts.** An expert asleep is charged the learner's own loss. The
    mixture of those awake is then the mixture of all, so the game is one in which
    nobody sleeps; regret against k, which is zero while k sleeps, keeps the theorem.

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
    Freund and Schapire (1997); Cesa-Bianchi and Lugosi (2006), theorems 2.2 and 2.3.

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

    def __post_init__(self) -> None:
        if self.eta is not None and self.horizon is not None:
            raise ValueError("give eta or horizon, not both")
        if self.horizon is not None and not 1 <= self.horizon < math.inf:
            raise ValueError(f"horizon={self.horizon!r} must be at least 1 and finite")
        super().__post_init__()

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
