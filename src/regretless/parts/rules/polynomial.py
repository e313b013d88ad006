"""ML-Poly: weights are positive parts of regrets, each at a rate of its own.

    w_k ~ max(R_k, 0) / (B + V_k)

R_k is the regret against expert k, V_k the sum of its squared terms, B the largest of
those squares, of anyone so far. ``extra`` holds R, V and Q, one after the other, where
Q_k sums r_k^2 over the denominator before it: the bound is made of these.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..expert_state import MOST, REFERENCE, REFERENCE_LAG, WIDE, ExpertState, bounded
from ..generic import compiled, implement
from ..state import Floats
from .interface import MixedRound, learn, prime, prove, tune, weigh

LARGEST = 1e150  # a larger gap between losses counts as this: its square is finite


class PolynomialWeights(NamedTuple):
    """Nothing to set: the rates follow the losses, in any unit."""

    votes = False
    has_extra = 3


@implement(prime, PolynomialWeights)
def _(rule: PolynomialWeights, state: ExpertState) -> None:
    pass


@implement(tune, PolynomialWeights)
def _(
    rule: PolynomialWeights, state: ExpertState, costs: Floats, at: int, awake: int
) -> None:
    # Where none is ahead of the mixture, all weigh the same. Where all that are ahead
    # sleep, the others are weighed by how far they are behind: the bound allows any.
    n = state.losses.size
    ahead = anybody = 0.0
    least = -MOST
    for k in range(n):
        regret = state.extra[np.uint64(k)]
        anybody = max(anybody, regret)
        if not math.isnan(costs[np.uint64(at + k)]):
            ahead = max(ahead, regret)
            least = max(least, standing(state, k))
    state.numbers[REFERENCE] = ahead
    state.numbers[REFERENCE_LAG] = least if anybody > ahead == 0.0 else MOST


@implement(weigh, PolynomialWeights)
def _(rule: PolynomialWeights, state: ExpertState, first: int, m: int) -> None:
    n = state.losses.size
    extra = state.extra
    block = state.block
    wide = state.numbers[WIDE]
    level = state.numbers[REFERENCE] <= 0.0
    least = state.numbers[REFERENCE_LAG]
    if level and least < MOST:
        for j in range(m):
            block[np.uint64(j)] = math.exp(min(standing(state, first + j) - least, 0.0))
        return
    for j in range(m):
        spread = wide + extra[np.uint64(n + first + j)]
        ahead = max(extra[np.uint64(first + j)], 0.0)
        ahead /= spread if spread > 0.0 else 1.0
        block[np.uint64(j)] = 1.0 if level else ahead


@implement(learn, PolynomialWeights)
def _(
    rule: PolynomialWeights,
    state: ExpertState,
    costs: Floats,
    at: int,
    mixed: MixedRound,
) -> None:
    n = state.losses.size
    extra = state.extra
    before = state.numbers[WIDE]
    wide = before
    for k in range(n):
        gap = gap_of(costs[np.uint64(at + k)], mixed)
        wide = max(wide, gap * gap)
    # Until the first gap there is no rate: the regret itself starts the potential.
    first = before == 0.0
    for k in range(n):
        gap = gap_of(costs[np.uint64(at + k)], mixed)
        square = gap * gap
        spread = extra[np.uint64(n + k)]
        extra[np.uint64(n + k)] = bounded(spread + square)
        spread += wide + square if first else before
        extra[np.uint64(k)] = bounded(extra[np.uint64(k)] + gap)
        extra[np.uint64(2 * n + k)] += square / (spread if spread > 0.0 else 1.0)
    state.numbers[WIDE] = wide


@implement(prove, PolynomialWeights)
def _(rule: PolynomialWeights, state: ExpertState) -> Floats:
    n = state.losses.size
    spread = state.numbers[WIDE] + state.extra[n : 2 * n]
    return np.sqrt(spread) * math.sqrt(float(state.extra[2 * n :].sum()))


@compiled
def standing(state: ExpertState, k: int) -> float:
    """The regret against expert `k` in units of its spread."""
    spread = state.numbers[WIDE] + state.extra[np.uint64(state.losses.size + k)]
    return state.extra[np.uint64(k)] / math.sqrt(spread) if spread > 0.0 else 0.0


@compiled
def gap_of(cost: float, mixed: MixedRound) -> float:
    """The mixture's loss less an expert's, in one round; 0 for one asleep."""
    gap = mixed.gap - min(cost - mixed.low, MOST)
    return 0.0 if math.isnan(cost) else min(max(gap, -LARGEST), LARGEST)
