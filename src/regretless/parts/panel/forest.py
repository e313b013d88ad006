"""An online forest on top of the panel's score: trees that grow, leaves that learn.

A row falls into one leaf of each of T trees. Two lanes of leaf weights learn what the
panel's score s leaves over, by AdaGrad with an implicit step, as if every leaf were a
feature of value 1/sqrt(T):

    m = sum over trees of w[leaf]/sqrt(T);   the loss is taken at s + m

A third output is the mean over trees of what the leaves have seen: of the labels, as
log-odds, or of the residuals. A second stack (:mod:`.stack`) learns what to add to s:

    score = s + w.input,   input = [clip(., -1, 1), clip(., -4, 4) of s and these, 1]

from w = 0 on, so the forest counts for nothing until it has shown its worth.

Everything is told by the values of a row and the number of the round. Nothing asks how
features are numbered, or how many are still to come: the forest plays as long as the
rows so far have had at most ``widest`` different features (and classes are few), then
it is given up for good, and the panel's score is the prediction.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..generic import compiled
from ..rows import begin, column, end, entry
from ..state import Floats
from .members import implicit_step, repeats, sigmoid
from .stack import combine, learn_carefully
from .state import DRAWS, FAR, LINE, NUMBERS, ROUNDS

__all__ = [
    "AMOUNTS",
    "SETTINGS",
    "Forest",
    "ForestRow",
    "Settings",
    "ask_leaves",
    "count_round",
    "enter_row",
    "is_live",
    "lane_alone",
    "leave_row",
    "new_forest",
    "new_row",
    "refine",
    "some_lanes",
    "weigh_leaves",
    "weigh_residuals",
    "with_lanes",
]

Ints: TypeAlias = "np.ndarray[Any, np.dtype[np.int32]]"
Bytes: TypeAlias = "np.ndarray[Any, np.dtype[np.int8]]"
Longs: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

# numbers, after those that a stack asks for (see ``state``)
FEATURES = NUMBERS  # different features that rows have had
NODES = NUMBERS + 1  # of all trees, that are in use
LEAVES = NUMBERS + 2
LIVE = NUMBERS + 3  # 1 while the forest plays
SEED = NUMBERS + 4
ALL_NUMBERS = NUMBERS + 5

# columns of nodes
FEATURE = 0  # what it asks for, as numbered in the panel's state; -1: it is a leaf
CHILD = 1  # the left one; the right one is the next
DEPTH = 2
LEAF = 3  # the record of a leaf
NODE = 4

# columns of leaves
ROWS = 0  # that the leaf has met, with what it was born with
TRIALS = 1  # how many splits it tries
SUM = 2  # of the targets
SQUARES = 3  # of their squares
MET = 4  # rows behind the means in ``outputs``
LEAF_NUMBERS = 5

# columns of outputs
STEADY = 0  # the weight of the slow lane, and of the fast one
LANES = 2
SPREAD = 2  # their sums of squares
TOTAL = 4  # of the labels, or residuals
PRIOR = 5  # what the parent thought
OUTPUTS = 6

# lines of trials
LEFT = 0  # rows that went left since the trial began
LEFT_SUM = 1  # and their targets
BOTH = 2  # all rows
BOTH_SUM = 3
TRIAL = 4

TRIES = 4  # features of its last row that a leaf keeps
INPUTS = 4  # of the second stack: the panel, two lanes, the mean
SIZE = 2 * INPUTS + 1
WIDTH = (SIZE + LINE - 1) // LINE * LINE
SURE = 1e-4  # the mean of a forest is kept so far from 0 and 1


class Settings(NamedTuple):
    """The numbers of the recipe: one set for all data."""

    trees: int = 20
    nodes: int = 1024  # of one tree
    depth: int = 14
    trials: int = 20  # splits that a leaf tries at a time
    least: int = 24  # rows before a leaf is split
    every: int = 4  # rows between two looks at the trials
    evidence: float = 8.0  # that a split needs: a chi-square of one degree of freedom
    prior: float = 2.0  # rows that a parent's mean counts for
    steady: float = 0.3  # the rates of the two lanes
    quick: float = 3.0
    doubt: float = 0.1  # the variance that the second stack begins with
    far: float = 4.0  # where the second stack clips what it is given
    widest: int = 200  # features
    most: int = 63  # classes, and the rest


SETTINGS = Settings()
AMOUNTS = Settings(every=8, evidence=6.0, steady=0.1, quick=1.0)


class Forest(NamedTuple):
    """All that a forest remembers. Trees share the records of nodes and of leaves."""

    numbers: Floats
    sizes: Ints  # [tree]: nodes
    nodes: Ints  # [node, NODE]
    cuts: Floats  # [node]: who has more goes right
    leaves: Floats  # [leaf, LEAF_NUMBERS]
    outputs: Floats  # [leaf, lane, OUTPUTS]: a lane a class
    last_features: Ints  # [leaf, TRIES]: what a leaf keeps of its last row
    last_values: Floats  # [leaf, TRIES + 1]: at last its label
    trial_features: Ints  # [leaf, trials]
    trial_cuts: Floats  # [leaf, trials]
    trial_sums: Floats  # [leaf, TRIAL, trials]
    known: Ints  # the features that rows have had, in order of appearance
    ranks: Ints  # of many classes: [label] when it came, from 1 on; at last, how many
    codes: Longs  # [leaf, trials]: of many classes, those that count 1; else no columns
    stack: Floats  # [lane, WIDTH]
    covariance: Floats  # [lane, SIZE, WIDTH]


class ForestRow(NamedTuple):
    """Room for one row. ``values`` is zero between rows."""

    values: Floats  # [feature], as numbered in the panel's state
    marks: Bytes  # [feature]: 1 where it is known
    features: Ints  # of the nonzeros, in the order of the row
    places: Ints  # [tree, 2]: the node of its leaf, and its record
    roots: Floats  # [tree]: of a sum of squares of its leaf
    margins: Floats  # [lane, INPUTS]
    inputs: Floats  # [lane, WIDTH]
    leads: Floats  # [WIDTH]


class StackState(NamedTuple):
    """What :mod:`.stack` asks of a state."""

    stack: Floats
    covariance: Floats
    numbers: Floats


class StackRow(NamedTuple):
    """What it asks of a row."""

    margins: Floats
    inputs: Floats
    leads: Floats


def new_forest(
    settings: Settings,
    lanes: int = 1,
    *,
    codes: bool = False,
    live: bool = True,
    prior: float = 0.5,
) -> Forest:
    """A forest of single leaves; of nothing at all, where it is not to play.

    Memory that is not written to is not taken, so a young forest is small.
    """
    nodes = settings.trees * settings.nodes if live else 0
    leaves = nodes // 2 + settings.trees if live else 0
    trials = settings.trials
    numbers = np.zeros(ALL_NUMBERS)
    numbers[FAR] = settings.far
    numbers[DRAWS] = 1.0
    numbers[NODES] = numbers[LEAVES] = settings.trees
    numbers[LIVE] = float(live)
    numbers[SEED] = 1.0
    forest = Forest(
        numbers=numbers,
        sizes=np.ones(settings.trees, np.int32),
        nodes=np.zeros((nodes, NODE), np.int32),
        cuts=np.zeros(nodes),
        leaves=np.zeros((leaves, LEAF_NUMBERS)),
        outputs=np.zeros((leaves, lanes, OUTPUTS)),
        last_features=np.zeros((leaves, TRIES), np.int32),
        last_values=np.zeros((leaves, TRIES + 1)),
        trial_features=np.zeros((leaves, trials), np.int32),
        trial_cuts=np.zeros((leaves, trials)),
        trial_sums=np.zeros((leaves, TRIAL, trials)),
        known=np.zeros(settings.widest if live else 0, np.int32),
        ranks=np.zeros(settings.most + 2 if codes and live else 0, np.int32),
        codes=np.zeros((leaves if codes else 0, trials), np.int64),
        stack=np.zeros((lanes, WIDTH)),
        covariance=np.zeros((lanes, SIZE, WIDTH)),
    )
    if live:
        roots = np.arange(settings.trees)
        forest.nodes[roots, FEATURE] = -1
        forest.nodes[roots, LEAF] = roots
        forest.outputs[roots, :, PRIOR] = prior
        forest.covariance[:] = settings.doubt * np.eye(SIZE, WIDTH)
    return forest


def new_row(
    settings: Settings, forest: Forest, features: int, longest: int
) -> ForestRow:
    """Room for rows of `longest` entries among so many features, the bias included."""
    lanes = len(forest.stack)
    marks = np.zeros(features, np.int8)
    if features:  # none where the forest has ended
        marks[forest.known[: int(forest.numbers[FEATURES])]] = 1
    return ForestRow(
        values=np.zeros(features),
        marks=marks,
        features=np.zeros(longest, np.int32),
        places=np.zeros((settings.trees, 2), np.int32),
        roots=np.zeros(settings.trees),
        margins=np.zeros((lanes, INPUTS)),
        inputs=np.zeros((lanes, WIDTH)),
        leads=np.zeros(WIDTH),
    )


def some_lanes(forest: Forest, lanes: slice) -> Forest:
    """The forest of some classes alone; its trees are shared, not copied."""
    return forest._replace(
        outputs=np.ascontiguousarray(forest.outputs[:, lanes]),
        stack=np.ascontiguousarray(forest.stack[lanes]),
        covariance=np.ascontiguousarray(forest.covariance[lanes]),
    )


def lane_alone(forest: Forest, lane: int) -> Forest:
    """The forest of one class alone."""
    return some_lanes(forest, slice(lane, lane + 1))


def with_lanes(forest: Forest, lanes: int) -> Forest:
    """The same with room for more classes, of which nothing is known."""
    known, leaves = len(forest.stack), int(forest.numbers[LEAVES])
    outputs = np.zeros((len(forest.leaves), lanes, OUTPUTS))
    outputs[:leaves, :known] = forest.outputs[:leaves]
    stack = np.zeros((lanes, WIDTH))
    stack[:known] = forest.stack
    covariance = np.zeros((lanes, SIZE, WIDTH))
    covariance[:known] = forest.covariance
    return forest._replace(outputs=outputs, stack=stack, covariance=covariance)


@compiled
def is_live(forest: Any) -> bool:
    """Whether the forest plays."""
    return forest.numbers[LIVE] > 0.0


@compiled
def lane_of(forest: Any, lane: int) -> StackState:
    """The second stack of one class."""
    return StackState(forest.stack[lane], forest.covariance[lane], forest.numbers)


@compiled
def room_of(row: Any, lane: int) -> StackRow:
    """The room for one class."""
    return StackRow(row.margins[lane], row.inputs[lane], row.leads)


@compiled
def enter_row(forest: Any, row: Any, rows: Any, i: int) -> int:
    """Lay row `i` out, and find its leaves; how many nonzeros it has."""
    values, features, places = row.values, row.features, row.places
    lo, hi = begin(rows, i), end(rows, i)
    n = 0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        if x != 0.0:
            j = np.int64(column(rows, k, lo, hi)) + 1
            values[j] = x
            features[n] = j
            n += 1
    last = places.shape[0] - 1
    for t in range(0, last + 1, 4):
        find_leaves(
            forest, row, t, min(t + 1, last), min(t + 2, last), min(t + 3, last)
        )
    return n


@compiled
def find_leaves(forest: Any, row: Any, t: int, u: int, v: int, w: int) -> None:
    """Find the leaves of four trees, side by side: each step waits for the one before.

    The root of a tree is the node of its number.
    """
    nodes, cuts, values = forest.nodes, forest.cuts, row.values
    a, b, c, d = t, u, v, w
    while True:
        i, j = nodes[np.uint64(a), FEATURE], nodes[np.uint64(b), FEATURE]
        k, m = nodes[np.uint64(c), FEATURE], nodes[np.uint64(d), FEATURE]
        if i & j & k & m < 0:
            break
        a = next_node(nodes, cuts, values, a, i)
        b = next_node(nodes, cuts, values, b, j)
        c = next_node(nodes, cuts, values, c, k)
        d = next_node(nodes, cuts, values, d, m)
    note_leaf(nodes, row.places, t, a)
    note_leaf(nodes, row.places, u, b)
    note_leaf(nodes, row.places, v, c)
    note_leaf(nodes, row.places, w, d)


@compiled
def next_node(nodes: Any, cuts: Any, values: Any, node: int, feature: int) -> int:
    """The child that a row falls to; a leaf itself."""
    right = values[np.uint64(max(feature, 0))] > cuts[np.uint64(node)]
    child: Any = np.int64(nodes[np.uint64(node), CHILD]) + (1 if right else 0)
    return node if feature < 0 else child


@compiled
def note_leaf(nodes: Any, places: Any, t: int, node: int) -> None:
    """Write down where a row has fallen to in tree `t`."""
    places[np.uint64(t), 0] = node
    places[np.uint64(t), 1] = nodes[np.uint64(node), LEAF]


@compiled
def leave_row(row: Any, n: int) -> None:
    """Make the room empty again."""
    for k in range(n):
        row.values[row.features[k]] = 0.0


@compiled
def ask_leaves(settings: Any, forest: Any, row: Any, lane: int) -> float:
    """Write down both lanes' margins for one class; return the mean of the leaves."""
    outputs, leaves, places = forest.outputs, forest.leaves, row.places
    trees = places.shape[0]
    steady = quick = mean = 0.0
    for t in range(trees):
        leaf = np.uint64(places[t, 1])
        steady += outputs[leaf, lane, STEADY]
        quick += outputs[leaf, lane, STEADY + 1]
        seen = leaves[leaf, MET] + settings.prior
        prior = settings.prior * outputs[leaf, lane, PRIOR]
        mean += (outputs[leaf, lane, TOTAL] + prior) / seen
    share = 1.0 / math.sqrt(trees)
    row.margins[lane, 1] = steady * share
    row.margins[lane, 2] = quick * share
    return mean / trees


@compiled
def refine(
    settings: Any, constants: Any, forest: Any, row: Any, lane: int, score: float
) -> float:
    """What becomes of the panel's score of the row that has entered: log-odds too."""
    mean = ask_leaves(settings, forest, row, lane)
    chance = min(max(mean, SURE), 1.0 - SURE)
    row.margins[lane, 0] = score
    row.margins[lane, 3] = math.log(chance / (1.0 - chance))
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
    outputs, places, trees = forest.outputs, row.places, row.places.shape[0]
    base = row.margins[lane, 0]
    least = constants.smallest
    for k in range(LANES):
        ym = y * (base + row.margins[lane, 1 + k])
        g = sigmoid(-ym)
        times = c * repeats(constants, state, g)
        if times == 0.0:
            continue
        moved = True
        eta = times * (settings.steady if k == 0 else settings.quick)
        gain = (times * g) * (times * g) / trees
        pull = 0.0
        for t in range(trees):
            leaf = np.uint64(places[t, 1])
            square = outputs[leaf, lane, SPREAD + k] + gain
            outputs[leaf, lane, SPREAD + k] = square
            row.roots[t] = math.sqrt(max(least, square))
            pull += 1.0 / row.roots[t]
        u = implicit_step(eta, ym, g, pull / trees)
        move = y * u / math.sqrt(trees)
        for t in range(trees):
            leaf = np.uint64(places[t, 1])
            outputs[leaf, lane, STEADY + k] += move / row.roots[t]
    return moved


@compiled
def weigh_residuals(
    settings: Any, constants: Any, forest: Any, row: Any, y: float, c: float
) -> None:
    """Move the leaf weights of amounts, by what is left of the label: squared loss."""
    outputs, places, trees = forest.outputs, row.places, row.places.shape[0]
    for k in range(LANES):
        eta = c * (settings.steady if k == 0 else settings.quick)
        pull = 0.0
        for t in range(trees):
            leaf = np.uint64(places[t, 1])
            square = outputs[leaf, 0, SPREAD + k] + c * c / trees
            outputs[leaf, 0, SPREAD + k] = square
            row.roots[t] = math.sqrt(max(constants.smallest, square))
            pull += 1.0 / row.roots[t]
        gap = y - row.margins[0, 1 + k]
        u = eta * gap / (1.0 + eta * pull / trees) / math.sqrt(trees)
        for t in range(trees):
            leaf = np.uint64(places[t, 1])
            outputs[leaf, 0, STEADY + k] += u / row.roots[t]


@compiled
def count_round(forest: Any, row: Any, n: int) -> None:
    """One more round: get to know new features, or give up if there are too many."""
    numbers, known, marks = forest.numbers, forest.known, row.marks
    numbers[ROUNDS] += 1.0
    for k in range(n):
        j = np.uint64(row.features[k])
        if marks[j] == 0:
            if numbers[FEATURES] == known.size:
                numbers[LIVE] = 0.0
                return
            marks[j] = 1
            known[int(numbers[FEATURES])] = j
            numbers[FEATURES] += 1.0
