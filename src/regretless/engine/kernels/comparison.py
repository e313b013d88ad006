"""What a fixed comparator pays on the rounds that a learner has just played."""

from __future__ import annotations

from typing import Any

from ...parts.losses import slope, value
from ...parts.penalties import strength
from ...parts.rows import begin, end, measure
from ...parts.triggers import fires
from ...parts.updates import eager
from .compiled import kernel

LOSS = 0
MISTAKE_LOSS = 1  # on the learner's mistakes
UPDATE_LOSS = 2  # on its updates
UPDATES = 3  # how many these are
MARGIN = 4  # min y*score
MISTAKE_MARGIN = 5  # the same, on the learner's mistakes
SCORE = 6  # max |score|
UPDATE_SQUARES = 7  # the sum of score^2 on the learner's updates
SUMS = 8


@kernel
def compare_rows(
    parts: Any, rows: Any, targets: Any, scores: Any, u: Any, sums: Any
) -> None:
    """Add up what a comparator pays on the learner's rows.

    `scores` are the learner's own; they tell when it erred and when it moved.
    """
    penalized = strength(parts.penalty) > 0.0
    for i in range(targets.size):
        y = targets[i]
        score = measure(rows, begin(rows, i), end(rows, i), u)[0] - parts.threshold
        paid = value(parts.loss, score, y)
        margin = y * score
        sums[LOSS] += paid
        sums[MARGIN] = min(sums[MARGIN], margin)
        sums[SCORE] = max(sums[SCORE], abs(score))
        if y * scores[i] <= 0.0:
            sums[MISTAKE_LOSS] += paid
            sums[MISTAKE_MARGIN] = min(sums[MISTAKE_MARGIN], margin)
        if fires(parts.trigger, scores[i], y) and (
            penalized or eager(parts.update) or slope(parts.loss, scores[i], y) != 0.0
        ):
            sums[UPDATES] += 1.0
            sums[UPDATE_LOSS] += paid
            sums[UPDATE_SQUARES] += score * score
