"""The state of a state of experts between two rounds, and the passes over all of them.

``losses`` and ``slept`` say what each expert lost on its waking rounds, and how many
rounds it slept; ``spared`` is what the learner lost on those. Charged with the latter,
an expert stands at ``losses + spared``, so that its weight against the mixture stands
still while it sleeps. ``extra`` holds more numbers an expert, as the rule says.
``block``, ``work`` and ``costs`` are room to work in and carry nothing over.

Sums saturate at the largest float instead of overflowing, so that no difference of two
of them is ever nan. Passes index by unsigned numbers: numba then need not look for
negative ones, and the loops become vector instructions.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .generic import compiled
from .state import Floats

# numbers
ROUNDS = 0  # rounds played
LOSS = 1  # the learner's total loss
LEAST = 2  # where the best expert stands
SLEEPY = 3  # 1 once any expert has slept
ETA = 4  # the rate of this round
REFERENCE = 5  # where weights are measured from in this round
REFERENCE_LAG = 6  # the same, for the rule's extra number
GAPS = 7  # sum of mixability gaps
UNIT = 8  # a power of two, at most 1/n: in this unit no sum over experts overflows
WIDE = 9  # the largest gap, or its square, that second-order rules have met
START = 10  # the first such gap
DRIFT = 11  # how much rates have fallen: the sum of their ratios less one
SIZE = 12

BLOCK = 512  # experts weighed at a time: small enough to stay in the nearest cache
MOST = 1.7976931348623157e308  # the largest float

BITS = 0x7FFFFFFFFFFFFFFF  # all but the sign
INFINITY = 0x7FF0000000000000  # the bits of infinity; nan has more


class ExpertState(NamedTuple):
    """Experts in play: see the module's docstring."""

    losses: Floats
    spared: Floats
    slept: Floats
    extra: Floats
    numbers: Floats
    costs: Floats
    block: Floats
    work: Floats


def new_expert_state(n: int, extra: int) -> ExpertState:
    """`n` experts before the first round, with so many extra numbers each."""
    zeros = np.zeros
    numbers = zeros(SIZE)
    numbers[UNIT] = 2.0 ** -(n - 1).bit_length()
    return ExpertState(
        losses=zeros(n),
        spared=zeros(n),
        slept=zeros(n),
        extra=zeros(n * extra),
        numbers=numbers,
        costs=zeros(n),
        block=zeros(BLOCK),
        work=zeros(BLOCK),
    )


@compiled
def bounded(number: float) -> float:
    """The number, or the largest float where it overflowed."""
    return min(max(number, -MOST), MOST)


@compiled
def ordered(bits: Any) -> Any:
    """The bits of floats, such that they compare as the floats do; its own inverse.

    A minimum of integers becomes vector instructions; one of floats does not, because
    of nan.
    """
    return bits ^ ((bits >> 63) & BITS)


@compiled
def scan(costs: Floats, at: int, n: int) -> Any:
    """Whether all of a row is finite; if so, its least and its largest entry too."""
    low = np.int64(BITS)
    high = np.int64(-BITS)
    largest = np.int64(0)
    for k in range(n):
        bits = np.float64(costs[np.uint64(at + k)]).view(np.int64)
        key = ordered(bits)
        low = min(low, key)
        high = max(high, key)
        largest = max(largest, bits & BITS)
    return (
        largest < INFINITY,
        np.int64(ordered(low)).view(np.float64),
        np.int64(ordered(high)).view(np.float64),
    )


@compiled
def range_awake(costs: Floats, at: int, n: int) -> tuple[int, float, float]:
    """The number awake, their least and largest loss; -1 where one is infinite."""
    awake = 0
    low = np.inf
    high = -np.inf
    for k in range(n):
        cost = costs[np.uint64(at + k)]
        if not math.isnan(cost):
            if not abs(cost) <= MOST:
                return -1, low, high
            awake += 1
            low = min(low, cost)
            high = max(high, cost)
    return awake, low, high


@compiled(fastmath={"reassoc", "contract"})
def weighted_sums(
    block: Floats, costs: Floats, at: int, m: int, low: float, unit: float
) -> tuple[float, float]:
    """Sum of the weights in `block`, and of each times its loss above `low`."""
    total = 0.0
    gap = 0.0
    for j in range(m):
        w = block[np.uint64(j)]
        total += w
        gap += w * (min(costs[np.uint64(at + j)] - low, MOST) * unit)
    return total, gap


@compiled(fastmath={"reassoc", "contract"})
def weighted_sums_awake(
    block: Floats, costs: Floats, at: int, m: int, low: float, unit: float
) -> tuple[float, float]:
    """The same where some sleep: their weights in `block` become 0."""
    total = 0.0
    gap = 0.0
    for j in range(m):
        cost = costs[np.uint64(at + j)]
        asleep = math.isnan(cost)
        w = 0.0 if asleep else block[np.uint64(j)]
        block[np.uint64(j)] = w
        total += w
        gap += 0.0 if asleep else w * (min(cost - low, MOST) * unit)
    return total, gap


@compiled
def least_awake(state: ExpertState, costs: Floats, at: int) -> Any:
    """Where the best of those awake stands."""
    losses = state.losses
    spared = state.spared
    least = np.int64(BITS)
    for k in range(losses.size):
        stands = bounded(losses[np.uint64(k)] + spared[np.uint64(k)])
        key = ordered(np.float64(stands).view(np.int64))
        least = min(least, BITS if math.isnan(costs[np.uint64(at + k)]) else key)
    return np.int64(ordered(least)).view(np.float64)


@compiled
def absorb(state: ExpertState, costs: Floats, at: int) -> None:
    """Charge every expert its loss, and find the best one. All are awake."""
    losses = state.losses
    spared = state.spared
    least = np.int64(BITS)
    if state.numbers[SLEEPY] == 0.0:
        for k in range(losses.size):
            total = bounded(losses[np.uint64(k)] + costs[np.uint64(at + k)])
            losses[np.uint64(k)] = total
            least = min(least, ordered(np.float64(total).view(np.int64)))
    else:
        for k in range(losses.size):
            total = bounded(losses[np.uint64(k)] + costs[np.uint64(at + k)])
            losses[np.uint64(k)] = total
            total = bounded(total + spared[np.uint64(k)])
            least = min(least, ordered(np.float64(total).view(np.int64)))
    state.numbers[LEAST] = np.int64(ordered(least)).view(np.float64)


@compiled
def absorb_awake(state: ExpertState, costs: Floats, at: int, paid: float) -> None:
    """The same where some sleep: they are charged what the learner `paid`."""
    losses = state.losses
    spared = state.spared
    slept = state.slept
    least = np.int64(BITS)
    for i in range(losses.size):
        k = np.uint64(i)
        cost = costs[np.uint64(at + i)]
        asleep = math.isnan(cost)
        losses[k] = bounded(losses[k] + (0.0 if asleep else cost))
        spared[k] = bounded(spared[k] + (paid if asleep else 0.0))
        slept[k] += 1.0 if asleep else 0.0
        stands = bounded(losses[k] + spared[k])
        least = min(least, ordered(np.float64(stands).view(np.int64)))
    state.numbers[SLEEPY] = 1.0
    state.numbers[LEAST] = np.int64(ordered(least)).view(np.float64)
