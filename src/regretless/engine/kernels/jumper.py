"""The simple jumper: a conformal test martingale against exchangeability.

For each value in turn, its rank among all so far is a p-value, uniform and independent
of the past if the data are exchangeable. Three bets, 1 + e(p - 1/2) for e in -1, 0, 1,
share the wealth, and a little of it jumps between them every round.
"""

from __future__ import annotations

import math
from typing import Any

from .compiled import kernel

__all__ = ["jump"]

JUMPING = 0.01  # the share of the wealth that is dealt out anew each round


@kernel
def jump(bins: Any, coins: Any, tree: Any, wealth: Any, seen: int) -> None:
    """Bet on every value in turn, and write the wealth.

    ``bins`` are ranks of the values on a fixed scale 0..len(tree)-2, ``coins`` uniform
    numbers that break ties, ``tree`` a Fenwick tree of the counts so far. ``wealth``
    holds the three shares, then ln(wealth), max of it, and the round of the maximum.
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
        total = seen + i + 1
        above = total - upto
        p = (above + coins[i] * (upto - below)) / total
        mean = (wealth[0] + wealth[1] + wealth[2]) / 3.0
        change = 0.0
        for k in range(3):
            share = (1.0 - JUMPING) * wealth[k] + JUMPING * mean
            wealth[k] = share * (1.0 + (k - 1) * (p - 0.5))
            change += wealth[k]
        for k in range(3):
            wealth[k] /= change  # kept in ln, so that it never overflows
        wealth[3] += math.log(change)
        if wealth[3] > wealth[4]:
            wealth[4] = wealth[3]
            wealth[5] = total
