"""Coin betting: w is the share of the wealth that Krichevsky and Trofimov would bet.

A gradient g with |g| <= 1 is a coin c = -g; theta is the sum of all coins and S the sum
of their sizes. The bet and what it earns are ::

    w = theta W/(1 + S),        W += c.w,    from W = wealth

With coins of size one, 1 + S is the number of the round. Longer coins are cut to size
one, so that no bet can lose more than there is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..documents import Document
from ..generic import implement, require
from ..rows import RowView, column, entry
from ..state import PEAK, STAKED, WEALTH, Numbers, State
from .moves import extra_sums, factor, move, observe_gradient, refresh, start


class Betting(NamedTuple):
    """One bettor, whose coins are vectors."""

    wealth: float = 1.0
    duals = 0
    fixed = False

    def check(self) -> None:
        """Raise ValueError unless wealth is positive and finite."""
        require(0 < self.wealth < math.inf, self, "wealth", "positive and finite")


@implement(start, Betting)
def _(geometry: Betting, state: State) -> None:
    state.numbers[WEALTH] = geometry.wealth


@implement(factor, Betting)
def _(geometry: Betting, numbers: Numbers) -> float:
    return numbers[WEALTH] / (1.0 + numbers[STAKED])


@implement(move, Betting)
def _(
    geometry: Betting, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    numbers = state.numbers
    size = abs(step) * math.sqrt(row.square)
    if size > 1.0:
        step /= size
        size = 1.0
    for k in range(lo, hi):
        state.primal[column(rows, k, lo, hi)] += step * entry(rows, k, hi)
    numbers[WEALTH] += step * row.dot
    numbers[STAKED] += size


@implement(extra_sums, Betting)
def _(geometry: Betting, state: State) -> Document:
    return {
        "wealth": float(state.numbers[WEALTH]),
        "staked": float(state.numbers[STAKED]),
        "pull": float(np.linalg.norm(state.primal)),
    }


class CoordinateBetting(NamedTuple):
    """One bettor a feature, each with the same wealth; it meets only its own coins."""

    wealth: float = 1.0
    duals = 3  # theta, S, and what the bets have earned
    fixed = False

    def check(self) -> None:
        """Raise ValueError unless wealth is positive and finite."""
        require(0 < self.wealth < math.inf, self, "wealth", "positive and finite")


@implement(start, CoordinateBetting)
def _(geometry: CoordinateBetting, state: State) -> None:
    pass


@implement(factor, CoordinateBetting)
def _(geometry: CoordinateBetting, numbers: Numbers) -> float:
    return 1.0


@implement(observe_gradient, Betting)
@implement(observe_gradient, CoordinateBetting)
def _(
    geometry: Betting | CoordinateBetting, state: State, row: RowView, scale: float
) -> float:
    return row.square


@implement(move, CoordinateBetting)
def _(
    geometry: CoordinateBetting, state: State, row: RowView, step: float, shrink: float
) -> None:
    rows, lo, hi = row.rows, row.lo, row.hi
    primal = state.primal
    dual = state.dual
    peak = state.numbers[PEAK]
    for k in range(lo, hi):
        j = column(rows, k, lo, hi)
        coin = step * entry(rows, k, hi)
        peak = max(peak, abs(coin))
        coin = min(max(coin, -1.0), 1.0)
        dual[3 * j] += coin
        dual[3 * j + 1] += abs(coin)
        dual[3 * j + 2] += coin * primal[j]
        wealth = geometry.wealth + dual[3 * j + 2]
        primal[j] = dual[3 * j] * wealth / (1.0 + dual[3 * j + 1])
    state.numbers[PEAK] = peak


@implement(refresh, Betting)
@implement(refresh, CoordinateBetting)
def _(geometry: Betting | CoordinateBetting, state: State) -> None:
    pass


@implement(extra_sums, CoordinateBetting)
def _(geometry: CoordinateBetting, state: State) -> Document:
    pull, staked, earned = state.dual.reshape(-1, 3).T
    return {
        "pulls": np.abs(pull),
        "stakes": staked.copy(),
        "earned": float(earned.sum()),
        "largest_coin": float(state.numbers[PEAK]),
    }
