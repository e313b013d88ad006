"""Rows as hats: z = (x - mean)/deviation, spread over the two nearest of seven knots.

Means and deviations are over all rows so far, this one included, and a feature that is
not there is 0: so a row has hats of all features that have come, in the order in which
they came. Column 0 is the bias; the k-th feature has the columns 7 k + 1 to 7 k + 7. A
feature that has always had the same value has none.

On hats play three trackers (:mod:`...parts.regression`), which share G, and a ridge
regression, w = (I + sum c x x')^-1 sum c y x. Its sums are exact; the weights are
solved for again when the rounds have grown by an eighth.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...parts.generic import compiled
from ...parts.panel.row_views import KNOTS, LIMIT, TICK, TICKS
from ...parts.panel.state import MEAN, SPREAD
from ...parts.regression import FIRST, KNOWN, RIDGE, ROUNDS, SOLVED
from ...parts.rows import begin, column, end, entry
from .compiled import kernel

LAG = 8  # so many rows may have one more behind them that is not solved for
SUMS: Any = {"fastmath": {"reassoc", "contract"}, "forceinline": False}


@kernel
def curve_rows(
    state: Any,
    room: Any,
    rates: tuple[float, float, float],
    limits: tuple[int, int],
    sums: Any,
    rows: Any,
    targets: Any,
    weights: Any,
    said: Any,
    few: Any,
) -> int:
    """Play rows with the members on curves, who count from the first label.

    Rows up to the one after which more than the second limit of features have come are
    played; their number is returned. ``few[i]`` is whether there have been no more than
    the first limit with row i: as long as that is so, ridge regression plays. What
    member k says of row i is ``said[i, k]``.
    """
    numbers = state.numbers
    for i in range(targets.size):
        if numbers[ROUNDS] == 0.0:
            sums[FIRST] = targets[i]
        enter(state, room, rows, i)
        count = write_hats(state, room, int(numbers[KNOWN]), True)
        leave(room, rows, i)
        numbers[ROUNDS] += 1.0
        few[i] = numbers[KNOWN] <= limits[0]
        say(state, room, count, said[i])
        y, c = targets[i] - sums[FIRST], weights[i] if weights.size > 0 else 1.0
        track(state, room, count, rates, said[i], y, c)
        if few[i]:
            add_row(state, room, count, y, c)
            if numbers[ROUNDS] >= numbers[SOLVED] + numbers[SOLVED] // LAG + 1.0:
                solve(state, room, KNOTS * int(numbers[KNOWN]) + 1)
                numbers[SOLVED] = numbers[ROUNDS]
        if numbers[KNOWN] > limits[1]:
            return i + 1
    return targets.size


@kernel
def curve_scores(
    state: Any, room: Any, limits: tuple[int, int], rows: Any, said: Any, few: Any
) -> None:
    """Say what the members would say of rows, each as if it came next.

    Nothing is remembered. There is no weight for a feature that is new, so it has no
    hats.
    """
    for i in range(few.size):
        known = state.numbers[KNOWN]
        enter(state, room, rows, i)
        count = write_hats(state, room, int(known), False)
        say(state, room, count, said[i])
        few[i] = state.numbers[KNOWN] <= limits[0]
        leave(room, rows, i)
        for k in range(int(known), int(state.numbers[KNOWN])):
            room.places[state.order[k]] = 0
        state.numbers[KNOWN] = known


@compiled
def enter(state: Any, room: Any, rows: Any, i: int) -> None:
    """Lay a row out by features; new ones go to the end of the list of all features."""
    lo, hi = begin(rows, i), end(rows, i)
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        if x != 0.0:
            j = int(column(rows, k, lo, hi))
            if room.places[j] == 0 and state.numbers[KNOWN] < state.order.size:
                state.order[int(state.numbers[KNOWN])] = j
                state.numbers[KNOWN] += 1.0
                room.places[j] = int(state.numbers[KNOWN])
            room.values[j] = x


@compiled
def leave(room: Any, rows: Any, i: int) -> None:
    """Make the room empty again."""
    lo, hi = begin(rows, i), end(rows, i)
    for k in range(lo, hi):
        room.values[int(column(rows, k, lo, hi))] = 0.0


@compiled
def write_hats(state: Any, room: Any, known: int, learning: bool) -> int:
    """Write the bias and the first features' hats of the row that has entered.

    They come in pairs, side by side, of which one may be 0.
    """
    moments, share = state.moments, 1.0 / (state.numbers[ROUNDS] + 1.0)
    columns, hats = room.columns, room.hats
    columns[0] = 0
    hats[0] = 1.0
    at = 1
    for k in range(known):
        x = room.values[state.order[k]]
        gap = x - moments[k, MEAN]
        mean = moments[k, MEAN] + gap * share
        spread = moments[k, SPREAD] + gap * (x - mean)
        if learning:
            moments[k, MEAN] = mean
            moments[k, SPREAD] = spread
        deviation = math.sqrt(spread * share)
        if not deviation > 0.0:
            continue
        z = min(LIMIT, max(-LIMIT, (x - mean) / deviation))  # nan is -LIMIT
        z = math.floor((z + LIMIT) * TICKS + 0.5) * TICK
        slot = min(int(z), KNOTS - 2)
        right = z - slot
        columns[at] = KNOTS * k + slot + 1
        columns[at + 1] = KNOTS * k + slot + 2
        hats[at] = 1.0 - right
        hats[at + 1] = right
        at += 2
    return at


@compiled
def say(state: Any, room: Any, count: int, said: Any) -> None:
    """Write down what every member says of the hats."""
    weights = state.weights
    a = b = c = d = 0.0  # of the three trackers, and of ridge regression
    for k in range(count):
        j, x = np.uint64(room.columns[k]), room.hats[k]
        a += weights[j, 0] * x
        b += weights[j, 1] * x
        c += weights[j, 2] * x
        d += weights[j, 3] * x
    said[0], said[1], said[2], said[3] = a, b, c, d


@compiled
def track(
    state: Any,
    room: Any,
    count: int,
    rates: tuple[float, float, float],
    said: Any,
    y: float,
    c: float,
) -> None:
    """Move the trackers."""
    columns, hats, steps = room.columns, room.hats, room.steps
    squares, weights = state.squares, state.weights
    pull = 0.0
    for k in range(count):
        j, x = np.uint64(columns[k]), hats[k]
        square = squares[j] + c * x * x
        squares[j] = square
        step = x / math.sqrt(square) if square > 0.0 else 0.0
        steps[k] = step
        pull += x * step
    for lane in range(len(rates)):
        eta = c * rates[lane]
        move = eta * (y - said[lane]) / (1.0 + eta * pull)
        for k in range(count):
            weights[np.uint64(columns[k]), lane] += move * steps[k]


@compiled
def add_row(state: Any, room: Any, count: int, y: float, c: float) -> None:
    """Add a row to the sums of ridge regression: below the diagonal, and on it.

    The bias first, then pairs of hats; what the last pair adds above is not used.
    """
    columns, hats, gram = room.columns, room.hats, state.gram
    for k in range(count):
        j, x = np.uint64(columns[k]), c * hats[k]
        state.products[j] += x * y
        gram[j, 0] += x
        for m in range(1, k + 1, 2):
            i = np.uint64(columns[m])
            gram[j, i] += x * hats[m]
            gram[j, i + np.uint64(1)] += x * hats[m + 1]


@compiled
def solve(state: Any, room: Any, size: int) -> None:
    """The weights of ridge regression, by Cholesky's factors, of columns that came."""
    L, met, z = room.factor, room.met, room.solution
    n = 0
    for j in range(size):
        if state.gram[j, j] > 0.0:
            met[n] = j
            n += 1
    for a in range(n):
        row, line = L[a], state.gram[met[a]]
        z[a] = state.products[met[a]]
        for b in range(a):
            row[b] = (line[met[b]] - dot(row, L[b], b)) * L[b, b]
        # Nothing but rounding makes a pivot smaller than 1. Kept is 1/L_aa.
        row[a] = 1.0 / math.sqrt(max(1.0, 1.0 + line[met[a]] - dot(row, row, a)))
        z[a] = (z[a] - dot(row, z, a)) * row[a]
    for a in range(n - 1, -1, -1):
        z[a] *= L[a, a]
        subtract(z, L[a], a, z[a])
    for a in range(n):
        if not abs(z[a]) < math.inf:  # sums that overflow: the weights stay
            return
    for a in range(n):
        state.weights[met[a], RIDGE] = z[a]


@compiled(**SUMS)
def dot(a: Any, b: Any, n: int) -> float:
    """The sum of a_k b_k over the first n."""
    total = 0.0
    for k in range(n):
        total += a[k] * b[k]
    return total


@compiled(**SUMS)
def subtract(a: Any, b: Any, n: int, times: float) -> None:
    """Take `times` b from the first n entries of a."""
    for k in range(n):
        a[k] -= times * b[k]
