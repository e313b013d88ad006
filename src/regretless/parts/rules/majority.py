"""Majorities: experts vote 0 or 1, and every wrong one is multiplied by beta.

    w_k = beta^(m_k - m) exp(g_k - g)

m_k counts the mistakes of expert k on its waking rounds; (m, g) are those of the
heaviest expert awake. While none sleeps all g are 0, and at beta = 1/2 every weight
is a power of two: ties are exact. Where an expert sleeps, g_k grows by ln(A'/A), A and
A' the weight of those awake before and after the round: its share stands still.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..expert_state import REFERENCE, REFERENCE_LAG, ExpertState
from ..generic import compiled, implement, require
from ..state import Floats
from .interface import MixedRound, decide, learn, prime, spent, tune, weigh

NEVER = 1e300  # stands for ln(1/0)
ALLOWED = "at least 0 and below 1"


class Majority(NamedTuple):
    """Predict what more weight votes for; 0 at a tie. beta = 0 is Halving."""

    beta: float
    votes = True
    has_extra = True  # g_k

    def check(self) -> None:
        """Raise ValueError unless 0 <= beta < 1."""
        require(0 <= self.beta < 1, self, "beta", ALLOWED)


@implement(decide, Majority)
def _(
    rule: Majority, score: float, margin: float, mixed: float, y: float, t: float
) -> tuple[float, bool]:
    mistaken = (margin > 0.0) != (y > 0.0)
    return 1.0 if mistaken else 0.0, mistaken


class RandomMajority(NamedTuple):
    """Predict as one expert drawn by weight does. Its loss is the chance of a mistake.

    The coin of round t depends on the seed and t alone: however a game is cut into
    batches, it falls the same.
    """

    beta: float
    seed: int
    votes = True
    has_extra = True

    def check(self) -> None:
        """Raise ValueError unless 0 <= beta < 1 and the seed fits 63 bits."""
        require(0 <= self.beta < 1, self, "beta", ALLOWED)
        require(0 <= self.seed < 2**63, self, "seed", "at least 0 and below 2^63")


@implement(prime, Majority)
@implement(prime, RandomMajority)
def _(rule: Majority | RandomMajority, state: ExpertState) -> None:
    pass


@implement(tune, Majority)
@implement(tune, RandomMajority)
def _(
    rule: Majority | RandomMajority,
    state: ExpertState,
    costs: Floats,
    at: int,
    awake: int,
) -> None:
    refer_heaviest(rule.beta, state, costs, at)


@implement(weigh, Majority)
@implement(weigh, RandomMajority)
def _(rule: Majority | RandomMajority, state: ExpertState, first: int, m: int) -> None:
    for j in range(m):
        state.block[j] = weight(rule.beta, state, first + j)


@implement(learn, Majority)
@implement(learn, RandomMajority)
def _(
    rule: Majority | RandomMajority,
    state: ExpertState,
    costs: Floats,
    at: int,
    mixed: MixedRound,
) -> None:
    let_sleep(rule.beta, state, costs, at, mixed)


@implement(spent, Majority)
@implement(spent, RandomMajority)
def _(
    rule: Majority | RandomMajority, state: ExpertState, costs: Floats, at: int
) -> bool:
    return nobody_left(rule.beta, state, costs, at)


@implement(decide, RandomMajority)
def _(
    rule: RandomMajority, score: float, margin: float, mixed: float, y: float, t: float
) -> tuple[float, bool]:
    return mixed, (coin(rule.seed, t) < score) != (y > 0.0)


@compiled
def price(beta: float) -> float:
    """What a mistake costs in logarithms, ln(1/beta)."""
    return -math.log(beta) if beta > 0.0 else NEVER


@compiled
def weight(beta: float, state: ExpertState, k: int) -> float:
    """The weight of expert `k`, exact where none slept; at most 1 if awake."""
    more = state.losses[k] - state.numbers[REFERENCE]
    lag = state.extra[k] - state.numbers[REFERENCE_LAG]
    if lag == 0.0:
        return math.pow(beta, more)
    return math.exp(min(lag - price(beta) * more, 700.0))


@compiled
def refer_heaviest(beta: float, state: ExpertState, costs: Floats, at: int) -> None:
    """Measure weights from the heaviest expert awake."""
    heaviest = -np.inf
    for k in range(state.losses.size):
        cost = costs[np.uint64(at + k)]
        if not math.isnan(cost):
            log_weight = state.extra[k] - price(beta) * state.losses[k]
            if log_weight > heaviest:
                heaviest = log_weight
                state.numbers[REFERENCE] = state.losses[k]
                state.numbers[REFERENCE_LAG] = state.extra[k]


@compiled
def let_sleep(
    beta: float, state: ExpertState, costs: Floats, at: int, mixed: MixedRound
) -> None:
    """Shrink the weights asleep as those awake shrink together."""
    n = state.losses.size
    if mixed.awake == n and beta > 0.0:
        return
    right = 0.0
    wrong = 0.0
    for k in range(n):
        cost = costs[np.uint64(at + k)]
        if cost == 0.0:
            right += weight(beta, state, k)
        elif cost == 1.0:
            wrong += weight(beta, state, k)
    ratio = (right + beta * wrong) / (right + wrong)
    if beta == 0.0 and state.numbers[REFERENCE] > 0.0:
        ratio = 0.0  # no expert awake is alive
    for k in range(n):
        cost = costs[np.uint64(at + k)]
        if not math.isnan(cost):
            if beta == 0.0 and cost == 1.0:
                state.extra[k] = 0.0
        elif ratio > 0.0 and not (beta == 0.0 and state.losses[k] > 0.0):
            state.extra[k] += math.log(ratio)


@compiled
def nobody_left(beta: float, state: ExpertState, costs: Floats, at: int) -> bool:
    """Whether at beta = 0 every expert would have been wrong after this round."""
    if beta > 0.0:
        return False
    for k in range(state.losses.size):
        if state.losses[k] == 0.0 and costs[np.uint64(at + k)] != 1.0:
            return False
    return True


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)


@compiled
def scramble(bits: Any) -> Any:
    """The output function of splitmix64."""
    z = (bits ^ (bits >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@compiled
def coin(seed: int, t: float) -> float:
    """A number in [0, 1) that depends on the seed and the round only (splitmix64)."""
    start = scramble(np.uint64(seed) + GOLDEN)
    bits = scramble(start + np.uint64(np.int64(t) + 1) * GOLDEN)
    return np.float64(bits >> np.uint64(11)) * 2.0**-53
