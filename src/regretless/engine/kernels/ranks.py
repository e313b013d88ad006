"""Scores in order, as a table of cells with a count of each label.

A cell is a score and how many rows have it: negatives, positives. New scores, sorted,
are merged into the table in one walk, on which neighbors that are light together become
one cell.
"""

from __future__ import annotations

import math
from typing import Any

from ...parts.generic import compiled
from .compiled import kernel


@compiled
def put(values: Any, counts: Any, k: int, cell: Any, most: Any) -> int:
    """Write a cell after the first `k`, or join it to the last; how many there are.

    ``cell`` is a score, negatives, positives, and whether it is joined, as the last
    column of `counts` says. Cells that hold at most ``most[0]`` negatives and
    ``most[1]`` positives together are joined: their score is the mean.
    """
    value, negatives, positives, joined = cell
    if k > 0:
        last = values[k - 1]
        same = last == value
        no, yes = counts[k - 1, 0] + negatives, counts[k - 1, 1] + positives
        if same or (no <= most[0] and yes <= most[1]):
            if not same:
                share = (negatives + positives) / (no + yes)
                mean = last * (1.0 - share) + value * share
                values[k - 1] = min(max(mean, last), value)  # whatever it rounds to
                joined = 1
            counts[k - 1, 0] = no
            counts[k - 1, 1] = yes
            counts[k - 1, 2] |= joined
            return k
    values[k] = value
    counts[k, 0] = negatives
    counts[k, 1] = positives
    counts[k, 2] = joined
    return k + 1


@kernel
def merge_scores(
    values: Any,
    counts: Any,
    used: int,
    negatives: Any,
    positives: Any,
    most: tuple[int, int],
    new_values: Any,
    new_counts: Any,
) -> int:
    """Merge scores of both labels, each sorted, and `used` cells into another table.

    Returns how many cells it has; -1 where they do not fit, and nothing is joined
    unless ``most`` allows it.
    """
    i = j = k = at = 0
    room = new_values.size
    while i < used or j < negatives.size or k < positives.size:
        if at + 1 >= room:
            return -1
        no = negatives[j] if j < negatives.size else math.inf
        yes = positives[k] if k < positives.size else math.inf
        if i < used and values[i] <= no and values[i] <= yes:
            cell = (values[i], counts[i, 0], counts[i, 1], counts[i, 2])
            at = put(new_values, new_counts, at, cell, most)
            i += 1
        elif no <= yes:
            at = put(new_values, new_counts, at, (no, 1, 0, 0), most)
            j += 1
        else:
            at = put(new_values, new_counts, at, (yes, 0, 1, 0), most)
            k += 1
    return at


@kernel
def measure_two(
    scores: Any,
    targets: Any,
    ends: Any,
    waiting: Any,
    counts: Any,
    sums: Any,
    bins: Any,
) -> None:
    """Add rows of two classes to what is kept of them.

    Positives wait from the left of `waiting` up to ``ends[0]``, negatives from its
    right down to ``ends[1]``. ``counts[positive, predicted so]`` are rows. Where `bins`
    has columns, scores are log-odds: ``sums`` are log loss and squared error, and
    ``bins`` rows, probabilities and positives, a column a bin of probabilities.
    """
    left, right = ends[0], ends[1]
    size = bins.shape[1]
    for i in range(scores.size):
        score = scores[i]
        positive = 1 if targets[i] > 0.0 else 0
        predicted = 1 if score > 0.0 else 0
        counts[positive, predicted] += 1
        if positive:
            waiting[left] = score
            left += 1
        else:
            right -= 1
            waiting[right] = score
        if size > 0:
            small = math.exp(-abs(score))
            chance = (1.0 if predicted else small) / (1.0 + small)
            wrong = abs(score) if positive != predicted else 0.0
            sums[0] += wrong + math.log1p(small)
            gap = chance - positive
            sums[1] += gap * gap
            place = max(math.ceil(chance * size) - 1, 0)
            bins[0, place] += 1.0
            bins[1, place] += chance
            bins[2, place] += positive
    ends[0], ends[1] = left, right
