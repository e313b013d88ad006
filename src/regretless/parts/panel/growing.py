"""How trees grow: a leaf tries splits, and takes one that has shown itself.

When a leaf meets a row, it compares it with the row before, of which it has kept the
values of four features, drawn at random: if the labels differ, and one of these values,
then a split of this feature, somewhere between the two, is tried. The best trial with
evidence v >= 8 (:mod:`.trials`) becomes a split.

Random numbers are those of k = 2 (round T + tree), and one more for the second number
that a round needs. So the same rows grow the same trees, however they are cut into
batches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..generic import compiled, generic, implement
from .entering import count_round, leave_row
from .forest import (
    BOTH,
    CHILD,
    DEPTH,
    FEATURE,
    FEATURES,
    LEAF,
    LEAVES,
    LEFT,
    MET,
    NODES,
    PRIOR,
    ROWS,
    SEED,
    SPREAD,
    TOTAL,
    TRIALS,
    TRIES,
    WEIGHT,
    Forest,
    is_live,
)
from .random_bits import bits
from .state import ROUNDS
from .trials import (
    ROUNDING,
    bequeath,
    differ,
    encode,
    evidence,
    follow,
    remember_label,
)

UNIT = 2.0**-53  # makes a number in [0, 1) of 53 random bits


@generic
def end_round(
    forest: Any, kind: Any, settings: Any, row: Any, entered: int, y: float
) -> None:
    """Let the trees learn the label of the row that has entered.

    `entered` is what ``enter_row`` said of it.
    """
    ...


@implement(end_round, Forest)
def _(
    forest: Forest, kind: Any, settings: Any, row: Any, entered: int, y: float
) -> None:
    count_round(forest, row, entered)
    if is_live(forest):
        grow_trees(kind, settings, forest, row, y)
    leave_row(forest, row, entered)


@compiled
def grow_trees(kind: Any, settings: Any, forest: Any, row: Any, y: float) -> None:
    """Let the leaves of the row that has entered learn its label, and split."""
    trees = row.places.shape[0]
    for t in range(trees):
        node, leaf = row.places[t, 0], row.places[t, 1]
        met = forest.leaves[leaf, ROWS] + 1.0
        forest.leaves[leaf, ROWS] = met
        remember_label(kind, forest, leaf, y)
        full = forest.sizes[t] + 2 > settings.nodes
        if full or forest.nodes[node, DEPTH] >= settings.depth:
            continue
        follow(kind, forest, row.values, leaf, y)
        counter = 2.0 * (forest.numbers[ROUNDS] * trees + t)
        if forest.leaves[leaf, TRIALS] < settings.trials:
            begin_trial(kind, forest, row.values, leaf, y, counter)
            keep_row(forest, row, leaf, y, counter + 1.0)
        if met >= settings.least and int(met) & (settings.every - 1) == 0:
            judge(kind, settings, forest, t, node, leaf, int(met))


@compiled
def begin_trial(
    kind: Any, forest: Any, values: Any, leaf: int, y: float, counter: float
) -> None:
    """Try one more split, if the row tells anything beside the one before it."""
    before = forest.last_values[leaf, TRIES]
    if not differ(kind, y, before):
        return
    for i in range(TRIES):
        j = forest.last_features[leaf, i]
        x, was = values[j], forest.last_values[leaf, i]
        if j > 0 and x != was:
            random = bits(forest.numbers[SEED], counter)
            k = int(forest.leaves[leaf, TRIALS])
            low, high = min(x, was), max(x, was)
            cut = low + float(random >> np.uint64(11)) * UNIT * (high - low)
            forest.trial_features[leaf, k] = j
            forest.trial_cuts[leaf, k] = cut if cut < high else low
            for line in range(forest.trial_sums.shape[1]):
                forest.trial_sums[leaf, line, k] = 0.0
            encode(kind, forest, leaf, k, random, y, before)
            forest.leaves[leaf, TRIALS] += 1.0
            return


@compiled
def keep_row(forest: Any, row: Any, leaf: int, y: float, counter: float) -> None:
    """Keep the row's values of some features, drawn with replacement, and its label."""
    random = bits(forest.numbers[SEED], counter)
    known = np.uint64(forest.numbers[FEATURES])
    for i in range(TRIES):
        share = (random >> np.uint64(16 * i)) & np.uint64(0xFFFF)
        j = 0
        if known > 0:
            j = forest.known[(share * known) >> np.uint64(16)]
        forest.last_features[leaf, i] = j
        forest.last_values[leaf, i] = row.values[j]
    forest.last_values[leaf, TRIES] = y


@compiled
def judge(
    kind: Any, settings: Any, forest: Any, t: int, node: int, leaf: int, met: int
) -> None:
    """Split the leaf by its best trial; or replace the worst one, now and then."""
    sums = forest.trial_sums[leaf]
    trials = int(forest.leaves[leaf, TRIALS])
    replacing = trials == settings.trials and met & (met - 1) == 0
    least = 0.0 if replacing else settings.evidence * (1.0 - ROUNDING)
    best, worst, winner, loser = 0.0, np.inf, -1, 0
    for k in range(trials):
        above, below = evidence(kind, forest, leaf, k)
        if above < least * below:
            continue
        v = above / below
        if v > best:
            best, winner = v, k
        if v < worst:
            worst, loser = v, k
    if best >= settings.evidence:
        split(kind, settings, forest, t, node, leaf, winner)
    elif replacing:
        last = trials - 1
        forest.trial_features[leaf, loser] = forest.trial_features[leaf, last]
        forest.trial_cuts[leaf, loser] = forest.trial_cuts[leaf, last]
        for line in range(sums.shape[0]):
            sums[line, loser] = sums[line, last]
        if forest.codes.shape[0] > 0:
            forest.codes[leaf, loser] = forest.codes[leaf, last]
        forest.leaves[leaf, TRIALS] -= 1.0


@compiled
def hand_down(outputs: Any, leaf: int, new: int, lane: int) -> None:
    """Give a new leaf the weight of the one that was split; both learn faster now."""
    outputs[leaf, lane, SPREAD] *= 0.5
    outputs[new, lane, SPREAD] = outputs[leaf, lane, SPREAD]
    outputs[new, lane, WEIGHT] = outputs[leaf, lane, WEIGHT]


@compiled
def split(
    kind: Any, settings: Any, forest: Any, t: int, node: int, leaf: int, winner: int
) -> None:
    """Make two leaves of one. The left one keeps its record, the right one is new."""
    nodes, leaves, outputs = forest.nodes, forest.leaves, forest.outputs
    child, new = int(forest.numbers[NODES]), int(forest.numbers[LEAVES])
    forest.numbers[NODES] += 2.0
    forest.numbers[LEAVES] += 1.0
    forest.sizes[t] += 2
    forest.cuts[node] = forest.trial_cuts[leaf, winner]
    nodes[node, FEATURE] = forest.trial_features[leaf, winner]
    nodes[node, CHILD] = child
    for side in range(2):
        nodes[child + side, FEATURE] = -1
        nodes[child + side, DEPTH] = nodes[node, DEPTH] + 1
        nodes[child + side, LEAF] = leaf if side == 0 else new
    prior = settings.prior
    for lane in range(outputs.shape[1]):
        seen = leaves[leaf, MET] + prior
        mean = outputs[leaf, lane, TOTAL] + prior * outputs[leaf, lane, PRIOR]
        outputs[leaf, lane, PRIOR] = outputs[new, lane, PRIOR] = mean / seen
        hand_down(outputs, leaf, new, lane)
    sums = forest.trial_sums[leaf]
    bequeath(kind, forest, leaf, new, winner)
    leaves[leaf, ROWS] = sums[LEFT, winner]
    leaves[new, ROWS] = sums[BOTH, winner] - sums[LEFT, winner]
    leaves[leaf, TRIALS] = 0.0  # as those of the new one are
    for i in range(TRIES):
        forest.last_features[leaf, i] = 0
