"""The forecasters' loop: weigh, average what they say, pay for the mean, learn.

    x = sum_k w_k x_k;  pay loss(x, y);  learn(rule, own losses, or slopes at x)

The experts' loop (``kernels/experts.py``) pays the mixture of the losses, this one the
loss of the mixture; and what experts are charged may depend on it. Rules are the same.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled
from ..parts.crowd import (
    BLOCK,
    LOSS,
    ROUNDS,
    UNIT,
    absorb,
    absorb_awake,
    bounded,
    tally,
    tally_awake,
)
from ..parts.expert_books import ExpertRound
from ..parts.observers import note
from ..parts.pools import Charge, charge, cost_of, look_ahead, total_up
from ..parts.rules import learn, tune, weigh
from ..parts.rules.duties import Mixture
from .compiled import kernel
from .experts import look

__all__ = ["PoolTape", "pool_rounds"]


class PoolTape(NamedTuple):
    """What is written down: one entry a round, one an expert, and some weights."""

    mixtures: Any  # the mean forecasts, end to end
    losses: Any  # what they cost
    totals: Any  # what each expert lost while awake
    spared: Any  # what the mean lost while it slept
    weights: Any  # before every `stride`-th round, end to end
    mean: Any  # room for one forecast
    slopes: Any  # and for its slopes


def pool_rounds(mark: str) -> Any:
    """Build ``pool_rounds(rule, crowd, observer, pool, tape, stride) -> rounds``.

    Fewer rounds played than given means that the next one is refused: nobody gives a
    forecast, or a loss is not finite.
    """

    @kernel(mark)
    def pool_rounds(
        rule: Any, crowd: Any, observer: Any, pool: Any, tape: Any, stride: int
    ) -> int:
        numbers = crowd.numbers
        n = crowd.losses.size
        width = pool.width
        for i in range(pool.outcomes.size):
            y = pool.outcomes[i]
            look_ahead(pool.lesson, pool, i, crowd)
            awake, low, high = look(crowd.costs, 0, n)
            if awake <= 0:
                return i
            keep = (i // stride) * n if i % stride == 0 else -1
            total, gap = average(rule, crowd, pool, i, low, awake, tape, keep)
            paid = cost_of(pool.kind, tape.mean, 0, width, y)
            if not abs(paid) < math.inf:
                return i
            for c in range(width):
                tape.mixtures[i * width + c] = tape.mean[c]
            tape.losses[i] = paid
            total_up(pool.lesson, pool, i, crowd, tape.totals)
            if awake < n:
                for k in range(n):
                    if math.isnan(crowd.costs[k]):
                        tape.spared[k] += paid
            before = Charge(low, high, gap / total, 0.0)
            found = charge(pool.lesson, pool, i, crowd, tape.mean, tape.slopes, before)
            mixed = Mixture(found.low, found.gap, total, awake)
            learn(rule, crowd, crowd.costs, 0, mixed)
            if awake == n:
                absorb(crowd, crowd.costs, 0)
            else:
                absorb_awake(crowd, crowd.costs, 0, found.mixed)
            numbers[ROUNDS] += 1.0
            numbers[LOSS] = bounded(numbers[LOSS] + found.mixed)
            note(
                observer,
                ExpertRound(
                    tape.mean[0], found.mixed, False, paid, found.low, found.high
                ),
            )
        return pool.outcomes.size

    return pool_rounds


@compiled
def average(
    rule: Any,
    crowd: Any,
    pool: Any,
    i: int,
    low: float,
    awake: int,
    tape: Any,
    keep: int,
) -> tuple[float, float]:
    """Write the mean forecast; return the total weight, and the loss above `low`."""
    n = crowd.losses.size
    width = pool.width
    total = gap = 0.0
    for c in range(width):
        tape.mean[c] = 0.0
    tune(rule, crowd, crowd.costs, 0, awake)
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        weigh(rule, crowd, first, m)
        unit = crowd.numbers[UNIT]
        if awake == n:
            weights, above = tally(crowd.block, crowd.costs, first, m, low, unit)
        else:
            weights, above = tally_awake(crowd.block, crowd.costs, first, m, low, unit)
        total += weights
        gap += above
        blend(crowd, pool, (i * n + first) * width, m, tape.mean)
        if keep >= 0:
            for j in range(m):
                tape.weights[keep + first + j] = crowd.block[j]
    for c in range(width):
        tape.mean[c] /= total
    if keep >= 0:
        for k in range(n):
            tape.weights[keep + k] /= total
    return total, gap


@compiled(fastmath={"reassoc", "contract"})
def blend(crowd: Any, pool: Any, at: int, m: int, mean: Any) -> None:
    """Add the forecasts that begin at `at`, weighed by ``crowd.block``, to the mean."""
    if pool.width == 1:
        total = 0.0
        for j in range(m):
            x = pool.values[np.uint64(at + j)]
            w = crowd.block[np.uint64(j)]
            total += 0.0 if math.isnan(x) else w * x
        mean[0] += total
    else:
        for j in range(m):
            w = crowd.block[np.uint64(j)]
            if w > 0.0:
                for c in range(pool.width):
                    mean[c] += w * pool.values[at + j * pool.width + c]
