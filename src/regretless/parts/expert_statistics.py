"""What is written down about the rounds of experts: the sums of their statistics.

The same idea as :mod:`regretless.parts.observers`, with the sufficient statistics of
the experts' theorems. What each expert lost is in the state itself.
"""

from __future__ import annotations

from typing import NamedTuple

from .expert_state import bounded
from .generic import implement
from .observers import LOSS, MISTAKES, ROUNDS, enter, lower_to, raise_to
from .rows import Longs
from .state import Floats

# sums
# LOSS, the learner's, is the first
MEAN_LOSS = 1  # of the mean prediction
LOWEST = 2  # least loss of any expert
HIGHEST = 3  # largest
WIDEST = 4  # max of s_t, the range of the losses of a round
RANGES = 5  # sum of s_t^2
SUMS = 6


class ExpertRound(NamedTuple):
    """All that is known once a round of experts is over."""

    score: float
    loss: float
    mistake: bool
    mean_loss: float
    low: float
    high: float


@implement(enter, ExpertRound)
def _(played: ExpertRound, counts: Longs, sums: Floats) -> None:
    counts[ROUNDS] += 1
    if played.mistake:
        counts[MISTAKES] += 1
    sums[LOSS] = bounded(sums[LOSS] + played.loss)
    sums[MEAN_LOSS] = bounded(sums[MEAN_LOSS] + played.mean_loss)
    width = bounded(played.high - played.low)
    sums[RANGES] = bounded(sums[RANGES] + width * width)
    raise_to(sums, WIDEST, width)
    raise_to(sums, HIGHEST, played.high)
    lower_to(sums, LOWEST, played.low)
