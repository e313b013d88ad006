"""What the leaves of a row say, and how their weights learn what is left over.

AdaGrad with an implicit step, as if every leaf of T trees were a feature of value
1/sqrt(T); the second stack learns what of it to add to the panel's score.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..generic import compiled, generic, implement
from .forest import MET, PRIOR, SPREAD, SURE, TOTAL, WEIGHT, Forest
from .members import implicit_step, repeats, sigmoid
from .stack import StackRow, StackState, combine, learn_carefully


@compiled
def lane_of(forest: Any, lane: int) -> StackState:
    """The second stack of one class."""
    return StackState(forest.stack[lane], forest.covariance[lane], forest.numbers)


@compiled
def room_of(row: Any, lane: int) -> StackRow:
    """The room for one class."""
    return StackRow(row.margins[lane], row.inputs[lane], row.leads)


@compiled
def ask_leaves(forest: Any, row: Any, lane: int) -> None:
    """Write down what the leaf weights of a class say."""
    outputs, places = forest.outputs, row.places
    trees = places.shape[0]
    weight = 0.0
    for t in range(trees):
        weight += outputs[np.uint64(places[t, 1]), lane, WEIGHT]
    row.margins[lane, 1] = weight / math.sqrt(trees)


@generic
def leaf_mean(forest: Any, settings: Any, row: Any, lane: int, entered: int) -> float:
    """The mean of what the leaves have seen; `entered` is what ``enter_row`` said."""
    ...


@implement(leaf_mean, Forest)
def _(forest: Forest, settings: Any, row: Any, lane: int, entered: int) -> float:
    outputs, leaves, places = forest.outputs, forest.leaves, row.places
    mean = 0.0
    for t in range(places.shape[0]):
        leaf = np.uint64(places[t, 1])
        seen = leaves[leaf, MET] + settings.prior
        prior = settings.prior * outputs[leaf, lane, PRIOR]
        mean += (outputs[leaf, lane, TOTAL] + prior) / seen
    return mean / places.shape[0]


@compiled
def refine(
    settings: Any,
    constants: Any,
    forest: Any,
    row: Any,
    entered: int,
    lane: int,
    score: float,
) -> float:
    """What becomes of the panel's score of the row that has entered: log-odds too."""
    ask_leaves(forest, row, lane)
    mean = leaf_mean(forest, settings, row, lane, entered)
    chance = min(max(mean, SURE), 1.0 - SURE)
    row.margins[lane, 0] = score
    row.margins[lane, 2] = math.log(chance / (1.0 - chance))
    return score + combine(constants, lane_of(forest, lane), room_of(row, lane))


@compiled
def weigh_leaves(
    settings: Any,
    constants: Any,
    forest: Any,
    row: Any,
    lane: int,
    score: float,
    y: float,
    c: float,
) -> bool:
    """Move the second stack, which said `score`, and the leaf weights of one class."""
    state = lane_of(forest, lane)
    moved = learn_carefully(constants, state, room_of(row, lane), score, y, c)
    trees = row.places.shape[0]
    ym = y * (row.margins[lane, 0] + row.margins[lane, 1])
    g = sigmoid(-ym)
    times = c * repeats(constants, state, g)
    if times == 0.0:
        return moved
    gain = (times * g) * (times * g) / trees
    pull = widen_leaves(constants, forest, row, lane, gain)
    u = implicit_step(times * settings.rate, ym, g, pull / trees)
    move_leaves(forest, row, lane, y * u / math.sqrt(trees))
    return True


@compiled
def weigh_residuals(
    settings: Any, constants: Any, forest: Any, row: Any, y: float, c: float
) -> None:
    """Move the leaf weights of amounts, by what is left of the label: squared loss."""
    eta, trees = c * settings.rate, row.places.shape[0]
    pull = widen_leaves(constants, forest, row, 0, c * c / trees)
    gap = y - row.margins[0, 1]
    u = eta * gap / (1.0 + eta * pull / trees) / math.sqrt(trees)
    move_leaves(forest, row, 0, u)


@compiled
def widen_leaves(
    constants: Any, forest: Any, row: Any, lane: int, gain: float
) -> float:
    """G += gain of the leaves of a row; their roots are kept; sum 1/sqrt(G)."""
    outputs, places = forest.outputs, row.places
    pull = 0.0
    for t in range(places.shape[0]):
        leaf = np.uint64(places[t, 1])
        square = outputs[leaf, lane, SPREAD] + gain
        outputs[leaf, lane, SPREAD] = square
        row.roots[t] = math.sqrt(max(constants.smallest, square))
        pull += 1.0 / row.roots[t]
    return pull


@compiled
def move_leaves(forest: Any, row: Any, lane: int, move: float) -> None:
    """Move the weights of the leaves of a row by move/sqrt(G)."""
    outputs, places = forest.outputs, row.places
    for t in range(places.shape[0]):
        outputs[np.uint64(places[t, 1]), lane, WEIGHT] += move / row.roots[t]
