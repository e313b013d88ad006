"""Bernstein online aggregation: second-order weights, each at a rate of its own.

    w_k ~ eta_k exp(eta_k (Y_k - ln N / eta_1)),  Y_k = sum_t r_k - eta_k r_k^2
    eta_k = min(1/(2 B), sqrt(ln N / V_k))

r_k is the mixture's loss less the expert's, V_k the sum of their squares, B the largest
of anyone so far, eta_1 the first rate there is. A round with a larger gap than ever is
shrunk to the old B before it is learned from, so that eta r >= -1/2 always; all that is
lost by that adds up to B at most. ``extra`` holds Y, V and Q = sum_t eta_k r_k^2, one
after the other.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..expert_state import DRIFT, MOST, REFERENCE, START, WIDE, ExpertState, bounded
from ..exponential import exponentiate
from ..generic import compiled, implement
from ..state import Floats
from .interface import MixedRound, learn, prime, prove, tune, weigh
from .polynomial import gap_of


class BernsteinWeights(NamedTuple):
    """The rates follow the losses, in any unit."""

    log_n: float
    votes = False
    has_extra = 3


@implement(prime, BernsteinWeights)
def _(rule: BernsteinWeights, state: ExpertState) -> None:
    pass


@implement(tune, BernsteinWeights)
def _(
    rule: BernsteinWeights, state: ExpertState, costs: Floats, at: int, awake: int
) -> None:
    top = -MOST
    for k in range(state.losses.size):
        if not math.isnan(costs[np.uint64(at + k)]):
            top = max(top, log_weight(rule.log_n, state, k))
    state.numbers[REFERENCE] = top


@implement(weigh, BernsteinWeights)
def _(rule: BernsteinWeights, state: ExpertState, first: int, m: int) -> None:
    for j in range(m):
        log = log_weight(rule.log_n, state, first + j)
        state.block[j] = log - state.numbers[REFERENCE]
    exponentiate(state.block, m)


@implement(learn, BernsteinWeights)
def _(
    rule: BernsteinWeights,
    state: ExpertState,
    costs: Floats,
    at: int,
    mixed: MixedRound,
) -> None:
    n = state.losses.size
    numbers = state.numbers
    extra = state.extra
    before = numbers[WIDE]
    wide = before
    for k in range(n):
        wide = max(wide, abs(gap_of(costs[np.uint64(at + k)], mixed)))
    if before == 0.0:
        numbers[WIDE] = numbers[START] = wide
        return
    shrink = before / wide
    for k in range(n):
        gap = gap_of(costs[np.uint64(at + k)], mixed) * shrink
        eta = rate_of(rule.log_n, before, extra[n + k])
        extra[k] = bounded(extra[k] + (gap - eta * gap * gap))
        extra[n + k] = bounded(extra[n + k] + gap * gap)
        extra[2 * n + k] = bounded(extra[2 * n + k] + eta * gap * gap)
        after = rate_of(rule.log_n, wide, extra[n + k])
        numbers[DRIFT] = bounded(numbers[DRIFT] + (eta / after - 1.0))
    numbers[WIDE] = wide


@implement(prove, BernsteinWeights)
def _(rule: BernsteinWeights, state: ExpertState) -> Floats:
    n = state.losses.size
    wide, start = float(state.numbers[WIDE]), float(state.numbers[START])
    if wide == 0.0:
        return np.zeros(n)
    spread = state.extra[n : 2 * n]
    rates = np.array([rate_of(rule.log_n, wide, v) for v in spread.tolist()])
    grown = math.log1p(float(state.numbers[DRIFT]) / math.e)
    return wide + state.extra[2 * n :] + 2.0 * start * rule.log_n + grown / rates


@compiled
def rate_of(log_n: float, wide: float, spread: float) -> float:
    """The rate of an expert: min(1/(2 B), sqrt(ln N / V))."""
    eta = 0.5 / wide
    if spread > 0.0:
        eta = min(eta, math.sqrt(log_n / spread))
    return eta


@compiled
def log_weight(log_n: float, state: ExpertState, k: int) -> float:
    """The logarithm of the weight of expert `k`; 0 for all before the first gap."""
    numbers = state.numbers
    if numbers[WIDE] == 0.0:
        return 0.0
    eta = rate_of(log_n, numbers[WIDE], state.extra[state.losses.size + k])
    stands = bounded(state.extra[k] - 2.0 * numbers[START] * log_n)
    return bounded(math.log(eta) + eta * stands)
