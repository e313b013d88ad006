"""Conservative majority: nobody is multiplied by beta while the vote is right.

    w_k = beta^(m_k - m),    m_k the mistakes of expert k that counted

A round counts where those who were wrong hold half of the weight or more. ``extra``
holds the mistakes of the other rounds, which were forgiven; so m_k is a whole number,
and at beta = 1/2 ties are exact. Who sleeps keeps its weight.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..expert_state import REFERENCE, Crowd
from ..generic import implement, require
from ..state import Floats
from .interface import Mixture, decide, learn, prime, spent, tune, weigh

__all__ = ["ConservativeMajority"]


class ConservativeMajority(NamedTuple):
    """Predict what more weight votes for; learn where that was not right."""

    beta: float
    votes = True
    has_extra = True  # forgiven mistakes

    def check(self) -> None:
        """Raise ValueError unless 0 < beta < 1."""
        require(0 < self.beta < 1, self, "beta", "above 0 and below 1")


@implement(prime, ConservativeMajority)
def _(rule: ConservativeMajority, crowd: Crowd) -> None:
    pass


@implement(tune, ConservativeMajority)
def _(
    rule: ConservativeMajority, crowd: Crowd, costs: Floats, at: int, awake: int
) -> None:
    fewest = np.inf
    for k in range(crowd.losses.size):
        if not math.isnan(costs[np.uint64(at + k)]):
            fewest = min(fewest, crowd.losses[k] - crowd.extra[k])
    crowd.numbers[REFERENCE] = fewest


@implement(weigh, ConservativeMajority)
def _(rule: ConservativeMajority, crowd: Crowd, first: int, m: int) -> None:
    for j in range(m):
        counted = crowd.losses[first + j] - crowd.extra[first + j]
        crowd.block[j] = math.pow(rule.beta, counted - crowd.numbers[REFERENCE])


@implement(learn, ConservativeMajority)
def _(
    rule: ConservativeMajority, crowd: Crowd, costs: Floats, at: int, mixed: Mixture
) -> None:
    if mixed.low + mixed.gap >= 0.5:
        return
    for k in range(crowd.losses.size):
        if costs[np.uint64(at + k)] == 1.0:
            crowd.extra[k] += 1.0


@implement(spent, ConservativeMajority)
def _(rule: ConservativeMajority, crowd: Crowd, costs: Floats, at: int) -> bool:
    return False


@implement(decide, ConservativeMajority)
def _(
    rule: ConservativeMajority,
    score: float,
    lean: float,
    mixed: float,
    y: float,
    t: float,
) -> tuple[float, bool]:
    mistaken = (lean > 0.0) != (y > 0.0)
    return 1.0 if mistaken else 0.0, mistaken
