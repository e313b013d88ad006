"""The forecasters' loop: forecast all rows of a round, learn it when it is known.

    x_i = sum_k w_k x_ik for every row i of round t;   c_tk = mean over i of the charges
    when the outcomes of round s are known:            learn(rule, c_s)

A round may be forecast long before it is learned. Its charges are those of the weights
w that were played; the rule learns them as a game of its own, in the order in which
they become known, at the weights z that it has by then. So every bound of the rule
holds for z, and what w lost above z is written down beside (``apart``). Where rounds
are known one by one, z = w.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...parts.expert_state import (
    BLOCK,
    LOSS,
    ROUNDS,
    UNIT,
    absorb,
    absorb_awake,
    bounded,
    range_awake,
    weighted_sums,
    weighted_sums_awake,
)
from ...parts.expert_statistics import ExpertRound
from ...parts.generic import compiled
from ...parts.observers import note
from ...parts.pools import charge, cost_of, look_ahead
from ...parts.rules import learn, tune, weigh
from ...parts.rules.interface import MixedRound
from .compiled import kernel
from .experts import look

WIDEST = 0  # of ``numbers``: the largest gap that was learned
MANY = 1  # how many rounds had one
CAP = 2  # after some rounds it may grow so many times in one; infinity: without limit
WARM = 10.0  # how many those are


class PoolTrace(NamedTuple):
    """What is written down: one entry a row, one an expert, and some weights."""

    mixtures: Any  # the mean forecasts, end to end
    losses: Any  # what they cost; nan where that is not known
    apart: Any  # for each expert, what the game that was learned leaves out of regret
    numbers: Any  # WIDEST, MANY, CAP
    weights: Any  # before every `stride`-th round, end to end
    stride: int
    mean: Any  # room for one forecast
    slopes: Any  # and for its slopes
    charges: Any  # room for the rounds that are not learned yet, by slot
    mixed: Any  # what the mixture is charged in these
    paid: Any  # and what it paid


@kernel
def pool_rounds(
    rule: Any, state: Any, observer: Any, pool: Any, schedule: Any, trace: Any
) -> int:
    """Play rounds of forecasts that come and go; how many rows were played.

    Fewer rows than given means that this one is refused: a loss is not finite. A row in
    which has no forecast is left as it is, nan.
    """
    n = state.losses.size
    learned = 0
    for b in range(schedule.ahead.size):
        while learned < schedule.ahead[b]:
            slot = schedule.order[learned] % schedule.slots
            learn_round(rule, state, observer, trace, slot)
            learned += 1
        if b % trace.stride == 0:
            keep_weights(rule, state, trace, (b // trace.stride) * n)
        refused = forecast_round(rule, state, pool, schedule, trace, b)
        if refused >= 0:
            return refused
    while learned < schedule.order.size:
        slot = schedule.order[learned] % schedule.slots
        learn_round(rule, state, observer, trace, slot)
        learned += 1
    return pool.outcomes.size


@compiled
def forecast_round(
    rule: Any, state: Any, pool: Any, schedule: Any, trace: Any, b: int
) -> int:
    """Forecast the rows of round `b`, and keep its charges. A refused row, or -1."""
    n = state.losses.size
    width = pool.width
    slot = b % schedule.slots
    charges = slot * n
    for k in range(n):
        trace.charges[charges + k] = math.nan
    mixed = paid = 0.0
    known = 0
    for i in range(schedule.starts[b], schedule.starts[b + 1]):
        look_ahead(pool.lesson, pool, i, state)
        awake, low, high = look(state.costs, 0, n)
        if awake < 0:
            return i
        if awake == 0:
            continue
        total, gap = average(rule, state, pool, i, low, awake, trace)
        for c in range(width):
            trace.mixtures[i * width + c] = trace.mean[c]
        y = pool.outcomes[i]
        if math.isnan(y):
            continue
        cost = cost_of(pool.kind, trace.mean, 0, width, y)
        if not abs(cost) < math.inf:
            return i
        trace.losses[i] = cost
        gap = min(gap / total / state.numbers[UNIT], bounded(high - low))
        own = charge(
            pool.lesson, pool, i, state, trace.mean, trace.slopes, min(low + gap, high)
        )
        known += 1
        mixed += (own - mixed) / known
        paid += (cost - paid) / known
        add_charges(trace.charges, charges, state.costs, n, own, mixed, known)
    trace.mixed[slot] = mixed
    trace.paid[slot] = paid
    return -1


@compiled
def add_charges(
    charges: Any, at: int, costs: Any, n: int, own: float, mixed: float, known: int
) -> None:
    """Add one row to the means. Who is asleep in it is charged what the mixture is.

    Who was asleep in all rows before it was charged the mixture's mean so far.
    """
    before = (mixed * known - own) / max(known - 1, 1)
    for k in range(n):
        cost = costs[np.uint64(k)]
        mean = charges[np.uint64(at + k)]
        if not (math.isnan(cost) and math.isnan(mean)):
            cost = own if math.isnan(cost) else cost
            mean = before if math.isnan(mean) else mean
            charges[np.uint64(at + k)] = mean + (cost - mean) / known


@compiled
def learn_round(rule: Any, state: Any, observer: Any, trace: Any, slot: int) -> None:
    """Let the rule learn the charges of a round, as a round of its own game."""
    n = state.losses.size
    numbers = state.numbers
    for k in range(n):
        state.costs[np.uint64(k)] = trace.charges[np.uint64(slot * n + k)]
    awake, low, high = range_awake(state.costs, 0, n)
    if awake <= 0:
        return
    total, gap = mix_charges(rule, state, low, awake)
    gap = min(gap / total / numbers[UNIT], bounded(high - low))
    now = min(low + gap, high)
    shrink = shrunk(trace.numbers, max(gap, high - now))
    for k in range(n):
        cost = state.costs[np.uint64(k)]
        if not math.isnan(cost):
            left = trace.mixed[slot] - now + (1.0 - shrink) * (now - cost)
            trace.apart[np.uint64(k)] = bounded(trace.apart[np.uint64(k)] + left)
            if shrink < 1.0:
                state.costs[np.uint64(k)] = now + shrink * (cost - now)
    if shrink < 1.0:
        low = now + shrink * (low - now)
        high = now + shrink * (high - now)
        gap *= shrink
    learn(rule, state, state.costs, 0, MixedRound(low, gap, total, awake))
    if awake == n:
        absorb(state, state.costs, 0)
    else:
        absorb_awake(state, state.costs, 0, now)
    numbers[ROUNDS] += 1.0
    numbers[LOSS] = bounded(numbers[LOSS] + now)
    note(observer, ExpertRound(now, now, False, trace.paid[slot], low, high))


@compiled
def shrunk(numbers: Any, gap: float) -> float:
    """By how much a round is shrunk, so that one wild forecast does not rule for ever.

    Gaps that grow for good are followed, doubling by doubling.
    """
    if gap <= 0.0:
        return 1.0
    learned = gap
    if numbers[MANY] >= WARM:
        learned = min(gap, numbers[CAP] * numbers[WIDEST])
    numbers[WIDEST] = max(numbers[WIDEST], learned)
    numbers[MANY] += 1.0
    return learned / gap


@compiled
def mix_charges(rule: Any, state: Any, low: float, awake: int) -> tuple[float, float]:
    """The total weight of those awake, and the mixture of their charges above `low`."""
    n = state.losses.size
    unit = state.numbers[UNIT]
    total = gap = 0.0
    tune(rule, state, state.costs, 0, awake)
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        weigh(rule, state, first, m)
        if awake == n:
            weights, above = weighted_sums(
                state.block, state.costs, first, m, low, unit
            )
        else:
            weights, above = weighted_sums_awake(
                state.block, state.costs, first, m, low, unit
            )
        total += weights
        gap += above
    return total, gap


@compiled
def average(
    rule: Any, state: Any, pool: Any, i: int, low: float, awake: int, trace: Any
) -> tuple[float, float]:
    """Write the mean forecast; return the total weight, and the loss above `low`."""
    n = state.losses.size
    width = pool.width
    unit = state.numbers[UNIT]
    total = gap = 0.0
    for c in range(width):
        trace.mean[c] = 0.0
    tune(rule, state, state.costs, 0, awake)
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        weigh(rule, state, first, m)
        if awake == n:
            weights, above = weighted_sums(
                state.block, state.costs, first, m, low, unit
            )
        else:
            weights, above = weighted_sums_awake(
                state.block, state.costs, first, m, low, unit
            )
        total += weights
        gap += above
        blend(state, pool, (i * n + first) * width, m, trace.mean)
    for c in range(width):
        trace.mean[c] /= total
    return total, gap


@compiled
def keep_weights(rule: Any, state: Any, trace: Any, at: int) -> None:
    """Write down the weights of all experts before a round."""
    n = state.losses.size
    total = 0.0
    for k in range(n):
        state.costs[np.uint64(k)] = 0.0
    tune(rule, state, state.costs, 0, n)
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        weigh(rule, state, first, m)
        for j in range(m):
            trace.weights[at + first + j] = state.block[j]
            total += state.block[j]
    for k in range(n):
        trace.weights[at + k] /= total


@compiled(fastmath={"reassoc", "contract"})
def blend(state: Any, pool: Any, at: int, m: int, mean: Any) -> None:
    """Add the forecasts that begin at `at`, weighed by ``state.block``, to the mean."""
    if pool.width == 1:
        total = 0.0
        for j in range(m):
            x = pool.values[np.uint64(at + j)]
            w = state.block[np.uint64(j)]
            total += 0.0 if math.isnan(x) else w * x
        mean[0] += total
    else:
        for j in range(m):
            w = state.block[np.uint64(j)]
            if w > 0.0:
                for c in range(pool.width):
                    mean[c] += w * pool.values[at + j * pool.width + c]
