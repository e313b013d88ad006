"""Trees that were grown ahead of the panel: where rows fell, and which leaves split.

How trees grow depends on rows and labels alone, not on what anybody has said of them.
So one thread grows the trees and writes down what the leaf weights will ask for, and
another one plays the same rows with it, to the same bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled, implement
from ..state import Floats
from .entering import enter_row, leave_row
from .forest import (
    CHILD,
    FEATURE,
    LEAF,
    LEAVES,
    LIVE,
    SPREAD,
    WEIGHT,
    Forest,
    Ints,
    is_live,
)
from .growing import end_round, hand_down
from .leaf_weights import leaf_mean
from .state import ROUNDS

LEARNED = slice(WEIGHT, SPREAD + 1)  # columns of outputs: what scores and learns


class GrownTrees(NamedTuple):
    """What a forest says of some rows, and its leaf weights, which learn from them."""

    numbers: Floats
    outputs: Floats  # [leaf, lane, OUTPUTS]: of which only the weights count
    stack: Floats
    covariance: Floats
    places: Ints  # [row, tree]: the leaf
    born: Ints  # [row, tree]: a leaf that was split off it after the row; 0: none
    means: Floats  # [row, lane]
    lanes: tuple[int, int]  # those whose leaf weights learn here


def grown_trees(forest: Forest, rows: int, slots: int) -> list[GrownTrees]:
    """Room for blocks of so many rows; all share a copy of the leaf weights.

    Of a forest that was given up it is as good as nothing.
    """
    used, trees = int(forest.numbers[LEAVES]), forest.sizes.size
    outputs = np.zeros(forest.outputs.shape)
    outputs[:used] = forest.outputs[:used]
    numbers, lanes = forest.numbers.copy(), len(forest.stack)
    return [
        GrownTrees(
            numbers,
            outputs,
            forest.stack,
            forest.covariance,
            np.zeros((rows, trees), np.int32),
            np.zeros((rows, trees), np.int32),
            np.zeros((rows, lanes)),
            (0, lanes),
        )
        for _ in range(slots)
    ]


def take_leaf_weights(forest: Forest, grown: GrownTrees) -> None:
    """Give a forest the leaf weights that have learned beside it."""
    used = int(forest.numbers[LEAVES])
    forest.outputs[:used, :, LEARNED] = grown.outputs[:used, :, LEARNED]


@compiled
def grow(
    forest: Forest,
    kind: Any,
    settings: Any,
    row: Any,
    grown: GrownTrees,
    rows: Any,
    i: int,
    y: float,
) -> None:
    """Let the trees learn row `i`, and write down what the leaf weights ask for."""
    entered = enter_row(forest, row, rows, i)
    for lane in range(grown.means.shape[1]):
        grown.means[i, lane] = leaf_mean(forest, settings, row, lane, entered)
    end_round(forest, kind, settings, row, entered, y)
    nodes = forest.nodes
    for t in range(grown.places.shape[1]):
        node = row.places[t, 0]
        grown.places[i, t] = row.places[t, 1]
        grown.born[i, t] = 0
        if nodes[node, FEATURE] >= 0:
            grown.born[i, t] = nodes[nodes[node, CHILD] + 1, LEAF]


@implement(is_live, GrownTrees)
def _(forest: GrownTrees) -> bool:
    return forest.numbers[LIVE] > 0.0


@implement(enter_row, GrownTrees)
def _(forest: GrownTrees, row: Any, rows: Any, i: int) -> int:
    for t in range(row.places.shape[0]):
        row.places[t, 1] = forest.places[i, t]
    return i


@implement(leave_row, GrownTrees)
def _(forest: GrownTrees, row: Any, entered: int) -> None:
    pass


@implement(leaf_mean, GrownTrees)
def _(forest: GrownTrees, settings: Any, row: Any, lane: int, entered: int) -> float:
    return forest.means[entered, lane]


@implement(end_round, GrownTrees)
def _(
    forest: GrownTrees, kind: Any, settings: Any, row: Any, entered: int, y: float
) -> None:
    forest.numbers[ROUNDS] += 1.0
    for t in range(row.places.shape[0]):
        new = forest.born[entered, t]
        if new > 0:
            for lane in range(forest.lanes[0], forest.lanes[1]):
                hand_down(forest.outputs, row.places[t, 1], new, lane)
