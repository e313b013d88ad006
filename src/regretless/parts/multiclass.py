"""Many classes: lanes of weights, one a class, and the verdict of a round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .observers import COUNTS, CURVE, CURVE_COLUMNS, SUMS
from .rows import Longs
from .state import SIZE, Bools, Floats

LANES = 8  # that a vector holds
ACCUMULATORS = 4
LINE = 64  # bytes of a cache line


class ClassRound(NamedTuple):
    """A round: the best of the wrong classes (-1: there is none), and the prediction.

    ``margin`` is the score of the right class minus that of the rival.
    """

    rival: int
    predicted: int
    margin: float
    mistake: bool


class ClassTrace(NamedTuple):
    """One entry a round, where they are wanted; else all are empty.

    A round's scores have a column a class, -inf where it had not come yet.
    """

    scores: Floats
    losses: Floats
    mistakes: Bools

    def rows(self, start: int, stop: int) -> ClassTrace:
        """The entries of some rounds."""
        part = slice(start, stop)
        return ClassTrace(self.scores[part], self.losses[part], self.mistakes[part])


NOTHING = ClassTrace(np.zeros((0, 0)), np.zeros(0), np.zeros(0, np.bool_))


class Lanes(NamedTuple):
    """Weights of all classes, feature after feature, and what each lane carries.

    There are 8 * blocks lanes. ``weights`` holds them all for every feature; a row of
    ``numbers``, ``counts``, ``sums`` and ``curves`` belongs to one lane; the others are
    room to work in, but for ``means`` (empty, unless a mean is kept).
    """

    weights: Floats
    means: Floats
    numbers: Floats  # [lane, SIZE]
    counts: Longs  # [lane, COUNTS]
    sums: Floats  # [lane, SUMS]
    curves: Floats  # [lane, CURVE, CURVE_COLUMNS]
    scores: Floats
    dots: Floats
    steps: Floats
    gains: Floats
    alive: Longs


def blocks_for(classes: int) -> int:
    """How many vectors hold this many lanes."""
    return (max(classes, 1) + LANES - 1) // LANES


def new_lanes(blocks: int, features: int, *, statistics: bool) -> Lanes:
    """Lanes of zeros; with room for the statistics of each lane if they are kept."""
    lanes = LANES * blocks
    kept = lanes if statistics else 1
    return Lanes(
        weights=on_a_line(features * lanes),
        means=np.zeros(0),
        numbers=np.zeros((kept, SIZE)),
        counts=np.zeros((kept, COUNTS), np.int64),
        sums=np.zeros((kept, SUMS)),
        curves=np.zeros((kept, CURVE, CURVE_COLUMNS)),
        scores=np.zeros(lanes),
        dots=np.zeros(ACCUMULATORS * lanes),
        steps=np.zeros(lanes),
        gains=np.zeros(2 * lanes),
        alive=np.ones(lanes, np.int64),
    )


def widened(lanes: Lanes, features: int, blocks: int, *, statistics: bool) -> Lanes:
    """The same with room for more features, or more lanes."""
    before = lanes.scores.size
    room = max(features, lanes.weights.size // before)
    wider = new_lanes(blocks, room, statistics=statistics)
    means = on_a_line(wider.weights.size if lanes.means.size else 0)
    for old, new in ((lanes.weights, wider.weights), (lanes.means, means)):
        if old.size:
            known = old.reshape(-1, before)
            new.reshape(room, -1)[: len(known), :before] = known
    for name in ("numbers", "counts", "sums", "curves"):
        old, new = getattr(lanes, name), getattr(wider, name)
        new[: len(old)] = old
    return wider._replace(means=means)


def on_a_line(size: int) -> Floats:
    """Zeros that begin on a cache line."""
    space = np.zeros(size + LANES)
    shift = -space.ctypes.data % LINE // 8
    return space[shift : shift + size]
