"""What is written down about the rounds of experts: the statistics, and the trace.

The same idea as :mod:`regretless.parts.observers`, with the sufficient statistics of
the experts' theorems. What each expert lost is in the state itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .expert_state import bounded
from .generic import compiled, implement
from .observers import (
    COUNTS,
    CURVE,
    CURVE_COLUMNS,
    MISTAKES,
    NEXT,
    ROUNDS,
    STRIDE,
    draw,
    lower_to,
    note,
    raise_to,
)
from .rows import Longs
from .state import Bools, Floats

# sums
LOSS = 0  # the learner's
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


class ExpertStatistics(NamedTuple):
    """Constant memory: counts, sums, and a curve."""

    counts: Longs
    sums: Floats
    curve: Floats


@implement(note, ExpertStatistics)
def _(observer: ExpertStatistics, played: ExpertRound) -> None:
    enter_rounds(observer.counts, observer.sums, observer.curve, played)


class ExpertTrace(NamedTuple):
    """Statistics, and one entry a round: score, loss, mistake; or none, if empty."""

    counts: Longs
    sums: Floats
    curve: Floats
    scores: Floats
    losses: Floats
    mistakes: Bools
    first: int  # the round of the first entry, from 0


@implement(note, ExpertTrace)
def _(observer: ExpertTrace, played: ExpertRound) -> None:
    enter_rounds(observer.counts, observer.sums, observer.curve, played)
    if observer.scores.size > 0:
        t = observer.counts[ROUNDS] - 1 - observer.first
        observer.scores[t] = played.score
        observer.losses[t] = played.loss
        observer.mistakes[t] = played.mistake


@compiled
def enter_rounds(
    counts: Longs, sums: Floats, curve: Floats, played: ExpertRound
) -> None:
    """Add one round to the statistics."""
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
    if counts[ROUNDS] == counts[NEXT]:
        draw(counts, curve, counts[MISTAKES], sums[LOSS])


def new_expert_statistics() -> ExpertStatistics:
    """Empty statistics."""
    counts = np.zeros(COUNTS, np.int64)
    counts[STRIDE] = counts[NEXT] = 1
    sums = np.zeros(SUMS)
    sums[LOWEST] = np.inf
    sums[HIGHEST] = -np.inf
    return ExpertStatistics(counts, sums, np.zeros((CURVE, CURVE_COLUMNS)))
