"""What becomes of the linear panel's prediction: curves, a forest, and two stacks.

    q  = what the linear panel and the members on curves say, cut to the labels so far
    s1 = the first stack of q;   the forest learns y - s1;
    s2 = the second stack of q, s1 + the leaf weights, s1 + the mean of the leaves

A stack is VAW on z - mu, with mu the mean of the labels so far. It says

    mu + u_0.(z - mu) + w.(z - mu)/(1 + r),   u_0 equal shares, w = 0 at first

in units of the first difference of two labels; r is the leverage of the row. Where
members disagree as never before, r is large and w says little: else one outlier would
be said again and again. Members on curves learn y less the first label. So nothing but
the linear panel depends on what y is counted from, and nothing on its unit. What is
said is cut to the labels so far.
"""

from __future__ import annotations

from typing import Any

from ...parts.generic import compiled
from ...parts.panel.entering import enter_row, leave_row
from ...parts.panel.growing import end_round
from ...parts.panel.leaf_weights import ask_leaves, leaf_mean, weigh_residuals
from ...parts.regression import (
    BEST,
    BOUND,
    COUNT,
    EXTRA,
    FIRST,
    HIGH,
    LABELS,
    LOW,
    UNIT,
)
from .combine import correct, enter_amount, learn_correction, mean_label, unit_of
from .compiled import kernel
from .prefetch import prefetch_lines


@compiled
def cut(sums: Any, x: float) -> float:
    """A prediction within the range of the labels so far."""
    return min(max(x, sums[LOW]), sums[HIGH]) if sums[COUNT] > 0.0 else x


@compiled
def present(sums: Any, inputs: Any, k: int, x: float) -> None:
    """Write what a member says into a row of a stack."""
    gap = x - mean_label(sums)
    inputs.values[k] = gap / sums[UNIT] if sums[UNIT] > 0.0 else 0.0


@compiled
def add_up(parts: Any, state: Any, inputs: Any) -> tuple[float, float, float]:
    """The mean of a row of a stack, what its weights add to that, and what it says."""
    z = inputs.values
    total = 0.0
    for k in range(z.size):
        total += z[k]
    standing, more = correct(parts, state, inputs)
    return total / z.size, standing, total / z.size + more


@compiled
def scaled_back(sums: Any, x: float) -> float:
    """A number of a stack as an amount."""
    return mean_label(sums) + sums[UNIT] * x


@compiled
def learn(
    parts: Any,
    state: Any,
    sums: Any,
    inputs: Any,
    said: tuple[float, float, float],
    y: float,
    c: float,
) -> tuple[float, float, float]:
    """Let a stack learn; the errors of its weights and of the mean, the leverage."""
    center, standing, _ = said
    unit = unit_of(sums)
    short = (y - mean_label(sums)) / unit - center
    known = learn_correction(parts, state, inputs, standing, short, c)
    return unit * (standing - short), unit * short, known


@compiled
def first_stage(
    parts: Any,
    sums: Any,
    stack: Any,
    inputs: Any,
    told: tuple[Any, Any, Any],
    i: int,
) -> tuple[float, float, float]:
    """Add up what members say of row `i`; the second stack has q in its row, too.

    Where features are not few, the last member says the mean: it does not play.
    """
    first, second = inputs
    base, said, few = told
    members = first.values.size
    for k in range(members):
        q = cut(sums, base[i] if k == 0 else said[i, k - 1] + sums[FIRST])
        if k == members - 1 and not few[i]:
            q = scaled_back(sums, 0.0)
        present(sums, first, k, q)
        present(sums, second, k, q)
    return add_up(parts, stack, first)


@compiled
def second_stage(
    parts: Any, sums: Any, stack: Any, inputs: Any, forest: Any, s1: float
) -> tuple[float, float, float]:
    """Add up, with what the forest says of the row that has entered it."""
    _, settings, _, trees, forest_row = forest
    first, second = inputs
    members = first.values.size
    ask_leaves(trees, forest_row, 0)
    mean = leaf_mean(trees, settings, forest_row, 0, 0)
    present(sums, second, members, cut(sums, s1 + forest_row.margins[0, 1]))
    present(sums, second, members + 1, cut(sums, s1 + mean))
    return add_up(parts, stack, second)


@compiled
def fetch_trials(forest: Any, row: Any) -> None:
    """Ask for the trials of the row's leaves, which end_round changes.

    Twenty of them: the first two lines of their sums, their cuts, their features.
    """
    for t in range(row.places.shape[0]):
        leaf = row.places[t, 1]
        prefetch_lines(forest.trial_sums, leaf, 5)
        prefetch_lines(forest.trial_cuts, leaf, 3)
        prefetch_lines(forest.trial_features, leaf, 2)


@kernel
def second_layer_rows(
    parts: Any,
    stacks: tuple[Any, Any],
    sums: Any,
    observer: Any,
    inputs: tuple[Any, Any],
    forest: tuple[Any, Any, Any, Any, Any],
    told: tuple[Any, Any, Any],
    rows: tuple[Any, Any, Any],
    targets: Any,
    weights: Any,
) -> int:
    """Play rows of what was said.

    Told are what the linear panel says of row i, what member k on curves says, less the
    first label (``[i, k]``), and whether the last of them plays. The rows come as they
    are, and with a bias and a zero for every column, for the statistics alone.
    """
    plain, biased, zeros = rows
    kind, settings, constants, trees, forest_row = forest
    first, second = inputs
    for i in range(targets.size):
        y = targets[i]
        c = weights[i] if weights.size > 0 else 1.0
        one = first_stage(parts, sums, stacks[0], inputs, told, i)
        s1 = cut(sums, scaled_back(sums, one[2]))
        found = enter_row(trees, forest_row, plain, i)
        fetch_trials(trees, forest_row)
        both = second_stage(parts, sums, stacks[1], inputs, forest, s1)
        score = cut(sums, scaled_back(sums, both[2]))
        learn(parts, stacks[0], sums, first, one, y, c)
        gap, short, known = learn(parts, stacks[1], sums, second, both, y, c)
        best = gap * gap * (1.0 - known)
        sums[BEST] += c * best
        sums[BOUND] += c * max(short * short * known, (score - y) * (score - y) - best)
        base = told[0][i]
        sums[EXTRA] += c * ((score - y) * (score - y) - (base - y) * (base - y))
        rest = (
            y - s1 if sums[COUNT] > 0.0 else 0.0
        )  # the first label could not be known
        weigh_residuals(settings, constants, trees, forest_row, rest, c)
        end_round(trees, kind, settings, forest_row, found, rest)
        enter_label(sums, y, c)
        enter_amount(observer, parts.loss, biased, i, zeros, score, y, c)
    return targets.size


@compiled
def enter_label(sums: Any, y: float, c: float) -> None:
    """Remember the range of the labels, their mean and their unit."""
    if sums[COUNT] == 0.0:
        sums[LOW] = sums[HIGH] = y
    if sums[UNIT] == 0.0:
        sums[UNIT] = abs(y - sums[FIRST])
    sums[LOW] = min(sums[LOW], y)
    sums[HIGH] = max(sums[HIGH], y)
    sums[LABELS] += c * y
    sums[COUNT] += c


@kernel
def second_layer_scores(
    parts: Any,
    stacks: tuple[Any, Any],
    sums: Any,
    inputs: tuple[Any, Any],
    forest: tuple[Any, Any, Any, Any, Any],
    told: tuple[Any, Any, Any],
    rows: Any,
    out: Any,
) -> None:
    """Say what would be said of rows, and learn nothing."""
    _, _, _, trees, forest_row = forest
    for i in range(out.size):
        one = first_stage(parts, sums, stacks[0], inputs, told, i)
        s1 = cut(sums, scaled_back(sums, one[2]))
        found = enter_row(trees, forest_row, rows, i)
        both = second_stage(parts, sums, stacks[1], inputs, forest, s1)
        leave_row(trees, forest_row, found)
        out[i] = cut(sums, scaled_back(sums, both[2]))
