"""How trees grow: a leaf tries splits, and takes one that has shown itself.

When a leaf meets a row, it compares it with the row before, of which it has kept the
values of four features, drawn at random: if the labels differ, and one of these values,
then a split of this feature, somewhere between the two, is tried. A trial with n rows,
of which n_L went left, has the evidence

    v = (s_L - n_L s/n)^2 n/(n_L n_R var)

where s are sums of targets and var is their variance: a chi-square of one degree of
freedom, if the split tells nothing. The best trial with v >= 8 becomes a split. Of many
classes every trial has a code: a random half of the classes counts 1, of which the two
labels that it came from are in different halves. Classes are known by the order in
which they came, however they are numbered.

Random numbers are SplitMix64 of a counter: bits(k) mixes seed + k 0x9E3779B97F4A7C15,
where k = 2 (round T + tree), and one more for the second number that a round needs. So
the same rows grow the same trees, however they are cut into batches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled, generic, implement
from .forest import (
    BOTH,
    BOTH_SUM,
    CHILD,
    DEPTH,
    FEATURE,
    FEATURES,
    LANES,
    LEAF,
    LEAVES,
    LEFT,
    LEFT_SUM,
    MET,
    NODES,
    PRIOR,
    ROWS,
    SEED,
    SPREAD,
    SQUARES,
    STEADY,
    SUM,
    TOTAL,
    TRIALS,
    TRIES,
    count_round,
    is_live,
    leave_row,
)
from .state import ROUNDS

__all__ = ["Amounts", "Codes", "Signs", "bits", "end_round"]

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
UNIT = 2.0**-53
ROUNDING = 1e-9


class Signs(NamedTuple):
    """Two classes: a label is -1 or +1, its target 0 or 1."""


class Codes(NamedTuple):
    """Many classes: a label is a number from 0 on; a trial's code makes it 0 or 1."""


class Amounts(NamedTuple):
    """Numbers: a label is its own target."""


@generic
def target(kind: Any, forest: Any, leaf: int, trial: int, y: float) -> float:
    """What a label is to a trial."""
    ...


@generic
def differ(kind: Any, y: float, before: float) -> bool:
    """Whether two labels are worth a trial."""
    ...


@generic
def encode(
    kind: Any, forest: Any, leaf: int, trial: int, random: int, y: float, before: float
) -> None:
    """Give a new trial its code."""
    ...


@generic
def evidence(kind: Any, forest: Any, leaf: int, k: int) -> tuple[float, float]:
    """How much trial `k` tells: 0 where either side has fewer than two rows.

    Two numbers, of which it is the quotient: most trials are known to tell too little
    before one is divided by the other.
    """
    ...


@generic
def bequeath(kind: Any, forest: Any, leaf: int, new: int, k: int) -> None:
    """Hand what `leaf` has seen down: to itself, the left child, and `new`, the right.

    The split is trial `k`.
    """
    ...


@generic
def remember_label(kind: Any, forest: Any, leaf: int, y: float) -> None:
    """Add a label to what a leaf has seen."""
    ...


@compiled
def bits(seed: float, counter: float) -> Any:
    """64 random bits: those of `counter`."""
    return mixed(np.uint64(seed) + np.uint64(counter) * STEP)


@compiled
def mixed(z: Any) -> Any:
    """The last part of SplitMix64: all bits depend on all bits."""
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@compiled
def end_round(
    kind: Any, settings: Any, forest: Any, row: Any, n: int, y: float
) -> None:
    """Let the trees learn the label of the row of `n` nonzeros that has entered."""
    count_round(forest, row, n)
    if is_live(forest):
        grow_trees(kind, settings, forest, row, y)
    leave_row(row, n)


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
        if met >= settings.least and int(met) % settings.every == 0:
            judge(kind, settings, forest, t, node, leaf, int(met))


@compiled
def follow(kind: Any, forest: Any, values: Any, leaf: int, y: float) -> None:
    """Tell the trials of a leaf what came."""
    features, cuts = forest.trial_features[leaf], forest.trial_cuts[leaf]
    sums = forest.trial_sums[leaf]
    for k in range(int(forest.leaves[leaf, TRIALS])):
        it = target(kind, forest, leaf, k, y)
        left = 1.0 if values[np.uint64(features[k])] <= cuts[k] else 0.0
        sums[LEFT, k] += left
        sums[LEFT_SUM, k] += left * it
        sums[BOTH, k] += 1.0
        sums[BOTH_SUM, k] += it


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
def chi_square(sums: Any, k: int) -> tuple[float, float]:
    """The evidence where targets are 0 and 1; the same bits where they are swapped."""
    n, left, ones = sums[BOTH, k], sums[LEFT, k], sums[BOTH_SUM, k]
    right, zeros = n - left, n - ones
    if left < 2.0 or right < 2.0 or ones == 0.0 or zeros == 0.0:
        return 0.0, 1.0
    gap = sums[LEFT_SUM, k] * n - left * ones
    return gap * gap * n, left * right * (ones * zeros)


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
        for k in range(LANES):
            outputs[leaf, lane, SPREAD + k] *= 0.5
            outputs[new, lane, SPREAD + k] = outputs[leaf, lane, SPREAD + k]
            outputs[new, lane, STEADY + k] = outputs[leaf, lane, STEADY + k]
    sums = forest.trial_sums[leaf]
    bequeath(kind, forest, leaf, new, winner)
    leaves[leaf, ROWS] = sums[LEFT, winner]
    leaves[new, ROWS] = sums[BOTH, winner] - sums[LEFT, winner]
    leaves[leaf, TRIALS] = 0.0  # as those of the new one are
    for i in range(TRIES):
        forest.last_features[leaf, i] = 0


@implement(target, Signs)
def _(kind: Signs, forest: Any, leaf: int, trial: int, y: float) -> float:
    return 1.0 if y > 0.0 else 0.0


@implement(differ, Signs)
def _(kind: Signs, y: float, before: float) -> bool:
    return y != before


@implement(encode, Signs)
def _(
    kind: Signs, forest: Any, leaf: int, trial: int, random: int, y: float, before: Any
) -> None:
    pass


@implement(evidence, Signs)
def _(kind: Signs, forest: Any, leaf: int, k: int) -> tuple[float, float]:
    return chi_square(forest.trial_sums[leaf], k)


@implement(remember_label, Signs)
def _(kind: Signs, forest: Any, leaf: int, y: float) -> None:
    forest.leaves[leaf, MET] += 1.0
    forest.outputs[leaf, 0, TOTAL] += 1.0 if y > 0.0 else 0.0


@implement(bequeath, Signs)
def _(kind: Signs, forest: Any, leaf: int, new: int, k: int) -> None:
    sums, outputs = forest.trial_sums[leaf], forest.outputs
    left = sums[LEFT_SUM, k]
    outputs[new, 0, TOTAL] = sums[BOTH_SUM, k] - left
    outputs[leaf, 0, TOTAL] = left
    forest.leaves[new, MET] = sums[BOTH, k] - sums[LEFT, k]
    forest.leaves[leaf, MET] = sums[LEFT, k]


@implement(target, Codes)
def _(kind: Codes, forest: Any, leaf: int, trial: int, y: float) -> float:
    rank = np.int64(forest.ranks[int(y)] - 1)
    return float((forest.codes[leaf, trial] >> rank) & 1)


@implement(differ, Codes)
def _(kind: Codes, y: float, before: float) -> bool:
    return y != before


@implement(encode, Codes)
def _(
    kind: Codes, forest: Any, leaf: int, trial: int, random: int, y: float, before: Any
) -> None:
    one, ranks = np.uint64(1), forest.ranks
    this = one << np.uint64(ranks[int(y)] - 1)
    other = one << np.uint64(ranks[int(before)] - 1)
    code = (mixed(random) | this) & ~other
    forest.codes[leaf, trial] = np.int64(code)


@implement(evidence, Codes)
def _(kind: Codes, forest: Any, leaf: int, k: int) -> tuple[float, float]:
    return chi_square(forest.trial_sums[leaf], k)


@implement(remember_label, Codes)
def _(kind: Codes, forest: Any, leaf: int, y: float) -> None:
    ranks = forest.ranks
    if ranks[int(y)] == 0:
        ranks[-1] += 1
        ranks[int(y)] = ranks[-1]
    forest.leaves[leaf, MET] += 1.0
    forest.outputs[leaf, int(y), TOTAL] += 1.0


@implement(bequeath, Codes)
def _(kind: Codes, forest: Any, leaf: int, new: int, k: int) -> None:
    # How often a class went left is known of its half only: Bayes' rule. Of a class
    # that has not come nothing is known. Of two classes all is known, as with signs.
    sums, outputs = forest.trial_sums[leaf], forest.outputs
    n, left, ones = sums[BOTH, k], sums[LEFT, k], sums[BOTH_SUM, k]
    two = forest.ranks[-1] == 2
    for lane in range(outputs.shape[1]):
        come = lane < forest.ranks.size - 1 and forest.ranks[lane] > 0
        one = come and target(kind, forest, leaf, k, float(lane)) > 0.0
        rows = ones if one else n - ones
        gone = sums[LEFT_SUM, k] if one else left - sums[LEFT_SUM, k]
        if two:
            outputs[leaf, lane, TOTAL] = gone if come else 0.0
            outputs[new, lane, TOTAL] = rows - gone if come else 0.0
            continue
        share = gone / rows if come and rows > 0.0 else left / n
        prior = outputs[leaf, lane, PRIOR]
        outputs[leaf, lane, PRIOR] = min(1.0, prior * share * n / left)
        outputs[new, lane, PRIOR] = min(1.0, prior * (1.0 - share) * n / (n - left))
        outputs[leaf, lane, TOTAL] = 0.0
    forest.leaves[leaf, MET] = left if two else 0.0
    forest.leaves[new, MET] = n - left if two else 0.0


@implement(target, Amounts)
def _(kind: Amounts, forest: Any, leaf: int, trial: int, y: float) -> float:
    return y


@implement(differ, Amounts)
def _(kind: Amounts, y: float, before: float) -> bool:
    return True


@implement(encode, Amounts)
def _(
    kind: Amounts, forest: Any, leaf: int, trial: int, random: int, y: Any, before: Any
) -> None:
    pass


@implement(evidence, Amounts)
def _(kind: Amounts, forest: Any, leaf: int, k: int) -> tuple[float, float]:
    sums = forest.trial_sums[leaf]
    n, left, spread = sums[BOTH, k], sums[LEFT, k], spread_of(forest.leaves, leaf)
    right = n - left
    if left < 2.0 or right < 2.0 or spread == 0.0:
        return 0.0, 1.0
    gap = sums[LEFT_SUM, k] - left * sums[BOTH_SUM, k] / n
    return gap * gap * n, left * right * spread


@compiled
def spread_of(leaves: Any, leaf: int) -> float:
    """The variance of the targets of a leaf; 0 where it is nothing but rounding."""
    mean = leaves[leaf, SUM] / leaves[leaf, ROWS]
    square = leaves[leaf, SQUARES] / leaves[leaf, ROWS]
    found = square - mean * mean
    return found if found > ROUNDING * square else 0.0


@implement(remember_label, Amounts)
def _(kind: Amounts, forest: Any, leaf: int, y: float) -> None:
    forest.leaves[leaf, MET] += 1.0
    forest.leaves[leaf, SUM] += y
    forest.leaves[leaf, SQUARES] += y * y
    forest.outputs[leaf, 0, TOTAL] += y


@implement(bequeath, Amounts)
def _(kind: Amounts, forest: Any, leaf: int, new: int, k: int) -> None:
    sums, leaves, outputs = forest.trial_sums[leaf], forest.leaves, forest.outputs
    spread = spread_of(leaves, leaf)
    for side in range(2):
        each = leaf if side == 0 else new
        rows, total = sums[LEFT, k], sums[LEFT_SUM, k]
        if side == 1:
            rows, total = sums[BOTH, k] - rows, sums[BOTH_SUM, k] - total
        leaves[each, SQUARES] = spread * rows + total * total / rows
        leaves[each, SUM] = total
        leaves[each, MET] = rows
        outputs[each, 0, TOTAL] = total
