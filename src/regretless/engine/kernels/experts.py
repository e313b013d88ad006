"""The experts' loop: weigh, mix, pay, learn; one round of losses at a time.

    w = weigh(rule);  pay the mixture w.l, or the vote;  learn(rule, l)

Everything that tells one algorithm from another is in the rule, and everything that
tells votes from predictions and losses is in the rounds. A row of losses is read twice
from nearby memory: once to look at it, once to weigh and mix it block by block.
"""

from __future__ import annotations

from typing import Any

from ...parts.expert_inputs import (
    advise,
    consult,
    count,
    exhausted,
    gather,
    losses_of,
    settle,
)
from ...parts.expert_state import (
    BLOCK,
    LOSS,
    ROUNDS,
    UNIT,
    absorb,
    absorb_awake,
    bounded,
    range_awake,
    scan,
    weighted_sums,
    weighted_sums_awake,
)
from ...parts.expert_statistics import ExpertRound
from ...parts.generic import compiled
from ...parts.observers import note
from ...parts.rules import learn, tune, weigh
from ...parts.rules.interface import MixedRound
from .compiled import kernel


@kernel
def play_rounds(rule: Any, state: Any, observer: Any, rounds: Any) -> int:
    """Play rounds of expert advice; how many were played.

    Fewer rounds played than given means that the next one is refused (an entry that is
    not allowed, all asleep, or none left): nothing of it has been learned.
    """
    numbers = state.numbers
    n = state.losses.size
    for i in range(count(rounds)):
        at = gather(rounds, i, state)
        costs = losses_of(rounds, rounds.values, state.costs)
        awake, low, high = look(costs, at, n)
        if awake <= 0 or exhausted(rounds, rule, state, costs, at):
            return i
        total, gap, one, zero = mix(rule, state, rounds, i, costs, at, low, awake)
        gap = min(gap / total / numbers[UNIT], bounded(high - low))
        mixed = min(low + gap, high)
        score, margin, mean_loss = advise(rounds, i, one, zero, total * numbers[UNIT])
        paid, mistaken = settle(rounds, i, rule, score, margin, mixed, numbers[ROUNDS])
        learn(rule, state, costs, at, MixedRound(low, gap, total, awake))
        if awake == n:
            absorb(state, costs, at)
        else:
            absorb_awake(state, costs, at, paid)
        numbers[ROUNDS] += 1.0
        numbers[LOSS] = bounded(numbers[LOSS] + paid)
        note(observer, ExpertRound(score, paid, mistaken, mean_loss, low, high))
    return count(rounds)


@kernel
def score_round(rule: Any, state: Any, rounds: Any, out: Any) -> int:
    """The first round's advice, 1 if there is any.

    Writes the score and the margin into `out`; returns 0 where the round is refused.
    """
    at = gather(rounds, 0, state)
    costs = losses_of(rounds, rounds.values, state.costs)
    awake, low, _high = look(costs, at, state.losses.size)
    if awake <= 0:
        return 0
    total, _gap, one, zero = mix(rule, state, rounds, 0, costs, at, low, awake)
    advice = advise(rounds, 0, one, zero, total * state.numbers[UNIT])
    out[0] = advice[0]
    out[1] = advice[1]
    return 1


@kernel
def weigh_experts(rule: Any, state: Any, out: Any) -> None:
    """Write all experts' weights, normalized."""
    n = out.size
    for k in range(n):
        state.costs[k] = 0.0
    tune(rule, state, state.costs, 0, n)
    total = 0.0
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        weigh(rule, state, first, m)
        for j in range(m):
            out[first + j] = state.block[j]
            total += state.block[j]
    for k in range(n):
        out[k] /= total


@compiled
def look(costs: Any, at: int, n: int) -> tuple[int, float, float]:
    """How many are awake (-1: something is not allowed), the least and largest loss."""
    finite, low, high = scan(costs, at, n)
    if finite:
        return n, low, high
    return range_awake(costs, at, n)


@compiled
def mix(
    rule: Any,
    state: Any,
    rounds: Any,
    i: int,
    costs: Any,
    at: int,
    low: float,
    awake: int,
) -> tuple[float, float, float, float]:
    """Weigh everybody: the total, the loss above `low`, and the sums of ``consult``."""
    n = state.losses.size
    unit = state.numbers[UNIT]
    total = gap = one = zero = 0.0
    tune(rule, state, costs, at, awake)
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        weigh(rule, state, first, m)
        if awake == n:
            weights, above = weighted_sums(state.block, costs, at + first, m, low, unit)
        else:
            weights, above = weighted_sums_awake(
                state.block, costs, at + first, m, low, unit
            )
        some, others = consult(rounds, i, state, first, m, unit)
        total += weights
        gap += above
        one += some
        zero += others
    return total, gap, one, zero
