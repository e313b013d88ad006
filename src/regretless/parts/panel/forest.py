"""An online forest on top of the panel's score: trees that grow, leaves that learn.

A row falls into one leaf of each of T trees. A weight of each leaf learns what the
panel's score s leaves over, by AdaGrad with an implicit step, as if every leaf were a
feature of value 1/sqrt(T):

    m = sum over trees of w[leaf]/sqrt(T);   the loss is taken at s + m

A second output is the mean over trees of what the leaves have seen: of the labels, as
log-odds, or of the residuals. A second stack (:mod:`.stack`) learns what to add to s:

    score = s + w.input,   input = [clip(., -1, 1), clip(., -4, 4) of s and these, 1]

from w = 0 on, so the forest counts for nothing until it has shown its worth.

Everything is told by the values of a row and the number of the round. Nothing asks how
features are numbered, or how many are still to come: the forest plays as long as the
rows so far have had at most ``widest`` different features (and classes are few), then
it is given up for good, and the panel's score is the prediction.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..generic import generic, implement
from ..rows import Ints, Longs
from ..state import Floats
from .state import DRAWS, FAR, NUMBERS, filled

Bytes: TypeAlias = "np.ndarray[Any, np.dtype[np.int8]]"

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
WEIGHT = 0
SPREAD = 1  # its sum of squares
TOTAL = 2  # of the labels, or residuals
PRIOR = 3  # what the parent thought
OUTPUTS = 4

# lines of trials
LEFT = 0  # rows that went left since the trial began
LEFT_SUM = 1  # and their targets
BOTH = 2  # all rows; of amounts, those before the trial
BOTH_SUM = 3
TRIAL = 4

TRIES = 4  # features of its last row that a leaf keeps
INPUTS = 3  # of the second stack: the panel, the leaf weights, the mean
SIZE = 2 * INPUTS + 1
WIDTH = filled(SIZE)
SURE = 1e-4  # the mean of a forest is kept so far from 0 and 1


class Settings(NamedTuple):
    """The numbers of the recipe: one set for all data."""

    trees: int = 20
    nodes: int = 1024  # of one tree
    depth: int = 14
    trials: int = 20  # splits that a leaf tries at a time
    least: int = 24  # rows before a leaf is split
    every: int = 4  # rows between two looks at the trials: a power of two
    evidence: float = 8.0  # that a split needs: a chi-square of one degree of freedom
    prior: float = 2.0  # rows that a parent's mean counts for
    rate: float = 3.0  # of the leaf weights
    doubt: float = 0.1  # the variance that the second stack begins with
    far: float = 4.0  # where the second stack clips what it is given
    widest: int = 200  # features
    most: int = 63  # classes, beside the rest


SETTINGS = Settings()
AMOUNTS = Settings(every=8, evidence=6.0, rate=1.0)


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


@generic
def is_live(forest: Any) -> bool:
    """Whether the forest plays."""
    ...


@implement(is_live, Forest)
def _(forest: Forest) -> bool:
    return forest.numbers[LIVE] > 0.0
