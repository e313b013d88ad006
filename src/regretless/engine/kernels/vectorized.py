"""The linear loop for the learners of many classes, eight side by side.

Rows are read once for all of them; what tells them apart are their labels and weights.
Every lane does what :mod:`regretless.engine.kernels.linear` does, in the same
order of operations, so that a learner among others equals the learner alone, bit for
bit.
"""

# An intrinsic is called with one argument less than its code takes.
# pyright: reportCallIssue=false

from __future__ import annotations

import math
from typing import Any

from ...parts.domains import project
from ...parts.generic import compiled, generic, implement
from ...parts.losses import LARGEST, slope, value
from ...parts.observers import PlayedRound, note
from ...parts.penalties import strength
from ...parts.rows import Biased, Dense, RowView, Sparse, column, entry
from ...parts.state import (
    LARGE,
    PEAK,
    ROUNDS,
    SCALE,
    SMALL,
    TOTAL,
    UPDATES,
    drifted,
    grow_older,
    settle,
)
from ...parts.steps import rate
from ...parts.triggers import fires
from ...parts.updates import Standing, advance
from .vectors import LANES, collect

ACCUMULATORS = 4


@generic(fastmath={"contract"})
def measure_lanes(
    rows: Any, lo: int, hi: int, weights: Any, sums: Any, blocks: int
) -> Any:
    """All dot products into ``sums[: 8 * blocks]``; ``(|x|^2, min(x, 0), max(x, 0))``.

    A feature has `blocks` vectors of eight weights, one after the other.
    """
    ...


@implement(measure_lanes, Dense)
def _(rows: Dense, lo: int, hi: int, weights: Any, sums: Any, blocks: int) -> Any:
    square = low = high = 0.0
    for lane in range(LANES * blocks):
        sums[lane] = 0.0
    if blocks == 2:  # written out: both sums grow at once
        for k in range(lo, hi):
            v = rows.values[k]
            collect(sums, 0, weights, 2 * (k - lo), v)
            collect(sums, 1, weights, 2 * (k - lo) + 1, v)
            square += v * v
            low = min(low, v)
            high = max(high, v)
        return square, low, high
    for k in range(lo, hi):
        v = rows.values[k]
        for block in range(blocks):
            collect(sums, block, weights, (k - lo) * blocks + block, v)
        square += v * v
        low = min(low, v)
        high = max(high, v)
    return square, low, high


@implement(measure_lanes, Sparse)
def _(rows: Sparse, lo: int, hi: int, weights: Any, sums: Any, blocks: int) -> Any:
    # The four running sums of ``measure``, for every lane.
    columns, values = rows.columns, rows.values
    p = q = low = high = 0.0
    lanes = LANES * blocks
    for i in range(ACCUMULATORS * lanes):
        sums[i] = 0.0
    middle = lo + (hi - lo) // 4 * 4
    for k in range(lo, middle, 4):
        e = values[k]
        f = values[k + 1]
        g = values[k + 2]
        h = values[k + 3]
        for block in range(blocks):
            collect(sums, block, weights, columns[k] * blocks + block, e)
            at = blocks + block
            collect(sums, at, weights, columns[k + 1] * blocks + block, f)
            at += blocks
            collect(sums, at, weights, columns[k + 2] * blocks + block, g)
            at += blocks
            collect(sums, at, weights, columns[k + 3] * blocks + block, h)
        p += e * e + f * f
        q += g * g + h * h
        low = min(low, e, f, g, h)
        high = max(high, e, f, g, h)
    for k in range(middle, hi):
        e = values[k]
        for block in range(blocks):
            collect(sums, block, weights, columns[k] * blocks + block, e)
        p += e * e
        low = min(low, e)
        high = max(high, e)
    for lane in range(lanes):
        a = sums[lane] + sums[lanes + lane]
        c = sums[2 * lanes + lane] + sums[3 * lanes + lane]
        sums[lane] = a + c
    return p + q, low, high


@implement(measure_lanes, Biased)
def _(rows: Biased, lo: int, hi: int, weights: Any, sums: Any, blocks: int) -> Any:
    square, low, high = 1.0, 0.0, 1.0
    for lane in range(LANES * blocks):
        sums[lane] = weights[lane]
    for k in range(lo, hi - 1):
        e = entry(rows.rows, k, hi - 1)
        at = (column(rows.rows, k, lo, hi - 1) + 1) * blocks
        for block in range(blocks):
            collect(sums, block, weights, at + block, e)
        square += e * e
        low = min(low, e)
        high = max(high, e)
    return square, low, high


@compiled
def refresh_lane(weights: Any, lanes: int, lane: int, numbers: Any) -> None:
    """Fold the lazy factor of one lane into its weights, and sum them afresh."""
    scale = numbers[SCALE]
    numbers[SCALE] = 1.0
    total = 0.0
    for j in range(weights.size // lanes):
        w = weights[j * lanes + lane] * scale
        weights[j * lanes + lane] = w
        total += w * w
    settle(numbers, total)


@compiled
def forget_lane(weights: Any, lanes: int, lane: int, numbers: Any) -> None:
    """The first step of 1/(sigma t) forgets everything."""
    for j in range(weights.size // lanes):
        weights[j * lanes + lane] = 0.0
    numbers[SCALE] = 1.0
    numbers[TOTAL] = 0.0


@compiled
def play_lane(
    part: Any,
    numbers: Any,
    observer: Any,
    weights: Any,
    work: Any,
    alive: Any,
    seen: Any,
) -> float:
    """One round of one lane, up to the step that it wants to make; what it paid."""
    sums, steps, known = work
    lane, y, importance, square, low, high = seen
    lanes = steps.size
    steps[lane] = 0.0
    known[lanes + lane] = 0.0
    if alive[lane] == 0:
        return 0.0
    scale = numbers[SCALE]
    dot = sums[lane] * scale
    score = dot - part.threshold
    if not abs(score) < math.inf:
        alive[lane] = 0
        return 0.0
    sigma = strength(part.penalty)
    paid = importance * value(part.loss, score, y)
    if sigma > 0.0:
        paid += 0.5 * sigma * numbers[TOTAL]
    fired = fires(part.trigger, score, y)
    plain = slope(part.loss, score, y) if fired else 0.0
    loss_slope = importance * plain
    if not (paid <= LARGEST and loss_slope * loss_slope * square < math.inf):
        alive[lane] = 0
        return 0.0
    numbers[ROUNDS] += 1.0
    grow_older(numbers, scale)
    eta = x_dual = g_square = g_dual = 0.0
    updated = False
    if fired and (loss_slope != 0.0 or sigma > 0.0):
        updated = True
        numbers[UPDATES] += 1.0
        x_dual = square
        g_square = g_dual = loss_slope * loss_slope * square
        if sigma > 0.0:
            g_square += sigma * (2.0 * loss_slope * dot + sigma * numbers[TOTAL])
            g_dual = g_square
        eta = rate(part.step, numbers, numbers[ROUNDS], g_dual)
        at = Standing(score, score, y, plain, importance * eta, x_dual)
        step = -advance(part.update, part.loss, at)
        shrink = 1.0 - eta * sigma
        if shrink == 0.0:
            forget_lane(weights, lanes, lane, numbers)
            dot = 0.0
        elif shrink != 1.0:
            numbers[SCALE] *= shrink
            numbers[TOTAL] *= shrink * shrink
            numbers[PEAK] *= shrink * shrink
            dot *= shrink
        steps[lane] = step / numbers[SCALE]
        known[lane] = step * (2.0 * dot + step * square)
        known[lanes + lane] = 1.0
    mistake, measured = y * score <= 0.0, (square, low, high, g_square, g_dual, x_dual)
    note(observer, PlayedRound(y, score, paid, mistake, updated, eta, *measured))
    return paid


@compiled
def land_lane(
    part: Any,
    state: Any,
    weights: Any,
    known: Any,
    lane: int,
    rows: Any,
    lo: int,
    hi: int,
) -> None:
    """What follows a step: the tracked total, and the domain."""
    lanes = known.size // 2
    if known[lanes + lane] == 0.0:
        return
    numbers = state.numbers
    numbers[TOTAL] += known[lane]
    if drifted(numbers) or not SMALL <= abs(numbers[SCALE]) <= LARGE:
        refresh_lane(weights, lanes, lane, numbers)
    project(part.domain, state, RowView(rows, lo, hi, 0.0, 0.0, 0.0))
