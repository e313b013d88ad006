"""Rows as hats: z = (x - mean)/deviation, spread over the two nearest of seven knots.

Means and deviations are over all rows so far, this one included, and a feature that is
not there is 0: so a row has hats of all features that have come, in the order in which
they came. The k-th of them has the columns 7 k to 7 k + 6. A feature that has always
had the same value has none.
"""

from __future__ import annotations

import math
from typing import Any

from ...parts.generic import compiled
from ...parts.panel.row_views import LIMIT, TICK, TICKS
from ...parts.panel.state import MEAN, SPREAD
from ...parts.regression import KNOTS, KNOWN, ROUNDS
from ...parts.rows import begin, column, end, entry
from .compiled import kernel

__all__ = ["hat_rows", "score_hats"]


@kernel
def hat_rows(
    state: Any, limits: tuple[int, int], rows: Any, n: int, hats: Any, few: Any
) -> int:
    """Write rows as hats, and remember them.

    Rows up to the one after which more than the second limit of features have come are
    written; their number is returned. ``few[i]`` is whether there have been no more
    than the first limit with row i.
    """
    at = 0
    hats.starts[0] = 0
    for i in range(n):
        enter(state, rows, i)
        at = write_hats(state, hats, at, int(state.numbers[KNOWN]), True)
        state.numbers[ROUNDS] += 1.0
        leave(state, rows, i)
        hats.starts[i + 1] = at
        few[i] = state.numbers[KNOWN] <= limits[0]
        if state.numbers[KNOWN] > limits[1]:
            return i + 1
    return n


@kernel
def score_hats(
    state: Any, limits: tuple[int, int], rows: Any, n: int, hats: Any, few: Any
) -> int:
    """Write rows as hats, each as if it came next; nothing is remembered.

    Nobody has a weight for a feature that is new, so it has no hats.
    """
    at = 0
    hats.starts[0] = 0
    for i in range(n):
        known = state.numbers[KNOWN]
        enter(state, rows, i)
        at = write_hats(state, hats, at, int(known), False)
        few[i] = state.numbers[KNOWN] <= limits[0]
        leave(state, rows, i)
        for k in range(int(known), int(state.numbers[KNOWN])):
            state.places[state.order[k]] = 0
        state.numbers[KNOWN] = known
        hats.starts[i + 1] = at
    return n


@compiled
def enter(state: Any, rows: Any, i: int) -> None:
    """Lay a row out by features; new ones go to the end of the list of all features."""
    lo, hi = begin(rows, i), end(rows, i)
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        if x != 0.0:
            j = int(column(rows, k, lo, hi))
            if state.places[j] == 0 and state.numbers[KNOWN] < state.order.size:
                state.order[int(state.numbers[KNOWN])] = j
                state.numbers[KNOWN] += 1.0
                state.places[j] = int(state.numbers[KNOWN])
            state.values[j] = x


@compiled
def leave(state: Any, rows: Any, i: int) -> None:
    """Make the room empty again."""
    lo, hi = begin(rows, i), end(rows, i)
    for k in range(lo, hi):
        state.values[int(column(rows, k, lo, hi))] = 0.0


@compiled
def write_hats(state: Any, hats: Any, at: int, known: int, learning: bool) -> int:
    """Write the first features' hats in the row that has entered, from `at` on."""
    moments, met = state.moments, state.numbers[ROUNDS] + 1.0
    for k in range(known):
        x = state.values[state.order[k]]
        gap = x - moments[k, MEAN]
        mean = moments[k, MEAN] + gap / met
        spread = moments[k, SPREAD] + gap * (x - mean)
        if learning:
            moments[k, MEAN] = mean
            moments[k, SPREAD] = spread
        deviation = math.sqrt(spread / met)
        if not deviation > 0.0:
            continue
        z = min(max((x - mean) / deviation, -LIMIT), LIMIT)
        z = math.floor((z + LIMIT) * TICKS + 0.5) * TICK
        slot = min(int(z), KNOTS - 2)
        right = z - slot
        if right < 1.0:
            hats.columns[at] = KNOTS * k + slot
            hats.values[at] = 1.0 - right
            at += 1
        if right > 0.0:
            hats.columns[at] = KNOTS * k + slot + 1
            hats.values[at] = right
            at += 1
    return at
