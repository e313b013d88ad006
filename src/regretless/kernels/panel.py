"""The panel's loop: eight members and their stack, fused over one pass of a row.

    statistics -> view A, view H -> margins -> stack -> (label) -> stack, members move

A row is first gathered into a tile of contiguous arrays, so that square roots and
divisions are taken eight at a time; see ``learners/panel.py`` for the recipe.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..generic import compiled
from ..parts.observers import Round, note
from ..parts.panel import (
    MEAN,
    NEGATIVE,
    NEGATIVES,
    ODDS,
    POSITIVE,
    POSITIVES,
    REACH,
    LENGTHS,
    ROUNDS,
    SPREAD,
    THETA,
    WEALTH,
    slots,
    spread,
)
from ..parts.rows import begin, column, end, entry
from .compiled import kernel

__all__ = ["play_panel", "score_panel"]

SUMS: Any = {"fastmath": {"reassoc", "contract", "nsz"}, "forceinline": False}
TINY = 1e-36

# lines of tile.exact
X = 0
MU = 1
Q = 2
COUNT = 3
# lines of tile.values
A = 0
LEFT = 1
RIGHT = 2
# tile.scalars
INV = 0
GAIN = 1
LEAST = 2
MOVE = 3


@compiled
def gather(state: Any, tile: Any, rows: Any, lo: int, hi: int) -> Any:
    """Bring a row and what is known of its features into the tile."""
    columns, exact, moments = tile.columns, tile.exact, state.moments
    columns[0] = 0
    exact[X, 0] = 1.0
    n = 1
    square = low = high = 0.0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        if x != 0.0:
            columns[n] = np.int64(column(rows, k, lo, hi)) + 1
            exact[X, n] = x
            n += 1
            square += x * x
            low = min(low, x)
            high = max(high, x)
    odds = 0.0
    for k in range(n):
        j = np.uint64(columns[k])
        exact[MU, k] = moments[j, MEAN]
        exact[Q, k] = moments[j, SPREAD]
        exact[COUNT, k] = moments[j, POSITIVE] + moments[j, NEGATIVE]
        odds += moments[j, ODDS]
    return n, square, low, high, odds


@compiled(**SUMS)
def describe(view: Any, constants: Any, tile: Any, n: int) -> Any:
    """Statistics with this row in them, and from them the two views; their lengths."""
    exact, values, columns, places = tile.exact, tile.values, tile.columns, tile.places
    xs, mus, qs, counts = exact[X], exact[MU], exact[Q], exact[COUNT]
    a_s, lefts, rights = values[A], values[LEFT], values[RIGHT]
    row_square = 0.0
    curve_square = 0.0
    for k in range(n):
        x = xs[k]
        count = counts[k] + 1.0
        gap = x - mus[k]
        mu = mus[k] + gap / count
        rest = x - mu
        q = qs[k] + gap * rest
        mus[k] = mu
        qs[k] = q
        counts[k] = count
        variance = q / count
        rms = math.sqrt(mu * mu + variance)
        a = x / rms
        a = a if rms > 0.0 else (1.0 if x > 0.0 else -1.0)
        a = min(max(a, -constants.row_clip), constants.row_clip)
        deviation = math.sqrt(variance)
        z = rest / deviation
        z = z if deviation > 0.0 else 0.0
        z = min(max(z, -constants.curve_clip), constants.curve_clip)
        slot, left, right = spread(view, z)
        places[k] = columns[k] * slots(view) + slot
        a_s[k] = a
        lefts[k] = left
        rights[k] = right
        row_square += a * a
        curve_square += left * left + right * right
    return row_square, curve_square


@compiled(**SUMS)
def dot(u: Any, v: Any, n: int) -> float:
    total = u[0] * v[0]
    for k in range(1, n):
        total += u[k] * v[k]
    return total


@compiled
def consult(state, tile, constants, n, row_inverse, curve_inverse, odds, coin_scale):
    """All margins."""
    columns, places, lanes, margins = tile.columns, tile.places, tile.lanes, tile.margins
    na = len(constants.row_steps)
    nh = len(constants.curve_steps) + 1
    for k in range(n):
        j = np.uint64(columns[k])
        for lane in range(na):
            lanes[lane, k] = state.rows[j, lane]
    for lane in range(na):
        margins[lane] = dot(lanes[lane], tile.values[A], n) * row_inverse
    for k in range(n):
        s = np.uint64(places[k])
        left = tile.values[LEFT, k]
        right = tile.values[RIGHT, k]
        for lane in range(nh):
            lanes[lane, k] = left * state.curves[s, lane] + right * state.curves[s + np.uint64(1), lane]
    for lane in range(nh):
        total = lanes[lane, 0]
        row = lanes[lane]
        margins[na + lane] = total_of(row, n) * (curve_inverse if lane < nh - 1 else coin_scale)
    numbers = state.numbers
    m = margins[na + nh - 1]
    margins[na + nh - 1] = min(max(m, -constants.margin_clip), constants.margin_clip)
    p, q = numbers[POSITIVES], numbers[NEGATIVES]
    margins[na + nh] = math.log((p + 1.0) / (q + 1.0)) + odds - n * math.log((p + 2.0) / (q + 2.0))


@compiled(**SUMS)
def total_of(v: Any, n: int) -> float:
    total = v[0]
    for k in range(1, n):
        total += v[k]
    return total


@compiled
def sigmoid(x: float) -> float:
    e = math.exp(-abs(x))
    return (1.0 if x > 0.0 else e) / (1.0 + e)


@compiled
def stack_score(state, tile, constants):
    m = state.stack.size // 2
    inputs, margins, w = tile.inputs, tile.margins, state.stack
    total = 0.0
    for k in range(m):
        near = min(max(margins[k], -constants.near), constants.near)
        far = min(max(margins[k], -constants.far), constants.far)
        inputs[k] = near
        inputs[m + k] = far
        total += w[k] * near + w[m + k] * far
    inputs[2 * m] = 1.0
    return total + w[2 * m]


@compiled(**SUMS)
def stack_move(state, tile, constants, g, variance):
    """One step of Bayesian logistic regression with a full covariance."""
    w, P, inputs = state.stack, state.covariance, tile.inputs
    size = w.size
    # P in, kept behind the inputs
    grown = 0.0
    for i in range(size):
        row = P[i]
        total = 0.0
        for j in range(size):
            total += row[j] * inputs[j]
        inputs[size + i] = total
        grown += total * inputs[i]
    d = 1.0 / (1.0 + variance * grown)
    hd = variance * d
    for i in range(size):
        row = P[i]
        c = inputs[size + i]
        w[i] += g * d * c
        c *= hd
        for j in range(size):
            row[j] -= c * inputs[size + j]
        if row[i] < 1.0:
            row[i] += constants.drift


@compiled(**SUMS)
def widen(squares, v, steps, scalars, n):
    """G += g^2 v^2 and steps = v/sqrt(G); return sum v^2/sqrt(G)."""
    inv = scalars[INV]
    gain = scalars[GAIN]
    least = scalars[LEAST]
    total = inv * least
    for k in range(n):
        vv = v[k] * inv
        g = squares[k] + gain * (vv * vv)
        squares[k] = g
        g = g if g > least else least
        step = vv / math.sqrt(g)
        steps[k] = step
        total += vv * step
    return total


@compiled
def implicit_logistic(eta, margin, pull):
    """Solve u = eta sigma(-(margin + pull u)) by Newton's method kept in a bracket."""
    lo = 0.0
    hi = eta
    u = eta * sigmoid(-margin)
    hi = u
    u = 0.0 if False else u / (1.0 + u * pull)
    for _ in range(50):
        s = sigmoid(-(margin + pull * u))
        f = u - eta * s
        if f > 0.0:
            hi = u
        else:
            lo = u
        step = f / (1.0 + eta * pull * s * (1.0 - s))
        new = u - step
        if not (lo <= new <= hi):
            new = 0.5 * (lo + hi)
        if abs(new - u) <= 1e-10 * eta:
            return new
        u = new
    return u


@compiled
def move_rows(state, tile, constants, n, y, row_inverse):
    moved = False
    scalars, columns = tile.scalars, tile.columns
    scalars[INV] = row_inverse
    for lane in range(len(constants.row_steps)):
        eta = constants.row_steps[lane]
        ym = y * tile.margins[lane]
        hinge = lane < constants.row_hinges
        g = 1.0
        if hinge:
            if ym >= 1.0:
                continue
        else:
            g = sigmoid(-ym)
            if g <= constants.negligible:
                continue
        moved = True
        scalars[GAIN] = g * g
        squares = tile.lanes[0]
        steps = tile.lanes[1]
        for k in range(n):
            squares[k] = state.row_squares[np.uint64(columns[k]), lane]
        pull = np.float64(widen(squares, tile.values[A], steps, scalars, n))
        u = min(eta, (1.0 - ym) / pull) if hinge else implicit_logistic(eta, ym, pull)
        scalars[MOVE] = y * u
        c = scalars[MOVE]
        for k in range(n):
            j = np.uint64(columns[k])
            state.row_squares[j, lane] = squares[k]
            state.rows[j, lane] += c * steps[k]
    return moved


@compiled
def move_curves(state, tile, constants, n, y, curve_inverse):
    moved = False
    scalars, places = tile.scalars, tile.places
    scalars[INV] = curve_inverse
    na = len(constants.row_steps)
    for lane in range(len(constants.curve_steps)):
        eta = constants.curve_steps[lane]
        ym = y * tile.margins[na + lane]
        if ym >= 1.0:
            continue
        moved = True
        scalars[GAIN] = 1.0
        ls, lt, rs, rt = tile.lanes[0], tile.lanes[1], tile.lanes[2], tile.lanes[3]
        for k in range(n):
            s = np.uint64(places[k])
            ls[k] = state.curve_squares[s, lane]
            rs[k] = state.curve_squares[s + np.uint64(1), lane]
        pull = np.float64(widen(ls, tile.values[LEFT], lt, scalars, n))
        pull += np.float64(widen(rs, tile.values[RIGHT], rt, scalars, n))
        scalars[MOVE] = y * min(eta, (1.0 - ym) / pull)
        c = scalars[MOVE]
        for k in range(n):
            s = np.uint64(places[k])
            r = s + np.uint64(1)
            state.curve_squares[s, lane] = ls[k]
            state.curve_squares[r, lane] = rs[k]
            state.curves[s, lane] += c * lt[k]
            state.curves[r, lane] += c * rt[k]
    return moved


@compiled
def move_coin(state, tile, constants, n, y):
    na = len(constants.row_steps)
    nh = len(constants.curve_steps)
    g = sigmoid(-y * tile.margins[na + nh])
    if g <= constants.negligible:
        return False
    scalars = tile.scalars
    scalars[GAIN] = y * g
    scalars[MOVE] = constants.wealth
    scalars[INV] = 1.0
    push = scalars[GAIN]
    start = scalars[MOVE]
    one = scalars[INV]
    for k in range(n):
        s = np.uint64(tile.places[k])
        for side in range(2):
            r = s + np.uint64(side)
            c = push * tile.values[LEFT + side, k]
            w = state.curves[r, nh]
            won = state.coins[r, WEALTH] + c * w
            won = won if won > -start else -start
            theta = state.coins[r, THETA] + c
            reach = state.coins[r, REACH] + abs(c)
            state.coins[r, WEALTH] = won
            state.coins[r, THETA] = theta
            state.coins[r, REACH] = reach
            state.curves[r, nh] = (start + won) * theta / (one + reach)
    return True


@compiled
def log_step(n):
    """ln((n + 1)/n)."""
    if n < 16.0:
        return math.log((n + 1.0) / n)
    t = 1.0 / (2.0 * n + 1.0)
    s = t * t
    return 2.0 * t * (1.0 + s * (1.0 / 3.0 + s * (0.2 + s * (1.0 / 7.0))))


@compiled
def remember(state, tile, n, y):
    """Write down the statistics, and count the features present for naive Bayes."""
    moments = state.moments
    exact = tile.exact
    seen = POSITIVE if y > 0.0 else NEGATIVE
    for k in range(n):
        j = np.uint64(tile.columns[k])
        moments[j, MEAN] = exact[MU, k]
        moments[j, SPREAD] = exact[Q, k]
        count = moments[j, seen] + 1.0
        moments[j, seen] = count
        moments[j, ODDS] += y * log_step(count)


def play_panel(mark: str) -> Any:
    @kernel(mark)
    def play_panel(view, constants, state, tile, observer, rows, targets):
        numbers = state.numbers
        tile.scalars[LEAST] = TINY
        for i in range(targets.size):
            y = targets[i]
            lo = begin(rows, i)
            hi = end(rows, i)
            n, square, low, high, odds = gather(state, tile, rows, lo, hi)
            if not square < math.inf:
                return i
            row_square, curve_square = describe(view, constants, tile, n)
            lengths = numbers[LENGTHS] + curve_square
            coin_scale = (numbers[ROUNDS] + 1.0) / lengths
            row_inverse = 1.0 / math.sqrt(row_square)
            curve_inverse = 1.0 / math.sqrt(curve_square)
            consult(state, tile, constants, n, row_inverse, curve_inverse, odds, coin_scale)
            score = stack_score(state, tile, constants)
            e = math.exp(-abs(score))
            m = y * score
            paid = max(0.0, -m) + math.log1p(e)
            p = (1.0 if score > 0.0 else e) / (1.0 + e)
            g = (1.0 if y > 0.0 else 0.0) - p
            moved = False
            if abs(g) >= constants.negligible:
                moved = True
                stack_move(state, tile, constants, g, max(p * (1.0 - p), constants.variance))
            moved |= move_rows(state, tile, constants, n, y, row_inverse)
            moved |= move_curves(state, tile, constants, n, y, curve_inverse)
            moved |= move_coin(state, tile, constants, n, y)
            remember(state, tile, n, y)
            numbers[LENGTHS] = lengths
            numbers[ROUNDS] += 1.0
            numbers[POSITIVES if y > 0.0 else NEGATIVES] += 1.0
            note(
                observer,
                Round(y, score, paid, m <= 0.0, moved, 0.0, square, low, high, 0.0, 0.0, 0.0),
            )
        return targets.size

    return play_panel
