"""Penalties: what large weights cost, on top of the loss.

``strength(penalty)`` is sigma in (sigma/2)|w|^2. It makes every round sigma-strongly
convex, multiplies w by (1 - eta sigma) in each step, and is paid in the ledger.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .generic import generic, implement, require

__all__ = ["L2", "NoPenalty", "strength"]


@generic
def strength(penalty: Any) -> float:
    """The sigma of (sigma/2)|w|^2."""
    ...


class NoPenalty(NamedTuple):
    """Nothing."""


@implement(strength, NoPenalty)
def _(penalty: NoPenalty) -> float:
    return 0.0


class L2(NamedTuple):
    """``(sigma/2)|w|^2``."""

    sigma: float

    def check(self) -> None:
        """Raise ValueError unless sigma > 0."""
        require(0 < self.sigma < math.inf, self, "sigma", "positive and finite")


@implement(strength, L2)
def _(penalty: L2) -> float:
    return penalty.sigma
