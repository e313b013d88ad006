"""The linear loop for eight additive learners of one family, side by side.

Rows are read once for all of them; what tells them apart are numbers: steps, radii,
margins. Every lane does what :mod:`regretless.kernels.linear` does, in the same order
of operations, so that a learner among others equals the learner alone, bit for bit.
"""

from __future__ import annotations

import math
from typing import Any

from ..generic import compiled, generic, implement
from ..parts.domains import project
from ..parts.losses import slope, value
from ..parts.observers import Round, note
from ..parts.penalties import strength
from ..parts.rows import Biased, Dense, Sparse, begin, column, end, entry
from ..parts.state import (
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
from ..parts.steps import rate
from ..parts.triggers import fires
from ..parts.updates import advance
from .compiled import kernel
from .vectors import LANES, collect, spread

__all__ = ["LANES", "play_lanes"]

ACCUMULATORS = 4


@generic(fastmath={"contract"})
def measure_lanes(rows: Any, lo: int, hi: int, weights: Any, sums: Any) -> Any:
    """All dot products into ``sums[:8]``; ``(|x|^2, min(x, 0), max(x, 0))``."""
    ...


@implement(measure_lanes, Dense)
def _(rows: Dense, lo: int, hi: int, weights: Any, sums: Any) -> Any:
    square = low = high = 0.0
    for lane in range(LANES):
        sums[lane] = 0.0
    for k in range(lo, hi):
        v = rows.values[k]
        collect(sums, 0, weights, k - lo, v)
        square += v * v
        low = min(low, v)
        high = max(high, v)
    return square, low, high


@implement(measure_lanes, Sparse)
def _(rows: Sparse, lo: int, hi: int, weights: Any, sums: Any) -> Any:
    # The four running sums of ``measure``, for every lane.
    columns, values = rows.columns, rows.values
    p = q = low = high = 0.0
    for i in range(ACCUMULATORS * LANES):
        sums[i] = 0.0
    middle = lo + (hi - lo) // 4 * 4
    for k in range(lo, middle, 4):
        e = values[k]
        f = values[k + 1]
        g = values[k + 2]
        h = values[k + 3]
        collect(sums, 0, weights, columns[k], e)
        collect(sums, 1, weights, columns[k + 1], f)
        collect(sums, 2, weights, columns[k + 2], g)
        collect(sums, 3, weights, columns[k + 3], h)
        p += e * e + f * f
        q += g * g + h * h
        low = min(low, e, f, g, h)
        high = max(high, e, f, g, h)
    for k in range(middle, hi):
        e = values[k]
        collect(sums, 0, weights, columns[k], e)
        p += e * e
        low = min(low, e)
        high = max(high, e)
    for lane in range(LANES):
        a = sums[lane] + sums[LANES + lane]
        c = sums[2 * LANES + lane] + sums[3 * LANES + lane]
        sums[lane] = a + c
    return p + q, low, high


@implement(measure_lanes, Biased)
def _(rows: Biased, lo: int, hi: int, weights: Any, sums: Any) -> Any:
    square, low, high = 1.0, 0.0, 1.0
    for lane in range(LANES):
        sums[lane] = weights[lane]
    for k in range(lo, hi - 1):
        e = entry(rows.rows, k, hi - 1)
        collect(sums, 0, weights, column(rows.rows, k, lo, hi - 1) + 1, e)
        square += e * e
        low = min(low, e)
        high = max(high, e)
    return square, low, high


@compiled
def refresh_lane(weights: Any, lane: int, numbers: Any) -> None:
    """Fold the lazy factor of one lane into its weights, and sum them afresh."""
    scale = numbers[SCALE]
    numbers[SCALE] = 1.0
    total = 0.0
    for j in range(weights.size // LANES):
        w = weights[j * LANES + lane] * scale
        weights[j * LANES + lane] = w
        total += w * w
    settle(numbers, total)


@compiled
def forget_lane(weights: Any, lane: int, numbers: Any) -> None:
    """The first step of 1/(sigma t) forgets everything."""
    for j in range(weights.size // LANES):
        weights[j * LANES + lane] = 0.0
    numbers[SCALE] = 1.0
    numbers[TOTAL] = 0.0


def play_lanes(mark: str) -> Any:
    """Build ``play_lanes(parts, states, observers, weights, work, rows, targets, ...)``.

    `parts`, `states` and `observers` are eight of each; `weights` holds eight weights a
    feature. `work` has room for the sums and the steps; ``alive[lane]`` becomes 0 when
    the weights of a lane have overflowed: it plays no further. The kernel returns how
    many rows were played; fewer than given mean that the next one is refused.
    """

    @kernel(mark)
    def play_lanes(
        parts: Any,
        states: Any,
        observers: Any,
        weights: Any,
        work: Any,
        alive: Any,
        rows: Any,
        targets: Any,
        importance: Any,
    ) -> int:
        sums, steps, known = work
        weighted = importance.size > 0
        for i in range(targets.size):
            y = targets[i]
            lo = begin(rows, i)
            hi = end(rows, i)
            square, low, high = measure_lanes(rows, lo, hi, weights, sums)
            if not square < math.inf:
                return i
            moving = False
            for lane in range(LANES):
                steps[lane] = 0.0
                if alive[lane] == 0:
                    continue
                part = parts[lane]
                numbers = states[lane].numbers
                scale = numbers[SCALE]
                dot = sums[lane] * scale
                score = dot - part.threshold
                if not abs(score) < math.inf:
                    alive[lane] = 0
                    continue
                sigma = strength(part.penalty)
                paid = value(part.loss, score, y)
                if weighted:
                    paid *= importance[i]
                if sigma > 0.0:
                    paid += 0.5 * sigma * numbers[TOTAL]
                numbers[ROUNDS] += 1.0
                grow_older(numbers, scale)
                eta = x_dual = g_square = g_dual = 0.0
                updated = False
                if fires(part.trigger, score, y):
                    lean = slope(part.loss, score, y)
                    if weighted:
                        lean *= importance[i]
                    if lean != 0.0 or sigma > 0.0:
                        updated = moving = True
                        numbers[UPDATES] += 1.0
                        x_dual = square
                        g_square = lean * lean * square
                        g_dual = lean * lean * x_dual
                        if sigma > 0.0:
                            total = numbers[TOTAL]
                            g_square += sigma * (2.0 * lean * dot + sigma * total)
                            g_dual = g_square
                        eta = rate(part.step, numbers, numbers[ROUNDS], g_dual)
                        update, loss = part.update, part.loss
                        step = -advance(update, loss, score, y, lean, eta, x_dual)
                        shrink = 1.0 - eta * sigma
                        if shrink == 0.0:
                            forget_lane(weights, lane, numbers)
                            dot = 0.0
                        elif shrink != 1.0:
                            numbers[SCALE] *= shrink
                            numbers[TOTAL] *= shrink * shrink
                            numbers[PEAK] *= shrink * shrink
                            dot *= shrink
                        steps[lane] = step / numbers[SCALE]
                        known[lane] = step * (2.0 * dot + step * square)
                note(
                    observers[lane],
                    Round(
                        y,
                        score,
                        paid,
                        y * score <= 0.0,
                        updated,
                        eta,
                        square,
                        low,
                        high,
                        g_square,
                        g_dual,
                        x_dual,
                    ),
                )
                known[LANES + lane] = 1.0 if updated else 0.0
            if not moving:
                continue
            for k in range(lo, hi):
                spread(weights, column(rows, k, lo, hi), steps, 0, entry(rows, k, hi))
            for lane in range(LANES):
                if alive[lane] == 0 or known[LANES + lane] == 0.0:
                    continue
                numbers = states[lane].numbers
                numbers[TOTAL] += known[lane]
                if drifted(numbers) or not SMALL <= abs(numbers[SCALE]) <= LARGE:
                    refresh_lane(weights, lane, numbers)
                project(parts[lane].domain, states[lane], rows, lo, hi)
        return targets.size

    return play_lanes
