"""The linear loop: online mirror descent, one row at a time.

    score = foresee(w.x - threshold);  pay loss(score, y);  if the trigger fires:
    w = project(move(w, -eta * slope(score, y) * x))

Everything that tells one algorithm from another is in the parts.
"""

from __future__ import annotations

import math
from typing import Any

from ...parts.domains import project
from ...parts.geometries import factor, move, observe_gradient
from ...parts.losses import LARGEST, slope, value
from ...parts.observers import PlayedRound, note
from ...parts.penalties import strength
from ...parts.prediction_rules import foresee
from ...parts.rows import RowView, begin, column, end, keep, look, measure
from ...parts.state import ROUNDS, TOTAL, UPDATES, bank, grow_older
from ...parts.steps import rate
from ...parts.triggers import fires
from ...parts.updates import Standing, advance, eager, gradient_scale
from .compiled import kernel


@kernel
def play_rows(
    parts: Any, state: Any, observer: Any, rows: Any, targets: Any, weights: Any
) -> int:
    """Play rows with a linear learner; how many were played.

    `weights` holds the importance of every row, by which its loss is multiplied; it is
    empty where all have 1. The kernel returns how many rows were played.
    Fewer rows played than given means that the next one is refused (not finite, an
    entry outside [low, high], a loss that cannot be added up, or weights that have
    overflowed): nothing of it has been learned.
    """
    numbers = state.numbers
    weighted = weights.size > 0
    sigma = strength(parts.penalty)
    for i in range(targets.size):
        y = targets[i]
        lo = begin(rows, i)
        hi = end(rows, i)
        look(rows, lo, hi)
        dot, square, low, high = measure(rows, lo, hi, state.primal)
        scale = factor(parts.geometry, numbers)
        dot *= scale
        standing = dot - parts.threshold
        row = RowView(rows, lo, hi, dot, square, max(-low, high))
        score = foresee(parts.prediction_rule, parts.geometry, state, row, standing)
        if not (
            square < math.inf
            and low >= parts.low
            and high <= parts.high
            and abs(score) < math.inf
        ):
            return i
        importance = weights[i] if weighted else 1.0
        paid = importance * value(parts.loss, score, y)
        if sigma > 0.0:
            paid += 0.5 * sigma * numbers[TOTAL]
        fired = fires(parts.trigger, score, y)
        plain = slope(parts.loss, score, y) if fired else 0.0
        loss_slope = importance * plain
        if not (paid <= LARGEST and loss_slope * loss_slope * square < math.inf):
            return i
        keep(rows, lo, hi)
        numbers[ROUNDS] += 1.0
        grow_older(numbers, scale)
        eta = x_dual = g_square = g_dual = 0.0
        updated = False
        if fired and (loss_slope != 0.0 or sigma > 0.0 or eager(parts.update)):
            updated = True
            numbers[UPDATES] += 1.0
            gradient = gradient_scale(parts.update, loss_slope, importance)
            x_dual = observe_gradient(parts.geometry, state, row, gradient)
            g_square = loss_slope * loss_slope * square
            g_dual = loss_slope * loss_slope * x_dual
            if sigma > 0.0:
                g_square += sigma * (2.0 * loss_slope * dot + sigma * numbers[TOTAL])
                g_dual = g_square
            if state.sums.size > 0:
                for k in range(lo, hi):
                    bank(state, column(rows, k, lo, hi))
            eta = rate(parts.step, numbers, numbers[ROUNDS], g_dual)
            at = Standing(score, standing, y, plain, importance * eta, x_dual)
            step = -advance(parts.update, parts.loss, at)
            move(parts.geometry, state, row, step, 1.0 - eta * sigma)
            project(parts.domain, state, row)
        mistake, known = y * score <= 0.0, (square, low, high, g_square, g_dual, x_dual)
        note(observer, PlayedRound(y, score, paid, mistake, updated, eta, *known))
    return targets.size


@kernel
def score_rows(parts: Any, state: Any, rows: Any, out: Any) -> None:
    """Score rows with a linear learner, and learn nothing."""
    scale = factor(parts.geometry, state.numbers)
    for i in range(out.size):
        lo = begin(rows, i)
        hi = end(rows, i)
        look(rows, lo, hi)
        dot, square, low, high = measure(rows, lo, hi, state.primal)
        row = RowView(rows, lo, hi, scale * dot, square, max(-low, high))
        standing = row.dot - parts.threshold
        out[i] = foresee(parts.prediction_rule, parts.geometry, state, row, standing)
