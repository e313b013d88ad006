"""At which rounds hypotheses are frozen: known before the rows are seen.

Position p means after p rounds: the hypothesis that predicts round p + 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

__all__ = ["doubling", "fractions", "reservoir"]

SHARES = (0.25, 0.375, 0.5, 0.5625, 0.625, 0.6875, 0.75, 0.8125)
FEW_SHARES = (0.5, 0.625, 0.75)  # where hypotheses are large
FIRST = 512  # the first position of a stream of unknown length


def fractions(length: int, count: int = len(SHARES)) -> list[int]:
    """Positions in a run of known length, for validation on what follows."""
    shares = SHARES if count == len(SHARES) else FEW_SHARES[-count:]
    return sorted({int(share * length) for share in shares})


def doubling() -> Iterator[int]:
    """Positions 512, 1024, 2048, ... of a run of unknown length."""
    position = FIRST
    while True:
        yield position
        position *= 2


def reservoir(rng: np.random.Generator) -> Iterator[int]:
    """Positions at which to take the hypothesis so that the last taken is uniform.

    It is so whenever the run ends: 0 is taken first, then each later position t
    replaces the one held with probability 1/(t+1), drawn as jumps to the next
    replacement. A declared length would be no help: the run may end before or after.
    """
    position = 0
    while True:
        yield position
        # P(no replacement up to t) = (position + 1)/(t + 1)
        jump = math.ceil((position + 1) / (1.0 - rng.random())) - 1
        position = max(position + 1, jump)
