"""The members: AdaGrad with an implicit step, coin betting, naive Bayes on presence.

A member with margin m and values v moves by

    G_j += g^2 v_j^2,   w_j += y u v_j/sqrt(G_j),   pull = sum v_j^2/sqrt(G_j)

where u = min(eta, (1 - ym)/pull) for the hinge (g = 1), and where u solves
u = eta sigma(-(ym + pull u)) for the logistic loss (g = sigma(-ym)): the loss is taken
after the step, so that no step overshoots. Where the hinge loss is at most 0.03, a
member stays as it is; where g is less than that, it learns from some rounds only, which
count for all of them (:func:`repeats`). That is what makes eight members affordable.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..generic import compiled
from .row_views import SUMS, log_ratio
from .state import (
    COINS,
    DRAWS,
    GAIN,
    LEAST,
    LENGTHS,
    MOVE,
    NEGATIVES,
    ONE,
    POSITIVES,
    REACH,
    ROUNDS,
    SCALE,
    THETA,
    WEALTH,
)

FUSED = {"fastmath": {"contract"}}
SOON = 10  # steps that Newton's method takes, where all goes well
GOLDEN = 0.6180339887498949  # its multiples, modulo 1, are spread as evenly as can be


@compiled
def sigmoid(x: float) -> float:
    """1/(1 + exp(-x)), without overflow."""
    e = math.exp(-abs(x))
    return (1.0 if x > 0.0 else e) / (1.0 + e)


@compiled
def repeats(constants: Any, state: Any, g: float) -> float:
    """How often a round with a gradient of size `g` is learned from: 0, 1 or more."""
    if g < constants.negligible and state.numbers[DRAWS] == 0.0:
        return 0.0  # a game that version 0.1 began
    return drawn(constants, state.numbers[ROUNDS], g)


@compiled
def drawn(constants: Any, number: float, g: float) -> float:
    """The same for round `number`.

    A share of g/e of the rounds with g < e is taken, each e/g times. Which of them is
    said by the number of the round, so that a game played again is the same.
    """
    least = constants.negligible
    if g >= least:
        return 1.0
    turn = number * GOLDEN
    return least / g if (turn - math.floor(turn)) * least < g else 0.0


@compiled
def consult(
    constants: Any,
    state: Any,
    tile: Any,
    n: int,
    lengths: tuple[float, float],
    odds: float,
) -> None:
    """Write down the margin of every member: on rows, on curves, the coin's, Bayes'."""
    consult_rows(constants, state, tile, n, lengths[0], odds)
    consult_curves(constants, state, tile, n, lengths[1])


@compiled
def consult_rows(
    constants: Any, state: Any, tile: Any, n: int, length: float, odds: float
) -> None:
    """Those of the members on rows, and of naive Bayes, who is last."""
    margins, numbers = tile.margins, state.numbers
    rows = len(constants.row_steps)
    row_margins(state.rows, tile, n, rows)
    for lane in range(rows):
        margins[lane] /= length
    p, q = numbers[POSITIVES], numbers[NEGATIVES]
    prior = log_ratio(p + 1.0, q + 1.0)
    bayes = prior + odds - n * log_ratio(p + 2.0, q + 2.0)
    margins[rows + len(constants.curve_steps) + 1] = bayes


@compiled
def consult_curves(
    constants: Any, state: Any, tile: Any, n: int, length: float
) -> None:
    """Those of the members on curves, and of the coin."""
    margins, numbers = tile.margins, state.numbers
    rows, curves = len(constants.row_steps), len(constants.curve_steps)
    curve_margins(state.curves, tile, n, rows, curves)
    for lane in range(rows, rows + curves):
        margins[lane] /= length
    coin = rows + curves
    mean = (numbers[LENGTHS] + length * length) / (numbers[ROUNDS] + 1.0)
    bet = margins[coin] / mean
    margins[coin] = min(max(bet, -constants.coin_clip), constants.coin_clip)


@compiled(**FUSED)
def row_margins(weights: Any, tile: Any, n: int, lanes: int) -> None:
    """w.a of up to four lanes, in one pass; lanes that are not there are no code."""
    columns, values, margins = tile.columns, tile.values, tile.margins
    first = np.uint64(weights.shape[1] - 2 * lanes)
    a = b = c = d = values[0] * 0
    for k in range(n):
        j = np.uint64(columns[k])
        v = values[k]
        a += weights[j, first] * v
        if lanes > 1:
            b += weights[j, first + np.uint64(1)] * v
        if lanes > 2:
            c += weights[j, first + np.uint64(2)] * v
        if lanes > 3:
            d += weights[j, first + np.uint64(3)] * v
    margins[0] = a
    if lanes > 1:
        margins[1] = b
    if lanes > 2:
        margins[2] = c
    if lanes > 3:
        margins[3] = d


@compiled(**FUSED)
def curve_margins(weights: Any, tile: Any, n: int, first: int, hinges: int) -> None:
    """The same for one or two hinges on the curves, and the coin, which is last."""
    places, margins = tile.places, tile.margins
    lefts, rights = tile.lefts, tile.rights
    a = b = c = lefts[0] * 0
    for k in range(n):
        s = np.uint64(places[k])
        t = s + np.uint64(1)
        v = lefts[k]
        w = rights[k]
        a += weights[s, 0] * v + weights[t, 0] * w
        b += weights[s, 1] * v + weights[t, 1] * w
        if hinges > 1:
            c += weights[s, 2] * v + weights[t, 2] * w
    margins[first] = a
    margins[first + 1] = b
    if hinges > 1:
        margins[first + 2] = c


@compiled
def move_rows(
    constants: Any,
    state: Any,
    tile: Any,
    n: int,
    full: int,
    y: float,
    length: float,
    importance: float,
) -> bool:
    """Let every member on the rows learn that has something to learn."""
    weights, columns, scalars = state.rows, tile.columns, tile.scalars
    squares, steps = tile.lanes[0], tile.lanes[1]
    scalars[SCALE] = 1.0 / length
    moved = False
    lanes = len(constants.row_steps)
    for lane in range(lanes):
        weight_at = np.uint64(weights.shape[1] - 2 * lanes + lane)
        square_at = weight_at + np.uint64(lanes)
        ym = y * tile.margins[lane]
        hinge = lane < constants.row_hinges
        g = 1.0 if hinge else sigmoid(-ym)
        times = importance
        if hinge and 1.0 - ym <= constants.negligible:
            continue
        if not hinge:
            times *= repeats(constants, state, g)
            if times == 0.0:
                continue
        moved = True
        eta = times * constants.row_steps[lane]
        scalars[GAIN] = (times * g) * (times * g)
        for k in range(n):
            squares[k] = weights[np.uint64(columns[k]), square_at]
        pull = widen(squares, steps, tile.values, scalars, full)
        u = min(eta, (1.0 - ym) / pull) if hinge else implicit_step(eta, ym, g, pull)
        scalars[MOVE] = y * u
        move = scalars[MOVE]
        for k in range(n):
            j = np.uint64(columns[k])
            weights[j, square_at] = squares[k]
            weights[j, weight_at] += move * steps[k]
    return moved


@compiled
def move_curves(
    constants: Any,
    state: Any,
    tile: Any,
    n: int,
    full: int,
    y: float,
    length: float,
    importance: float,
) -> bool:
    """The same for the hinges on the curves, where a feature has two weights."""
    curves, places, scalars = state.curves, tile.places, tile.scalars
    first, lanes = len(constants.row_steps), len(constants.curve_steps)
    left_squares, left_steps = tile.lanes[0], tile.lanes[1]
    right_squares, right_steps = tile.lanes[2], tile.lanes[3]
    scalars[SCALE] = 1.0 / length
    scalars[GAIN] = importance * importance
    moved = False
    for lane in range(lanes):
        ym = y * tile.margins[first + lane]
        if 1.0 - ym <= constants.negligible:
            continue
        moved = True
        for k in range(n):
            s = np.uint64(places[k])
            left_squares[k] = curves[s, lanes + 1 + lane]
            right_squares[k] = curves[s + np.uint64(1), lanes + 1 + lane]
        pull = widen(left_squares, left_steps, tile.lefts, scalars, full)
        pull += widen(right_squares, right_steps, tile.rights, scalars, full)
        eta = importance * constants.curve_steps[lane]
        scalars[MOVE] = y * min(eta, (1.0 - ym) / pull)
        move = scalars[MOVE]
        for k in range(n):
            s = np.uint64(places[k])
            t = s + np.uint64(1)
            curves[s, lanes + 1 + lane] = left_squares[k]
            curves[t, lanes + 1 + lane] = right_squares[k]
            curves[s, lane] += move * left_steps[k]
            curves[t, lane] += move * right_steps[k]
    return moved


@compiled(**SUMS)
def widen(squares: Any, steps: Any, values: Any, scalars: Any, full: int) -> float:
    """G += g^2 v^2 and steps = v/sqrt(G), v = values * SCALE; return v.steps."""
    scale, gain, least = scalars[SCALE], scalars[GAIN], scalars[LEAST]
    pull = least
    for k in range(full):
        v = values[k] * scale
        square = squares[k] + gain * (v * v)
        squares[k] = square
        square = max(least, square)
        step = v / math.sqrt(square)
        steps[k] = step
        pull += v * step
    return np.float64(pull)


@compiled
def implicit_step(eta: float, ym: float, g: float, pull: float) -> float:
    """Solve u = eta sigma(-(ym + pull u)): Newton's method, kept in a bracket.

    It begins at 0, where sigma is g. After a step of 1e-6 the error is about the square
    of that. Steps may go to and fro across the bend of sigma: where they have not ended
    soon, every other one halves the bracket.
    """
    low = 0.0
    high = eta * g
    u = high / (1.0 + pull * high * (1.0 - g))
    for i in range(100):
        s = sigmoid(-(ym + pull * u))
        excess = u - eta * s
        if excess > 0.0:
            high = u
        else:
            low = u
        better = u - excess / (1.0 + eta * pull * s * (1.0 - s))
        halve = i >= SOON and i % 2 == 0
        if halve or not low <= better <= high:
            better = 0.5 * (low + high)
        if abs(better - u) <= 1e-6 * eta and not halve:
            return better
        u = better
    return u


@compiled
def bet(
    constants: Any, state: Any, tile: Any, n: int, y: float, importance: float
) -> bool:
    """Coin betting, each slot for itself: w = (16 + W) theta/(1 + S).

    W is what the bets so far have won, never less than the 16 it began with.
    """
    curves, scalars = state.curves, tile.scalars
    lane = len(constants.curve_steps)
    size = 2 * lane + 1 + COINS
    theta_at, wealth_at, reach_at = size - THETA, size - WEALTH, size - REACH
    g = sigmoid(-y * tile.margins[len(constants.row_steps) + lane])
    times = repeats(constants, state, g)
    if times == 0.0:
        return False
    scalars[GAIN] = y * (importance * times * g)
    scalars[MOVE] = constants.wealth
    push, wealth, one = scalars[GAIN], scalars[MOVE], scalars[ONE]
    for k in range(n):
        for side in range(2):
            s = np.uint64(tile.places[k] + side)
            c = push * (tile.rights[k] if side else tile.lefts[k])
            won = curves[s, wealth_at] + c * curves[s, lane]
            won = max(-wealth, won)
            theta = curves[s, theta_at] + c
            reach = curves[s, reach_at] + abs(c)
            curves[s, wealth_at] = won
            curves[s, theta_at] = theta
            curves[s, reach_at] = reach
            curves[s, lane] = (wealth + won) * theta / (one + reach)
    return True
