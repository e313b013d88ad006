"""Bernstein online aggregation as published: rates that use the round just seen.

    w_k ~ eta_k exp(eta_k Y_k)
    Y_k = sum_t (r_k - eta_k r_k^2 + B_k [eta_k r_k > 1/2])/2
    eta_k = min(1/B_k, sqrt(ln N / V_k))

r_k is the mixture's loss less the expert's, V_k the sum of their squares, and B_k the
least power of two that none of its |r_k| exceeds (2^-20 or more). ``extra`` holds Y, V
and the largest |r_k|, one after the other.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..expert_state import MOST, REFERENCE, REFERENCE_LAG, ExpertState, bounded
from ..exponential import exponentiate
from ..generic import compiled, implement
from ..state import Floats
from .interface import MixedRound, learn, prime, tune, weigh
from .polynomial import gap_of

LEAST = 2.0**-20


class DoublingWeights(NamedTuple):
    """The rates follow the losses; gaps below 2^-20 count as that."""

    log_n: float
    votes = False
    has_extra = 3


@implement(prime, DoublingWeights)
def _(rule: DoublingWeights, state: ExpertState) -> None:
    pass


@implement(tune, DoublingWeights)
def _(
    rule: DoublingWeights, state: ExpertState, costs: Floats, at: int, awake: int
) -> None:
    # Who never differed from the mixture has no rate yet: the mean weight of the others
    top = -MOST
    for k in range(state.losses.size):
        if not math.isnan(costs[np.uint64(at + k)]) and known(state, k):
            top = max(top, log_weight(rule.log_n, state, k))
    total = 0.0
    many = 0
    for k in range(state.losses.size):
        if not math.isnan(costs[np.uint64(at + k)]) and known(state, k):
            total += math.exp(log_weight(rule.log_n, state, k) - top)
            many += 1
    state.numbers[REFERENCE] = top
    state.numbers[REFERENCE_LAG] = math.log(total / many) if many > 0 else 0.0


@implement(weigh, DoublingWeights)
def _(rule: DoublingWeights, state: ExpertState, first: int, m: int) -> None:
    for j in range(m):
        log = state.numbers[REFERENCE_LAG]
        if known(state, first + j):
            log = log_weight(rule.log_n, state, first + j) - state.numbers[REFERENCE]
        state.block[j] = min(log, 0.0)  # those asleep may weigh more than any awake
    exponentiate(state.block, m)


@implement(learn, DoublingWeights)
def _(
    rule: DoublingWeights, state: ExpertState, costs: Floats, at: int, mixed: MixedRound
) -> None:
    n = state.losses.size
    extra = state.extra
    for k in range(n):
        gap = gap_of(costs[np.uint64(at + k)], mixed)
        extra[n + k] = bounded(extra[n + k] + gap * gap)
        extra[2 * n + k] = max(extra[2 * n + k], abs(gap))
        if known(state, k):
            wide = power_of_two(extra[2 * n + k])
            eta = min(1.0 / wide, math.sqrt(rule.log_n / extra[n + k]))
            jump = wide if eta * gap > 0.5 else 0.0
            extra[k] = bounded(extra[k] + 0.5 * (gap - eta * gap * gap + jump))


@compiled
def known(state: ExpertState, k: int) -> bool:
    """Whether expert `k` has ever differed from the mixture."""
    return state.extra[state.losses.size + k] > 0.0


@compiled
def power_of_two(gap: float) -> float:
    """The least power of two, 2^-20 or more, that is at least `gap`."""
    return 2.0 ** math.ceil(math.log2(max(gap, LEAST)))


@compiled
def log_weight(log_n: float, state: ExpertState, k: int) -> float:
    """The logarithm of the weight of expert `k`."""
    n = state.losses.size
    wide = power_of_two(state.extra[2 * n + k])
    eta = min(1.0 / wide, math.sqrt(log_n / state.extra[n + k]))
    if eta == 0.0:  # one expert alone: ln N = 0
        return 0.0
    return bounded(math.log(eta) + eta * state.extra[k])
