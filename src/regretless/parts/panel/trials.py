"""What labels are to the trials of a leaf: two classes, many classes, amounts.

A trial with n rows, of which n_L went left, has the evidence

    v = (s_L - n_L s/n)^2 n/(n_L n_R var)

where s are sums of targets and var is their variance: a chi-square of one degree of
freedom, if the split tells nothing. Of many classes every trial has a code: a random
half of the classes counts 1, of which the two labels that it came from are in different
halves. Classes are known by the order in which they came, however they are numbered.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled, generic, implement
from .forest import (
    BOTH,
    BOTH_SUM,
    LEFT,
    LEFT_SUM,
    MET,
    PRIOR,
    ROWS,
    SQUARES,
    SUM,
    TOTAL,
    TRIALS,
)
from .random_bits import mixed

ROUNDING = 1e-9  # a smaller share than this is nothing but rounding


class Signs(NamedTuple):
    """Two classes: a label is -1 or +1, its target 0 or 1."""


class Codes(NamedTuple):
    """Many classes: a label is a number from 0 on; a trial's code makes it 0 or 1."""


class Amounts(NamedTuple):
    """Numbers: a label is its own target.

    All trials of a leaf are told the same, so that ``BOTH`` and ``BOTH_SUM`` are what
    the leaf had seen when the trial began: half as much to write for every row.
    """


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


@generic
def follow(kind: Any, forest: Any, values: Any, leaf: int, y: float) -> None:
    """Tell the trials of a leaf what came."""
    ...


@compiled
def follow_targets(kind: Any, forest: Any, values: Any, leaf: int, y: float) -> None:
    """Add a row, whose target every trial knows for itself, to all sums."""
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
def chi_square(sums: Any, k: int) -> tuple[float, float]:
    """The evidence where targets are 0 and 1; the same bits where they are swapped."""
    n, left, ones = sums[BOTH, k], sums[LEFT, k], sums[BOTH_SUM, k]
    right, zeros = n - left, n - ones
    if left < 2.0 or right < 2.0 or ones == 0.0 or zeros == 0.0:
        return 0.0, 1.0
    gap = sums[LEFT_SUM, k] * n - left * ones
    return gap * gap * n, left * right * (ones * zeros)


@implement(target, Signs)
def _(kind: Signs, forest: Any, leaf: int, trial: int, y: float) -> float:
    return 1.0 if y > 0.0 else 0.0


@implement(encode, Signs)
def _(
    kind: Signs, forest: Any, leaf: int, trial: int, random: int, y: float, before: Any
) -> None:
    pass


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


@implement(differ, Signs)
@implement(differ, Codes)
def _(kind: Signs | Codes, y: float, before: float) -> bool:
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


@implement(follow, Signs)
@implement(follow, Codes)
def _(kind: Signs | Codes, forest: Any, values: Any, leaf: int, y: float) -> None:
    follow_targets(kind, forest, values, leaf, y)


@implement(evidence, Signs)
@implement(evidence, Codes)
def _(kind: Signs | Codes, forest: Any, leaf: int, k: int) -> tuple[float, float]:
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


@implement(differ, Amounts)
def _(kind: Amounts, y: float, before: float) -> bool:
    return True


@implement(encode, Amounts)
def _(
    kind: Amounts, forest: Any, leaf: int, trial: int, random: int, y: Any, before: Any
) -> None:
    sums, leaves = forest.trial_sums[leaf], forest.leaves
    sums[BOTH, trial] = leaves[leaf, ROWS]
    sums[BOTH_SUM, trial] = leaves[leaf, SUM]


@implement(follow, Amounts)
def _(kind: Amounts, forest: Any, values: Any, leaf: int, y: float) -> None:
    # First all comparisons, then all sums: so both are done on vectors. Places where no
    # trial is have sums, too: they are made zero when one begins.
    features, cuts = forest.trial_features[leaf], forest.trial_cuts[leaf]
    trials, one = cuts.size, np.uint64(1)
    went = np.uint64(0)
    for k in range(trials):
        if values[np.uint64(features[k])] <= cuts[k]:
            went |= one << np.uint64(k)
    rows, sums = forest.trial_sums[leaf, LEFT], forest.trial_sums[leaf, LEFT_SUM]
    for k in range(trials):
        left = float((went >> np.uint64(k)) & one)
        rows[k] += left
        sums[k] += left * y


@compiled
def since_begun(forest: Any, leaf: int, k: int) -> tuple[float, float]:
    """The rows of a trial, and the sum of their targets."""
    leaves, sums = forest.leaves, forest.trial_sums
    n = leaves[leaf, ROWS] - sums[leaf, BOTH, k]
    return n, leaves[leaf, SUM] - sums[leaf, BOTH_SUM, k]


@implement(evidence, Amounts)
def _(kind: Amounts, forest: Any, leaf: int, k: int) -> tuple[float, float]:
    sums, spread = forest.trial_sums[leaf], spread_of(forest.leaves, leaf)
    n, total = since_begun(forest, leaf, k)
    left = sums[LEFT, k]
    right = n - left
    if left < 2.0 or right < 2.0 or spread == 0.0:
        return 0.0, 1.0
    gap = sums[LEFT_SUM, k] * n - left * total
    return gap * gap, left * right * spread * n


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
    sums[BOTH, k], sums[BOTH_SUM, k] = since_begun(forest, leaf, k)
    for side in range(2):
        each = leaf if side == 0 else new
        rows, total = sums[LEFT, k], sums[LEFT_SUM, k]
        if side == 1:
            rows, total = sums[BOTH, k] - rows, sums[BOTH_SUM, k] - total
        leaves[each, SQUARES] = spread * rows + total * total / rows
        leaves[each, SUM] = total
        leaves[each, MET] = rows
        outputs[each, 0, TOTAL] = total
