"""Bets on ranks: a test of exchangeability that sees small changes of a rate.

For each value in turn, its rank among all so far is a p-value, uniform and independent
of those before it if the values are exchangeable. So for a fixed a the bits 1[p < a]
are independent coins with bias a. From a start c on, with k ones among m bits, a prior
Beta(A, B) around a bets ::

    B(k + A, m - k + B) / B(A, B)  over  a^k (1-a)^(m-k)

Wealth is spread over thresholds a, two priors, and starts on a grid of rounds, with
weights that sum to 1; a start that has not been reached counts 1. It is looked at on a
grid of rounds too. Terms that are not worth their logarithm are left out, which only
lowers the wealth.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...parts.generic import compiled
from .compiled import kernel

STEPS = 4096  # p-values are told apart by their first 12 bits
STARTS = 96
RATIO = 1.3  # of two starts; the first one after round 0 is FIRST
FIRST = 64
POWER, OFFSET = 1.5, 4.0  # weights (s + OFFSET)^-POWER / TOTAL
TOTAL = sum((s + OFFSET) ** -POWER for s in range(STARTS))
NARROW, WIDE = 32.0, 1.0  # of the two priors: A = c/(1 - a), B = c/a
LEAST = 6.0  # squared deviations below it bring nothing
_ODD, _32 = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
BLOCKS = 256  # of rows, in which small ranks are counted
LOOK, OFTEN = 8, 64  # rows to the next look at least, or a share 1/OFTEN of all


def thresholds() -> Any:
    """The thresholds in order, as whole numbers of STEPS: dense on both sides."""
    found, a = {STEPS // 2}, 0.5
    while a > 0.003:
        a /= 1.25
        found |= {round(a * STEPS), STEPS - round(a * STEPS)}
    return np.array(sorted(found), np.int64)


def cells_of(levels: Any) -> Any:
    """For each of STEPS values of p, how many thresholds are at or below it."""
    return np.searchsorted(levels, np.arange(STEPS), side="right").astype(np.int64)


@compiled
def _look(levels: Any, counts: Any, starts: Any, clock: Any, wealth: Any) -> None:
    """Count the wealth of now."""
    largest, total, reached, best, since = 0.0, 0.0, 0.0, -1.0, 0
    each = math.log(2.0 * levels.size)
    for s in range(clock[1]):
        share = (s + OFFSET) ** -POWER / TOTAL
        reached += share
        m = float(clock[0] - starts[s])
        ones = 0
        for j in range(levels.size):
            ones += counts[0, j] - counts[s + 1, j]
            a = levels[j] / STEPS
            k = float(ones)
            if (k - m * a) ** 2 < LEAST * m * a * (1.0 - a):
                continue
            plain = k * math.log(a) + (m - k) * math.log(1.0 - a)
            for wide in range(2):
                c = WIDE if wide else NARROW
                up, down = c / (1.0 - a), c / a
                found = (
                    math.lgamma(k + up)
                    + math.lgamma(m - k + down)
                    - math.lgamma(m + up + down)
                    - math.lgamma(up)
                    - math.lgamma(down)
                    + math.lgamma(up + down)
                    - plain
                    + math.log(share)
                    - each
                )
                if found > largest:
                    total *= math.exp(largest - found)
                    largest = found
                total += math.exp(found - largest)
                if found > best:
                    best, since = found, starts[s]
    total += max(0.0, 1.0 - reached) * math.exp(-largest)
    wealth[0] = largest + math.log(max(total, 1e-300))
    if wealth[0] > wealth[1]:
        wealth[1] = wealth[0]
        wealth[2] = clock[0]
        wealth[3] = since


@compiled
def _coin(seed: int, number: int) -> float:
    """A number in [0, 1) that looks random: SplitMix64."""
    z = (np.uint64(seed) << _32) + np.uint64(number) * _ODD
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return float((z ^ (z >> _31)) >> _11) * 2.0**-53


@kernel
def bet_on_ranks(
    bins: Any,
    seed: int,
    tree: Any,
    levels: Any,
    cells: Any,
    counts: Any,
    starts: Any,
    course: Any,
    clock: Any,
    wealth: Any,
) -> None:
    """Bet on every value in turn.

    ``bins`` are ranks of the values on a fixed scale 0..len(tree)-2, coins of ``seed``
    break ties, ``tree`` is a Fenwick tree of the values so far. ``levels``
    and ``cells`` are the thresholds and the lookup of them. ``counts`` has the p-values
    so far by cell in row 0, and as they were at start s in row s + 1; ``starts`` are
    their rounds. ``course`` counts p < 1/2 in blocks of rows. ``clock`` holds the
    round, the number of starts, the next start, the next look and the rows of a block;
    ``wealth`` its logarithm, the largest so far, the round of that, and
    the start that has earned most then.
    """
    size = tree.size - 1
    for i in range(bins.size):
        node = bins[i] + 1
        while node <= size:  # count the value itself
            tree[node] += 1
            node += node & -node
        upto = 0
        node = bins[i] + 1
        while node > 0:
            upto += tree[node]
            node -= node & -node
        below = 0
        node = bins[i]
        while node > 0:
            below += tree[node]
            node -= node & -node
        if clock[0] == clock[2] and clock[1] < starts.size:
            s = clock[1]
            starts[s] = clock[0]
            for j in range(counts.shape[1]):
                counts[s + 1, j] = counts[0, j]
            clock[1] = s + 1
            clock[2] = max(FIRST, math.ceil(clock[0] * RATIO))
        clock[0] += 1
        coin = _coin(seed, clock[0])
        p = (clock[0] - upto + coin * (upto - below)) / clock[0]
        counts[0, cells[max(0, min(int(p * STEPS), STEPS - 1))]] += 1
        if clock[0] > BLOCKS * clock[4]:
            for j in range(BLOCKS // 2):
                course[j] = course[2 * j] + course[2 * j + 1]
            course[BLOCKS // 2 :] = 0
            clock[4] *= 2
        if p < 0.5:
            course[(clock[0] - 1) // clock[4]] += 1
        if clock[0] >= clock[3]:
            clock[3] = clock[0] + max(LOOK, clock[0] // OFTEN)
            _look(levels, counts, starts, clock, wealth)
