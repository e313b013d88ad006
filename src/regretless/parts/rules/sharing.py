"""Fixed share: exponential weights, a part of which is handed to all every round.

No weight falls below share/N, so they are kept as they are: logarithms would gain
nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..expert_state import BLOCK, MOST, ExpertState
from ..exponential import exponentiate
from ..generic import implement, require
from ..state import Floats
from .interface import MixedRound, learn, prime, tune, weigh

SMALLEST = 1e-200


class Sharing(NamedTuple):
    """v_k ~ w_k exp(-eta l_k), then w_k = (1 - share) v_k + share/N."""

    eta: float
    share: float
    votes = False
    has_extra = True

    def check(self) -> None:
        """Raise ValueError unless eta > 0 and 0 < share <= 1."""
        require(0 < self.eta < math.inf, self, "eta", "positive and finite")
        require(SMALLEST <= self.share <= 1, self, "share", "0, or in [1e-200, 1]")


@implement(prime, Sharing)
def _(rule: Sharing, state: ExpertState) -> None:
    state.extra[:] = 1.0 / state.extra.size


@implement(tune, Sharing)
def _(rule: Sharing, state: ExpertState, costs: Floats, at: int, awake: int) -> None:
    pass


@implement(weigh, Sharing)
def _(rule: Sharing, state: ExpertState, first: int, m: int) -> None:
    for j in range(m):
        state.block[np.uint64(j)] = state.extra[np.uint64(first + j)]


@implement(learn, Sharing)
def _(
    rule: Sharing, state: ExpertState, costs: Floats, at: int, mixed: MixedRound
) -> None:
    # Losses are measured from the least one: its weight stays, so the sum is positive.
    extra = state.extra
    work = state.work
    n = extra.size
    total = 0.0
    for first in range(0, n, BLOCK):
        m = min(BLOCK, n - first)
        for j in range(m):
            cost = costs[np.uint64(at + first + j)]
            loss = min(cost - mixed.low, MOST) if not math.isnan(cost) else mixed.gap
            work[np.uint64(j)] = -rule.eta * loss
        exponentiate(work, m)
        for j in range(m):
            extra[np.uint64(first + j)] *= work[np.uint64(j)]
            total += extra[np.uint64(first + j)]
    keep = (1.0 - rule.share) / total
    gift = rule.share / n
    for k in range(n):
        extra[np.uint64(k)] = keep * extra[np.uint64(k)] + gift
