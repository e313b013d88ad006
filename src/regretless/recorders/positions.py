"""At which rounds hypotheses are frozen: known before the rows are seen.

Position p means after p rounds: the hypothesis that predicts round p + 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

__all__ = ["doubling", "fractions", "reservoir"]

SHARES = (0.25, 0.375, 0.5, 0.5625, 0.625, 0.6875, 0.75, 0.8125)
FIRST = 512  # the first position of a stream of unknown length


def fractions(length: int) -> list[int]:
    """Eight positions in a run of known length, for validation on what follows."""
    return sorted({int(share * length) for share in SHARES})


def doubling() -> Iterator[int]:
    """Positions 512, 1024, 2048, ... of a run of unknown length."""
    position = FIRST
    while True:
        yield position
        position *= 2


def reservoir(rng: np.random.Generator, length: int | None) -> Iterator[int]:
    """Positions at which to take the hypothesis so that the last taken is uniform.

    Known length: one of 0..length-1. Unknown: 0, then each later position t replaces
    the one held with probability 1/(t+1), drawn as jumps to the next replacement.
    """
    if length is not None:
        yield int(rng.integers(length))
        return
    position = 0
    while True:
        yield position
        # P(no replacement up to t) = (position + 1)/(t + 1)
        position = max(position + 1, math.ceil((position + 1) / rng.random()) - 1)
