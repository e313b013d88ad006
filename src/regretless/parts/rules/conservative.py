"""Conservative majority: no weight is multiplied by beta while the vote is right.

    w_k = beta^(m_k - m),    m_k the mistakes of expert k that counted

A round counts where those who were wrong hold half of the weight or more. ``extra``
holds the mistakes of the other rounds, which were forgiven; so m_k is a whole number,
and at beta = 1/2 ties are exact. Who sleeps keeps its weight.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..expert_state import REFERENCE, ExpertState
from ..generic import implement, require
from ..state import Floats
from .interface import MixedRound, decide, learn, prime, spent, tune, weigh


class ConservativeMajority(NamedTuple):
    """Predict what more weight votes for; learn where that was not right."""

    beta: float
    votes = True
    has_extra = True  # forgiven mistakes

    def check(self) -> None:
        """Raise ValueError unless 0 < beta < 1."""
        require(0 < self.beta < 1, self, "beta", "above 0 and below 1")


@implement(prime, ConservativeMajority)
def _(rule: ConservativeMajority, state: ExpertState) -> None:
    pass


@implement(tune, ConservativeMajority)
def _(
    rule: ConservativeMajority, state: ExpertState, costs: Floats, at: int, awake: int
) -> None:
    fewest = np.inf
    for k in range(state.losses.size):
        if not math.isnan(costs[np.uint64(at + k)]):
            fewest = min(fewest, state.losses[k] - state.extra[k])
    state.numbers[REFERENCE] = fewest


@implement(weigh, ConservativeMajority)
def _(rule: ConservativeMajority, state: ExpertState, first: int, m: int) -> None:
    for j in range(m):
        counted = state.losses[first + j] - state.extra[first + j]
        state.block[j] = math.pow(rule.beta, counted - state.numbers[REFERENCE])


@implement(learn, ConservativeMajority)
def _(
    rule: ConservativeMajority,
    state: ExpertState,
    costs: Floats,
    at: int,
    mixed: MixedRound,
) -> None:
    if mixed.low + mixed.gap >= 0.5:
        return
    for k in range(state.losses.size):
        if costs[np.uint64(at + k)] == 1.0:
            state.extra[k] += 1.0


@implement(spent, ConservativeMajority)
def _(rule: ConservativeMajority, state: ExpertState, costs: Floats, at: int) -> bool:
    return False


@implement(decide, ConservativeMajority)
def _(
    rule: ConservativeMajority,
    score: float,
    margin: float,
    mixed: float,
    y: float,
    t: float,
) -> tuple[float, bool]:
    mistaken = (margin > 0.0) != (y > 0.0)
    return 1.0 if mistaken else 0.0, mistaken
