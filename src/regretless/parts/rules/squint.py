"""Squint: a mixture over learning rates, each expert's own luck deciding which counts.

    w_k ~ sum_i pi_i eta_i exp(eta_i R_k - eta_i^2 V_k),  eta_i = 2^-i

R_k is the regret against expert k and V_k the sum of its squared terms, over the rounds
on which k was awake.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..expert_state import BLOCK, LOSS, MOST, REFERENCE, ExpertState, bounded
from ..exponential import exponentiate
from ..generic import compiled, implement, require
from ..state import Floats
from .interface import MixedRound, learn, prime, tune, weigh

WIDEST = 1e150  # a larger gap between losses counts as this: its square is finite


class SquintGrid(NamedTuple):
    """Rates 2^-1 .. 2^-depth with prior pi_i ~ 1/(i(i+1))."""

    depth: int = 20
    votes = False
    has_extra = True  # V_k

    def check(self) -> None:
        """Raise ValueError unless 1 <= depth <= 50."""
        require(1 <= self.depth <= 50, self, "depth", "from 1 to 50")


@implement(prime, SquintGrid)
def _(rule: SquintGrid, state: ExpertState) -> None:
    pass


@implement(tune, SquintGrid)
def _(rule: SquintGrid, state: ExpertState, costs: Floats, at: int, awake: int) -> None:
    work = state.work
    n = state.losses.size
    top = -MOST
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        for j in range(m):
            work[np.uint64(j)] = -MOST
        eta = 1.0
        for _ in range(rule.depth):
            eta *= 0.5
            for j in range(m):
                k = np.uint64(first + j)
                luck = eta * bounded(regret_of(state, k) - eta * state.extra[k])
                work[np.uint64(j)] = max(work[np.uint64(j)], luck)
        for j in range(m):
            if not math.isnan(costs[np.uint64(at + first + j)]):
                top = max(top, work[j])
    state.numbers[REFERENCE] = top


@implement(weigh, SquintGrid)
def _(rule: SquintGrid, state: ExpertState, first: int, m: int) -> None:
    block = state.block
    work = state.work
    top = state.numbers[REFERENCE]
    for j in range(m):
        block[np.uint64(j)] = 0.0
    eta = 1.0
    for i in range(1, rule.depth + 1):
        eta *= 0.5
        for j in range(m):
            k = np.uint64(first + j)
            luck = eta * bounded(regret_of(state, k) - eta * state.extra[k])
            work[np.uint64(j)] = luck - top
        exponentiate(work, m)
        prior = eta / (i * (i + 1.0))
        for j in range(m):
            block[np.uint64(j)] += prior * work[np.uint64(j)]


@implement(learn, SquintGrid)
def _(
    rule: SquintGrid, state: ExpertState, costs: Floats, at: int, mixed: MixedRound
) -> None:
    for k in range(state.extra.size):
        cost = costs[np.uint64(at + k)]
        if not math.isnan(cost):
            gap = mixed.gap - min(cost - mixed.low, MOST)
            gap = min(max(gap, -WIDEST), WIDEST)
            state.extra[k] = bounded(state.extra[k] + gap * gap)


@compiled
def regret_of(state: ExpertState, k: Any) -> Any:
    """The learner's loss less the expert's, on the expert's waking rounds."""
    paid: Any = bounded(state.numbers[LOSS] - state.spared[k])
    return bounded(paid - state.losses[k])
