"""Observers: what is written down about each round while it is played.

``note(observer, round)`` sees everything there is to know about a round. ``Silent``
writes nothing and costs nothing; ``Statistics`` keeps the sufficient statistics of the
theorems in constant memory; ``Trace`` also keeps one entry a round.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .generic import compiled, generic, implement
from .rows import Longs
from .state import Bools, Floats

__all__ = [
    "CURVE",
    "UNTRACED",
    "PlayedRound",
    "Silent",
    "Statistics",
    "Trace",
    "TraceArrays",
    "new_statistics",
    "note",
    "traced",
]

# counts
ROUNDS = 0
MISTAKES = 1
FALSE_POSITIVES = 2
FALSE_NEGATIVES = 3
UPDATES = 4
POINTS = 5  # points on the curve
STRIDE = 6  # rounds between two of them
NEXT = 7  # the round of the next one
COUNTS = 8

# sums
LOSS = 0  # of all rounds, penalty included; the first sum of every game
MISTAKE_LOSS = 1  # of the rounds that were mistakes
X_SQUARES = 2  # sum |x|_2^2 over updates
G_SQUARES = 3  # sum |g|_2^2 over updates
G_DUAL = 4  # sum of squared gradient norms that pair with the geometry
G_RATED = 5  # the same, each times its step
X_LONGEST = 6  # max |x|_2, over all rounds
X_LOWEST = 7  # min(0, smallest entry)
X_HIGHEST = 8  # max(0, largest entry)
X_DUAL = 9  # max of the norm that pairs with the geometry, over updates
G_LARGEST = 10  # max |g|_2, over updates
Y_LOWEST = 11
Y_HIGHEST = 12
SCORE_LARGEST = 13  # max |score|
Y_SUM = 14  # of all labels
SQUARES = 15  # sum (score - y)^2
MEAN_SQUARES = 16  # the same, if the mean of the labels before were the score
MAJORITY = 17  # mistakes, if the more frequent label before were the prediction
SUMS = 18

CURVE = 256  # the most points a curve has
CURVE_COLUMNS = 3  # round, mistakes, loss


class PlayedRound(NamedTuple):
    """All that is known once a round is over."""

    y: float
    score: float
    loss: float
    mistake: bool
    updated: bool
    eta: float
    square: float
    low: float
    high: float
    g_square: float
    g_dual: float
    x_dual: float


@generic
def note(observer: Any, played: Any) -> None:
    """Write down what `observer` keeps of a round."""
    ...


class Silent(NamedTuple):
    """Nothing."""


@implement(note, Silent)
def _(observer: Silent, played: Any) -> None:
    pass


@generic
def enter(played: Any, counts: Longs, sums: Floats) -> None:
    """Add a round of rows, experts or numbers to the statistics, but for the curve."""
    ...


class Statistics(NamedTuple):
    """Constant memory: counts, sums, and a curve of at most CURVE points."""

    counts: Longs
    sums: Floats
    curve: Floats


@implement(note, Statistics)
def _(observer: Statistics, played: Any) -> None:
    enter(played, observer.counts, observer.sums)
    draw_if_due(observer.counts, observer.sums, observer.curve)


class Trace(NamedTuple):
    """Statistics, and one entry a round: score, loss, mistake; or none, if empty.

    Where there are more rounds than entries, the last entry is that of the last round.
    """

    counts: Longs
    sums: Floats
    curve: Floats
    scores: Floats
    losses: Floats
    mistakes: Bools
    first: int  # the round of the first entry, from 0


@implement(note, Trace)
def _(observer: Trace, played: Any) -> None:
    enter(played, observer.counts, observer.sums)
    draw_if_due(observer.counts, observer.sums, observer.curve)
    if observer.scores.size > 0:
        t = min(observer.counts[ROUNDS] - 1 - observer.first, observer.scores.size - 1)
        observer.scores[t] = played.score
        observer.losses[t] = played.loss
        observer.mistakes[t] = played.mistake


TraceArrays: TypeAlias = "tuple[Floats, Floats, Bools, *tuple[Floats, ...]]"
"""Room for scores, losses and mistakes; of many classes, also for slopes."""


def traced(statistics: Statistics, trace: TraceArrays | None) -> Trace:
    """Statistics and a trace of (scores, losses, mistakes), or None for an empty one.

    One type for both: a kernel is compiled once, not twice.
    """
    scores, losses, mistakes, *_ = UNTRACED if trace is None else trace
    return Trace(*statistics, scores, losses, mistakes, int(statistics.counts[ROUNDS]))


UNTRACED = (np.zeros(0), np.zeros(0), np.zeros(0, np.bool_))


@implement(enter, PlayedRound)
def _(played: PlayedRound, counts: Longs, sums: Floats) -> None:
    counts[ROUNDS] += 1
    sums[LOSS] += played.loss
    if played.mistake:
        counts[MISTAKES] += 1
        sums[MISTAKE_LOSS] += played.loss
        if played.y > 0.0:
            counts[FALSE_NEGATIVES] += 1
        else:
            counts[FALSE_POSITIVES] += 1
    if played.updated:
        counts[UPDATES] += 1
        sums[X_SQUARES] += played.square
        sums[G_SQUARES] += played.g_square
        sums[G_DUAL] += played.g_dual
        sums[G_RATED] += played.eta * played.g_dual
        raise_to(sums, X_DUAL, played.x_dual)
        raise_to(sums, G_LARGEST, played.g_square)
    raise_to(sums, X_LONGEST, played.square)
    raise_to(sums, X_HIGHEST, played.high)
    lower_to(sums, X_LOWEST, played.low)
    raise_to(sums, Y_HIGHEST, played.y)
    lower_to(sums, Y_LOWEST, played.y)
    raise_to(sums, SCORE_LARGEST, abs(played.score))
    enter_scale(sums, played.score, played.y, counts[ROUNDS])


@compiled
def enter_scale(sums: Floats, score: float, y: float, rounds: int) -> None:
    """Add a round to what gives a loss its scale: those who never look at x."""
    gap = score - y
    sums[SQUARES] += gap * gap
    before = sums[Y_SUM]
    gap = before / max(rounds - 1, 1) - y
    sums[MEAN_SQUARES] += gap * gap
    if y * before <= 0.0:
        sums[MAJORITY] += 1.0
    sums[Y_SUM] = before + y


@compiled
def raise_to(sums: Floats, place: int, number: float) -> None:
    """Keep the largest number seen: a branch not taken is cheaper than a store."""
    sums[place] = max(sums[place], number)


@compiled
def lower_to(sums: Floats, place: int, number: float) -> None:
    """Keep the smallest number seen."""
    sums[place] = min(sums[place], number)


@compiled
def draw_if_due(counts: Longs, sums: Floats, curve: Floats) -> None:
    """Add a point to the curve, where it is time for one."""
    if counts[ROUNDS] == counts[NEXT]:
        draw(counts, curve, counts[MISTAKES], sums[LOSS])


@compiled(forceinline=False)
def draw(counts: Longs, curve: Floats, mistakes: int, loss: float) -> None:
    """Add a point; a full curve drops every other one and strides twice as far."""
    points = counts[POINTS]
    curve[points, 0] = counts[ROUNDS]
    curve[points, 1] = mistakes
    curve[points, 2] = loss
    points += 1
    if points == CURVE:
        points = CURVE // 2
        for i in range(points):
            for column in range(CURVE_COLUMNS):
                curve[i, column] = curve[2 * i + 1, column]
        counts[STRIDE] *= 2
    counts[POINTS] = points
    counts[NEXT] += counts[STRIDE]


def new_statistics(
    n_sums: int = SUMS, lowest: int = Y_LOWEST, highest: int = Y_HIGHEST
) -> Statistics:
    """Empty statistics; of `n_sums` sums two are a least and a largest number."""
    counts = np.zeros(COUNTS, np.int64)
    counts[STRIDE] = counts[NEXT] = 1
    sums = np.zeros(n_sums)
    sums[lowest] = np.inf
    sums[highest] = -np.inf
    return Statistics(counts, sums, np.zeros((CURVE, CURVE_COLUMNS)))
