"""Fixed share: Hedge that lets go, against an expert that changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ...parts.part_types import Rule
from ...parts.rules import ExponentialWeights, Sharing
from ...parts.steps import Constant
from ..played import GameKind
from .expert_learner import ExpertLearner

__all__ = ["FixedShare"]


@dataclass
class FixedShare(ExpertLearner):
    """Exponential weights of which every round a share is handed to all alike.

    Start at w_k = 1/N. Every round::

        pay w.l;    v_k = w_k exp(-eta l_k) / Z;    w_k = (1 - share) v_k + share/N

    **Theorem.** With losses in [0, 1], against every sequence of experts that changes m
    times in T rounds ::

        R <= [(m+1) ln N + m ln(1/share) + (T-1-m) ln(1/(1-share))]/eta + eta T/8

    An expert asleep is charged the learner's own loss, as in
    :class:`~regretless.Hedge`.

    Parts: :class:`Sharing`, or :class:`ExponentialWeights` at share = 0.

    Parameters
    ----------
    eta : float
        The rate.
    share : float
        What is handed out, in [0, 1]; m/(T-1) is the best for m changes. 0 is Hedge.

    References
    ----------
    Herbster and Warmuth (1998).

    Examples
    --------
    >>> import regretless as rg
    >>> losses = [[0, 1]] * 20 + [[1, 0]] * 20
    >>> fixed = rg.play(rg.FixedShare(eta=1.0, share=0.025), losses=losses)
    >>> hedge = rg.play(rg.Hedge(eta=1.0), losses=losses)
    >>> round(fixed.loss, 2), round(hedge.loss, 2)
    (5.74, 20.5)
    """

    eta: float
    share: float

    theorems = "experts.FIXED_SHARE"
    games = ("heavier-half", "meteorologists")

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters of its theorem."""
        return cls(0.2, 0.01)

    def rule(self, n_experts: int) -> Rule:
        """Exponential weights, shared."""
        if self.share == 0:
            return ExponentialWeights(Constant(self.eta))
        return Sharing(self.eta, self.share)
