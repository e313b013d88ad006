"""Combine what several regressions say, by the forecaster of Vovk, Azoury and Warmuth.

For the numbers z that the members and the running mean say of a row, the prediction is
their plain mean plus a correction that is learned: VAW on rows z/s and labels
(y - mean z)/s, where s is the size of the first label that is not zero. So nothing
depends on the unit of y.
"""

from __future__ import annotations

from typing import Any

from ...parts.geometries import move, observe_gradient
from ...parts.losses import value
from ...parts.observers import PlayedRound, note
from ...parts.prediction_rules import foresee
from ...parts.regression import BEST, BOUND, COUNT, LABELS, UNIT
from ...parts.rows import begin, end, measure
from ...parts.state import ROUNDS
from ...parts.updates import advance, gradient_scale
from .compiled import kernel

__all__ = ["combine_rows", "combine_scores"]


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
) -> None:
    """Play rows of what the members said, and learn to combine it.

    ``said[i*m + k]`` is what member k said of row i; `inputs` is one dense row, with
    room for the m members and the running mean. `zeros` has a zero for every column of
    `rows`, which are looked at for the statistics alone.
    """
    z = inputs.values
    members = z.size - 1
    for i in range(targets.size):
        y = targets[i]
        importance = weights[i] if weights.size > 0 else 1.0
        if sums[UNIT] == 0.0:
            sums[UNIT] = abs(y)
        unit = sums[UNIT] if sums[UNIT] > 0.0 else 1.0
        average = sums[LABELS] / sums[COUNT] if sums[COUNT] > 0.0 else 0.0
        z[members] = average / unit
        total = z[members]
        for k in range(members):
            z[k] = said[i * members + k] / unit
            total += z[k]
        center = total / z.size
        short = y / unit - center
        standing = 0.0
        for k in range(z.size):
            standing += state.primal[k] * z[k]
        told = foresee(
            parts.foresight, parts.geometry, state, inputs, 0, z.size, standing
        )
        score = unit * (center + told)
        state.numbers[ROUNDS] += 1.0
        entering = gradient_scale(parts.update, 0.0, importance)
        x_dual = observe_gradient(
            parts.geometry, state, inputs, 0, z.size, entering, 0.0, 0.0
        )
        step = advance(
            parts.update, parts.loss, told, standing, short, 0.0, importance, x_dual
        )
        move(parts.geometry, state, inputs, 0, z.size, -step, 1.0, standing, 0.0)
        gap = standing - short
        known = importance * x_dual / (1.0 + importance * x_dual)
        sums[BEST] += unit * unit * importance * gap * gap * (1.0 - known)
        sums[BOUND] += unit * unit * importance * short * short * known
        sums[LABELS] += importance * y
        sums[COUNT] += importance
        _, square, low, high = measure(rows, begin(rows, i), end(rows, i), zeros)
        note(
            observer,
            PlayedRound(
                y,
                score,
                importance * value(parts.loss, score, y),
                y * score <= 0.0,
                True,
                1.0,
                square,
                low,
                high,
                0.0,
                0.0,
                0.0,
            ),
        )


@kernel
def combine_scores(
    parts: Any, state: Any, sums: Any, inputs: Any, said: Any, out: Any
) -> None:
    """Combine what the members said, and learn nothing."""
    z = inputs.values
    members = z.size - 1
    unit = sums[UNIT] if sums[UNIT] > 0.0 else 1.0
    average = sums[LABELS] / sums[COUNT] if sums[COUNT] > 0.0 else 0.0
    for i in range(out.size):
        z[members] = average / unit
        total = z[members]
        for k in range(members):
            z[k] = said[i * members + k] / unit
            total += z[k]
        standing = 0.0
        for k in range(z.size):
            standing += state.primal[k] * z[k]
        told = foresee(
            parts.foresight, parts.geometry, state, inputs, 0, z.size, standing
        )
        out[i] = unit * (total / z.size + told)
