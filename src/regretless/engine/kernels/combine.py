"""Combine what several regressions say, by the forecaster of Vovk, Azoury and Warmuth.

For the numbers z that the members and the running mean say of a row, the prediction is
their plain mean plus a correction that is learned: VAW on rows z/s and labels
(y - mean z)/s, where s is the size of the first label that is not zero. So nothing
depends on the unit of y.
"""

from __future__ import annotations

from typing import Any

from ...parts.generic import compiled
from ...parts.geometries import move, observe_gradient
from ...parts.losses import value
from ...parts.observers import PlayedRound, note
from ...parts.prediction_rules import foresee
from ...parts.regression import BEST, BOUND, COUNT, KNOWN, LABELS, UNIT
from ...parts.rows import RowView, begin, end, measure
from ...parts.state import ROUNDS
from ...parts.updates import Standing, advance, gradient_scale
from .compiled import kernel


@compiled
def mean_label(sums: Any) -> float:
    """The mean of the labels so far."""
    return sums[LABELS] / sums[COUNT] if sums[COUNT] > 0.0 else 0.0


@compiled
def unit_of(sums: Any) -> float:
    """What a stack divides amounts by."""
    return sums[UNIT] if sums[UNIT] > 0.0 else 1.0


@compiled
def correct(parts: Any, state: Any, inputs: Any) -> tuple[float, float]:
    """What the weights of a stack say of a row, and what it adds to the plain mean."""
    z = inputs.values
    standing = 0.0
    for k in range(z.size):
        standing += state.primal[k] * z[k]
    row = RowView(inputs, 0, z.size, standing, 0.0, 0.0)
    more = foresee(parts.prediction_rule, parts.geometry, state, row, standing)
    return standing, more


@compiled
def learn_correction(
    parts: Any, state: Any, inputs: Any, standing: float, short: float, c: float
) -> float:
    """Let a stack learn by how much the plain mean was short; the row's leverage.

    The leverage is that of the row when it has come.
    """
    size = inputs.values.size
    state.numbers[ROUNDS] += 1.0
    entering = gradient_scale(parts.update, 0.0, c)
    row = RowView(inputs, 0, size, standing, 0.0, 0.0)
    length = observe_gradient(parts.geometry, state, row, entering)
    at = Standing(standing, standing, short, 0.0, c, length)
    move(parts.geometry, state, row, -advance(parts.update, parts.loss, at), 1.0)
    return c * length / (1.0 + c * length)


@compiled
def enter_amount(
    observer: Any,
    loss: Any,
    rows: Any,
    i: int,
    zeros: Any,
    score: float,
    y: float,
    c: float,
) -> None:
    """Tell the observer of round `i`; rows are looked at for the statistics alone."""
    _, square, low, high = measure(rows, begin(rows, i), end(rows, i), zeros)
    paid, mistake = c * value(loss, score, y), y * score <= 0.0
    known = (square, low, high)
    note(
        observer, PlayedRound(y, score, paid, mistake, True, 1.0, *known, 0.0, 0.0, 0.0)
    )


@compiled
def write_said(sums: Any, inputs: Any, said: Any, i: int) -> float:
    """Write what was said of row `i` into a row of the stack; its plain mean."""
    z, unit = inputs.values, unit_of(sums)
    members = z.size - 1
    z[members] = mean_label(sums) / unit
    total = z[members]
    for k in range(members):
        z[k] = said[i * members + k] / unit
        total += z[k]
    return total / z.size


@kernel
def allow_amounts(
    sums: Any,
    curves: Any,
    most: int,
    targets: Any,
    weights: Any,
    limits: tuple[float, float],
) -> int:
    """How many rows have labels that can be learned; -1 where features are too many.

    Labels are squared, and divided by the first that is not zero. `curves` are numbers,
    and `most` the features from which on there are none.
    """
    if curves[KNOWN] >= most:
        return -1
    largest, ratio = limits
    unit = sums[UNIT]
    for i in range(targets.size):
        size = abs(targets[i])
        heavy = size * max(weights[i], 1.0) if weights.size > 0 else size
        if unit == 0.0 and size > 0.0:
            unit = size
        if not heavy <= min(largest, ratio * (unit if unit > 0.0 else 1.0)):
            return i
    return targets.size


@kernel
def combine_rows(
    parts: Any,
    state: Any,
    sums: Any,
    observer: Any,
    inputs: Any,
    said: Any,
    rows: Any,
    zeros: Any,
    targets: Any,
    weights: Any,
) -> int:
    """Play rows of what the members said, and learn to combine it.

    ``said[i*m + k]`` is what member k said of row i; `inputs` is one dense row, with
    room for the m members and the running mean. `zeros` has a zero for every column of
    `rows`, which are looked at for the statistics alone.
    """
    for i in range(targets.size):
        y = targets[i]
        c = weights[i] if weights.size > 0 else 1.0
        if sums[UNIT] == 0.0:
            sums[UNIT] = abs(y)
        unit = unit_of(sums)
        center = write_said(sums, inputs, said, i)
        standing, more = correct(parts, state, inputs)
        score = unit * (center + more)
        short = y / unit - center
        known = learn_correction(parts, state, inputs, standing, short, c)
        gap = standing - short
        sums[BEST] += unit * unit * c * gap * gap * (1.0 - known)
        sums[BOUND] += unit * unit * c * short * short * known
        sums[LABELS] += c * y
        sums[COUNT] += c
        enter_amount(observer, parts.loss, rows, i, zeros, score, y, c)
    return targets.size


@kernel
def combine_scores(
    parts: Any, state: Any, sums: Any, inputs: Any, said: Any, out: Any
) -> None:
    """Combine what the members said, and learn nothing."""
    for i in range(out.size):
        center = write_said(sums, inputs, said, i)
        _, more = correct(parts, state, inputs)
        out[i] = unit_of(sums) * (center + more)
