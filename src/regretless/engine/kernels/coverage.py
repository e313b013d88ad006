"""Follow the quantile: make the set of a row, see its label, move the threshold.

See :mod:`regretless.parts.coverage` for what is computed.
"""

from __future__ import annotations

import math
from typing import Any

from ...parts.coverage import (
    ALPHA,
    CENTER,
    CURVE_COLUMNS,
    DOWN,
    ERROR_COUNT,
    ERRORS,
    FAR,
    FIRST_STEP,
    FORGET,
    INTERVAL_SCORE,
    KNOTS,
    MISSED,
    OUTSIDE,
    PREVIOUS,
    SETTLE,
    SETTLED,
    SETTLED_UNIT,
    SPREAD,
    STEEPEST,
    THRESHOLD,
    UNBOUNDED,
    UP,
    VISITS,
    WIDTH,
    WORST,
    half_width,
    knot_place,
    step_after,
    threshold_of,
)
from ...parts.generic import compiled
from ...parts.observers import NEXT, POINTS, ROUNDS, STRIDE
from .compiled import kernel


@kernel
def follow_numbers(
    counts: Any,
    numbers: Any,
    curve: Any,
    predictions: Any,
    targets: Any,
    lows: Any,
    highs: Any,
) -> None:
    """Make the interval of every prediction before its label is seen, then learn."""
    alpha = numbers[ALPHA]
    for i in range(targets.size):
        rounds = counts[ROUNDS]
        prediction, error = predictions[i], targets[i] - predictions[i]
        place = knot_place(numbers, rounds, prediction)
        unit = numbers[ERRORS] / max(numbers[ERROR_COUNT], 1.0)
        down = half_width(numbers, unit, DOWN, place)
        up = half_width(numbers, unit, UP, place)
        q = numbers[THRESHOLD]
        if rounds < 2:
            q = 1.0  # nothing is known of errors yet: all numbers
        lows[i] = stretched(prediction, -down, q)
        highs[i] = stretched(prediction, up, q)
        missed = not lows[i] <= targets[i] <= highs[i]
        width = highs[i] - lows[i]
        if width < math.inf:
            numbers[WIDTH] += width
            beyond = max(lows[i] - targets[i], targets[i] - highs[i], 0.0)
            numbers[INTERVAL_SCORE] += width + 2.0 / alpha * beyond
        else:
            counts[UNBOUNDED] += 1
        enter_round(counts, numbers, curve, missed, missed or q < 0.0)
        learn_widths(numbers, counts[ROUNDS], place, error, down, up)
        learn_scale(numbers, counts[ROUNDS], prediction, error)


@kernel
def make_intervals(
    counts: Any,
    numbers: Any,
    q: float,
    unit: float,
    predictions: Any,
    lows: Any,
    highs: Any,
) -> None:
    """Make the interval of every prediction with this threshold; learn nothing."""
    rounds = counts[ROUNDS]
    for i in range(predictions.size):
        place = knot_place(numbers, rounds, predictions[i])
        down = half_width(numbers, unit, DOWN, place)
        up = half_width(numbers, unit, UP, place)
        lows[i] = stretched(predictions[i], -down, q)
        highs[i] = stretched(predictions[i], up, q)


@kernel
def follow_classes(
    counts: Any,
    numbers: Any,
    curve: Any,
    chances: Any,
    labels: Any,
    thresholds: Any,
) -> None:
    """Choose the set of every row before its label is seen, then learn.

    `chances` has a row a round and a column a class: -1 for one that has not come.
    """
    classes = chances.shape[1]
    for i in range(labels.size):
        q = numbers[THRESHOLD]
        if counts[ROUNDS] == 0:
            q = 1.0  # nothing is known of probabilities yet: any label
        least = thresholds[i] = threshold_of(q)
        label = int(labels[i])
        best = size = 0
        for k in range(classes):
            if chances[i, k] > chances[i, best]:
                best = k
            if chances[i, k] >= least:
                size += 1  # of the classes that have come
        chance = max(chances[i, label], 0.0) if label < classes else 0.0
        outside = q < 0.0 or chance < least
        if q >= 1.0:
            counts[UNBOUNDED] += 1
        numbers[WIDTH] += max(size, 1)
        missed = chance < least and label != best
        enter_round(counts, numbers, curve, missed, outside)


@compiled
def stretched(prediction: float, half: float, q: float) -> float:
    """One end of an interval: the prediction and q/(1-q) times a half-width."""
    if q >= 1.0:
        return math.copysign(math.inf, half)
    return prediction + half * (max(q, 0.0) / (1.0 - q))


@compiled
def enter_round(
    counts: Any, numbers: Any, curve: Any, missed: bool, outside: bool
) -> None:
    """Write a round down and move the threshold."""
    alpha = numbers[ALPHA]
    gamma = step_after(counts[ROUNDS])
    counts[ROUNDS] += 1
    if missed:
        counts[MISSED] += 1
    if outside:
        counts[OUTSIDE] += 1
        numbers[THRESHOLD] += gamma * (1.0 - alpha)
    else:
        numbers[THRESHOLD] -= gamma * alpha
    rate = max(1.0 / counts[ROUNDS], SETTLE)
    numbers[SETTLED] += rate * (numbers[THRESHOLD] - numbers[SETTLED])
    off = abs(counts[OUTSIDE] - alpha * counts[ROUNDS])
    numbers[WORST] = max(numbers[WORST], off * gamma / (1.0 + FIRST_STEP))
    if counts[ROUNDS] == counts[NEXT]:
        draw_point(counts, curve, numbers[WIDTH])


@compiled
def draw_point(counts: Any, curve: Any, width: float) -> None:
    """Add a point; a full curve drops every other one and strides twice as far."""
    points = counts[POINTS]
    curve[points, 0] = counts[ROUNDS]
    curve[points, 1] = counts[MISSED]
    curve[points, 2] = width
    curve[points, 3] = counts[UNBOUNDED]
    points += 1
    if points == curve.shape[0]:
        points //= 2
        for i in range(points):
            for column in range(CURVE_COLUMNS):
                curve[i, column] = curve[2 * i + 1, column]
        counts[STRIDE] *= 2
    counts[POINTS] = points
    counts[NEXT] += counts[STRIDE]


@compiled
def learn_widths(
    numbers: Any, rounds: int, place: float, error: float, down: float, up: float
) -> None:
    """Move the knots beside a prediction toward the quantiles of its errors."""
    if rounds <= 2:
        return  # there was no unit
    tail = 0.5 * numbers[ALPHA]
    below = (1.0 if -error > down else 0.0) - tail
    above = (1.0 if error > up else 0.0) - tail
    k = min(int(place), KNOTS - 2)
    share = place - k
    for j in range(2):
        weight = share if j == 1 else 1.0 - share
        numbers[VISITS + k + j] += weight
        step = weight * step_after(int(numbers[VISITS + k + j]))
        b = numbers[DOWN + k + j] + step * below
        numbers[DOWN + k + j] = min(max(b, -STEEPEST), STEEPEST)
        b = numbers[UP + k + j] + step * above
        numbers[UP + k + j] = min(max(b, -STEEPEST), STEEPEST)


@compiled
def learn_scale(numbers: Any, rounds: int, prediction: float, error: float) -> None:
    """Learn how large errors are, and where predictions lie."""
    if rounds == 2:  # the first prediction knew nothing of the labels
        for k in range(ERRORS, DOWN):
            numbers[k] = 0.0
    seen = max(rounds - 1, 1)
    size = abs(error)
    unit = numbers[ERRORS] / max(numbers[ERROR_COUNT], 1.0)
    if unit > 0.0:
        size = min(size, max(FAR * unit, numbers[PREVIOUS]))
    numbers[PREVIOUS] = abs(error)
    numbers[ERRORS] = (1.0 - FORGET) * numbers[ERRORS] + size
    numbers[ERROR_COUNT] = (1.0 - FORGET) * numbers[ERROR_COUNT] + 1.0
    unit = numbers[ERRORS] / numbers[ERROR_COUNT]
    rate = max(1.0 / seen, SETTLE)
    numbers[SETTLED_UNIT] += rate * (unit - numbers[SETTLED_UNIT])
    before = prediction - numbers[CENTER]
    numbers[CENTER] += before / seen
    numbers[SPREAD] += before * (prediction - numbers[CENTER])
