"""Scores of many classes to probabilities: two slopes, learned as rounds go by.

A round is predicted first; then its label moves both slopes (their meaning is that of
:mod:`regretless.parts.class_calibration`) by Newton's step on the log loss, with the
curvature of all rounds so far.
"""

from __future__ import annotations

import math
from typing import Any

from ...parts.class_calibration import (
    CURVES,
    ENTRIES,
    FALL,
    LEAST,
    RISE,
    SCALED,
    SQUARES,
)
from .compiled import kernel


@kernel
def learn_calibration(
    numbers: Any,
    scores: Any,
    targets: Any,
    known: tuple[int, int],
    work: Any,
    used: Any,
) -> int:
    """Learn from the scores of every round how sure many classes may be.

    `scores` has a row a round, each made before its label was seen; ``known`` is how
    many classes could be predicted in the first of them, and in all others. `work` has
    three columns, and a row a class. What a round was predicted with (rise, fall, unit)
    is written into `used`.
    """
    for i in range(targets.size):
        classes = known[0] if i == 0 else known[1]
        unit = 1.0
        if numbers[SCALED] > 0.0:
            for k in range(classes):
                numbers[SQUARES] += scores[i, k] * scores[i, k]
            numbers[ENTRIES] += classes
            mean = numbers[SQUARES] / max(numbers[ENTRIES], 1.0)
            unit = math.sqrt(mean) if 0.0 < mean < math.inf else 1.0
        used[i, 0] = numbers[RISE]
        used[i, 1] = numbers[FALL]
        used[i, 2] = unit
        label = int(targets[i])
        if label >= classes:  # it could not have been predicted
            continue

        top = -math.inf
        for k in range(classes):
            s = scores[i, k] / unit
            soft = math.log1p(math.exp(-abs(s)))
            work[k, 0] = max(s, 0.0) + soft
            work[k, 1] = min(s, 0.0) - soft
            work[k, 2] = numbers[RISE] * work[k, 0] + numbers[FALL] * work[k, 1]
            top = max(top, work[k, 2])
        total = 0.0
        for k in range(classes):
            work[k, 2] = math.exp(work[k, 2] - top)
            total += work[k, 2]
        up = down = 0.0
        for k in range(classes):
            work[k, 2] /= total
            up += work[k, 2] * work[k, 0]
            down += work[k, 2] * work[k, 1]
        uu, ud, dd = numbers[CURVES], numbers[CURVES + 1], numbers[CURVES + 2]
        for k in range(classes):
            a, b = work[k, 0] - up, work[k, 1] - down
            uu += work[k, 2] * a * a
            ud += work[k, 2] * a * b
            dd += work[k, 2] * b * b
        a, b = work[label, 0] - up, work[label, 1] - down
        size = uu * dd - ud * ud
        rise = numbers[RISE] + (dd * a - ud * b) / size
        fall = numbers[FALL] + (uu * b - ud * a) / size
        if abs(rise) < math.inf and abs(fall) < math.inf:  # nothing overflowed
            numbers[CURVES] = uu
            numbers[CURVES + 1] = ud
            numbers[CURVES + 2] = dd
            # The nearest slopes that are allowed, as the curvature measures distances:
            # to cut one off and leave the other would move their sum.
            numbers[RISE] = rise
            numbers[FALL] = fall
            if fall < LEAST:
                numbers[RISE] = rise + ud / uu * (fall - LEAST)
                numbers[FALL] = LEAST
            if numbers[RISE] < 0.0:
                numbers[RISE] = 0.0
                numbers[FALL] = max(fall + ud / dd * rise, LEAST)
    return targets.size
