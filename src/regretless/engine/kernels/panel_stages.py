"""A panel in two stages, so that two threads play it to the same bits.

Nothing that a member learns depends on the others, nor the trees on anybody's score.

    narrow rows   first: the trees grow         second: the panel, and the leaf weights
    wide rows     first: views, members on rows     second: members on curves, the stack

While the second stage plays a block of rows, the first one plays the next block.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...parts.generic import compiled
from ...parts.panel.forest import is_live
from ...parts.panel.grown_trees import grow
from ...parts.panel.members import (
    bet,
    consult_curves,
    consult_rows,
    move_curves,
    move_rows,
)
from ...parts.panel.stack import combine, learn_stack
from ...parts.panel.state import (
    COUNT,
    CURVE_SQUARE,
    FIRST,
    LENGTHS,
    ODDS,
    ROW_SQUARE,
    filled,
)
from ...parts.rows import begin, end, entry
from ...parts.state import Floats
from .compiled import kernel
from .panel import count, enter, fetch, one_row, prepare, seated, survey


class Said(NamedTuple):
    """What the members on rows said of a block of rows, and whether they moved."""

    margins: Floats  # [row, member]
    moved: Any  # [row]


@compiled
def is_finite(rows: Any, i: int) -> bool:
    """Whether a panel takes row `i`: as ``gather`` sees it."""
    lo, hi = begin(rows, i), end(rows, i)
    square = 0.0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        square += x * x
    return square < math.inf


@kernel
def grow_ahead(
    forest: tuple[Any, Any, Any, Any], grown: Any, rows: Any, targets: Any
) -> int:
    """Grow trees on rows; how many, until one is refused or the forest is given up."""
    kind, settings, trees, forest_row = forest
    for i in range(targets.size):
        if not is_live(trees) or not is_finite(rows, i):
            return i
        grow(trees, kind, settings, forest_row, grown, rows, i, targets[i])
    return targets.size


@kernel
def play_rows(
    view: Any,
    constants: Any,
    state: Any,
    tile: Any,
    said: Any,
    rows: Any,
    targets: Any,
    weights: Any,
) -> int:
    """View as many rows as the tile holds, and play them with the members on rows."""
    prepare(constants, tile)
    facts = tile.facts
    seen = survey(view, constants, state, tile, rows, targets, 0)
    for r in range(seen):
        y = targets[r]
        c = weights[r] if weights.size > 0 else 1.0
        n = int(facts[r, COUNT])
        full = filled(n)
        row = one_row(tile, int(facts[r, FIRST]), full)
        row = seated(row, said.margins[r], tile.inputs)
        length = math.sqrt(facts[r, ROW_SQUARE])
        consult_rows(constants, state, row, n, length, facts[r, ODDS])
        said.moved[r] = move_rows(constants, state, row, n, full, y, length, c)
        count(state, y)
    return seen


@kernel
def play_curves(
    constants: Any,
    state: Any,
    tile: Any,
    said: Any,
    observer: Any,
    targets: Any,
    weights: Any,
) -> int:
    """Play the rows of a tile with the members on curves and the stack; how many."""
    prepare(constants, tile)
    facts = tile.facts
    for r in range(targets.size):
        if r + 1 < targets.size:
            fetch(state, tile, r + 1)
        y = targets[r]
        c = weights[r] if weights.size > 0 else 1.0
        n = int(facts[r, COUNT])
        full = filled(n)
        row = one_row(tile, int(facts[r, FIRST]), full)
        row = seated(row, said.margins[r], tile.inputs)
        length = math.sqrt(facts[r, CURVE_SQUARE])
        consult_curves(constants, state, row, n, length)
        score = combine(constants, state, row)
        if not abs(score) < math.inf:  # the weights have overflowed
            return r

        moved = learn_stack(constants, state, row, score, y, c)
        moved |= said.moved[r]
        moved |= move_curves(constants, state, row, n, full, y, length, c)
        moved |= bet(constants, state, row, n, y, c)
        count(state, y)
        state.numbers[LENGTHS] += facts[r, CURVE_SQUARE]
        enter(observer, facts[r], score, y, c, moved)
    return targets.size
