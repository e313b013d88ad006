"""Exponential weights: w_k ~ exp(-eta_t L_k), L_k where expert k stands.

They are measured from the best expert, exp(-eta_t (L_k - min L)): no loss is too large.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..expert_state import (
    BLOCK,
    ETA,
    GAPS,
    LEAST,
    MOST,
    REFERENCE,
    ROUNDS,
    SLEEPY,
    ExpertState,
    bounded,
    least_awake,
)
from ..exponential import exponentiate
from ..generic import compiled, implement
from ..part_types import Part
from ..state import Floats
from ..steps import rate
from .interface import MixedRound, learn, prime, tune, weigh


class ExponentialWeights(NamedTuple):
    """Hedge with the rate that `step` gives: constant, or falling as 1/sqrt(t)."""

    step: Part
    votes = False
    has_extra = False


@implement(tune, ExponentialWeights)
def _(
    rule: ExponentialWeights, state: ExpertState, costs: Floats, at: int, awake: int
) -> None:
    numbers = state.numbers
    numbers[ETA] = rate(rule.step, numbers, numbers[ROUNDS] + 1.0, 0.0)
    refer_best(state, costs, at, awake)


@implement(learn, ExponentialWeights)
def _(
    rule: ExponentialWeights,
    state: ExpertState,
    costs: Floats,
    at: int,
    mixed: MixedRound,
) -> None:
    pass


@compiled
def refer_best(state: ExpertState, costs: Floats, at: int, awake: int) -> None:
    """Measure weights from the best of those awake."""
    numbers = state.numbers
    numbers[REFERENCE] = numbers[LEAST]
    if awake < state.losses.size:
        numbers[REFERENCE] = least_awake(state, costs, at)


@compiled(fastmath={"contract"})
def behind(state: ExpertState, out: Floats, first: int, m: int) -> None:
    """Write -eta times how far experts `first`.. are behind the reference."""
    losses = state.losses
    spared = state.spared
    eta = state.numbers[ETA]
    reference = state.numbers[REFERENCE]
    if state.numbers[SLEEPY] == 0.0:
        for j in range(m):
            out[np.uint64(j)] = -eta * (losses[np.uint64(first + j)] - reference)
    else:
        for j in range(m):
            k = np.uint64(first + j)
            out[np.uint64(j)] = -eta * (bounded(losses[k] + spared[k]) - reference)


class AdaptiveRate(NamedTuple):
    """AdaHedge: eta_t = ln(N)/Delta, Delta the sum of mixability gaps so far.

    While Delta = 0 the rate is the largest float, which leaves weight to the leaders
    alone, all the same.
    """

    log_n: float
    votes = False
    has_extra = False


@implement(prime, ExponentialWeights)
@implement(prime, AdaptiveRate)
def _(rule: ExponentialWeights | AdaptiveRate, state: ExpertState) -> None:
    pass


@implement(tune, AdaptiveRate)
def _(
    rule: AdaptiveRate, state: ExpertState, costs: Floats, at: int, awake: int
) -> None:
    numbers = state.numbers
    numbers[ETA] = MOST
    if numbers[GAPS] > 0.0:
        numbers[ETA] = min(rule.log_n / numbers[GAPS], MOST)
    refer_best(state, costs, at, awake)


@implement(weigh, ExponentialWeights)
@implement(weigh, AdaptiveRate)
def _(
    rule: ExponentialWeights | AdaptiveRate, state: ExpertState, first: int, m: int
) -> None:
    behind(state, state.block, first, m)
    exponentiate(state.block, m)


@implement(learn, AdaptiveRate)
def _(
    rule: AdaptiveRate, state: ExpertState, costs: Floats, at: int, mixed: MixedRound
) -> None:
    # With D_k how far k is behind, l_k its loss above `low`, and a = min(D_k + l_k),
    #   the mix loss is a - ln(sum exp(-eta (D_k + l_k - a)) / sum exp(-eta D_k))/eta.
    # No term is large, so nothing cancels, and at infinite eta it is a.
    numbers = state.numbers
    n = state.losses.size
    numbers[REFERENCE] = numbers[LEAST]
    ahead = MOST
    for k in range(n):
        ahead = min(ahead, lagged(state, costs, at, k, mixed))
    before = 0.0
    after = 0.0
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        if mixed.awake < n:
            behind(state, state.work, first, m)
            exponentiate(state.work, m)
            before += added(state.work, m)
        for j in range(m):
            behind_now = lagged(state, costs, at, first + j, mixed) - ahead
            state.work[j] = -numbers[ETA] * behind_now
        exponentiate(state.work, m)
        after += added(state.work, m)
    if mixed.awake == n:
        before = mixed.total
    mix = ahead - math.log(after / before) / numbers[ETA]
    gap = min(max(mixed.gap - mix, 0.0), mixed.gap)
    numbers[GAPS] = bounded(numbers[GAPS] + gap)


@compiled
def lagged(
    state: ExpertState, costs: Floats, at: int, k: int, mixed: MixedRound
) -> float:
    """How far expert `k` is behind the leader, with its loss above the least added."""
    cost = costs[np.uint64(at + k)]
    loss = min(cost - mixed.low, MOST) if not math.isnan(cost) else mixed.gap
    stands = bounded(state.losses[k] + state.spared[k])
    return min(stands - state.numbers[LEAST], MOST) + loss


@compiled(fastmath={"reassoc"})
def added(values: Floats, m: int) -> float:
    """The sum of the first `m` values."""
    total = 0.0
    for j in range(m):
        total += values[np.uint64(j)]
    return total
