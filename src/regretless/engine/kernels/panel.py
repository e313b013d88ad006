"""The panel's loop: members and stack, fused over one pass of a row.

    moments -> views -> margins -> score; then y: the stack moves, the members move

The row is first brought into a tile of short arrays that stay in the nearest cache, so
that square roots and divisions are taken eight at a time. The views of a row depend on
the rows before it, but not on what anyone has learned from them. So a tile holds some
rows, all of which are viewed before the first one is played; and while one is played,
the weights of the next are on their way from memory.
"""

# An intrinsic is called with one argument less than its code takes.
# pyright: reportCallIssue=false

from __future__ import annotations

import math
from typing import Any

from ...parts.generic import compiled
from ...parts.losses import Logistic, value
from ...parts.observers import PlayedRound, note
from ...parts.panel.entering import enter_row, leave_row
from ...parts.panel.forest import is_live
from ...parts.panel.growing import end_round
from ...parts.panel.leaf_weights import refine, weigh_leaves
from ...parts.panel.members import bet, consult, move_curves, move_rows
from ...parts.panel.row_views import describe, gather, remember
from ...parts.panel.stack import combine, learn_stack
from ...parts.panel.state import (
    COUNT,
    CURVE_SQUARE,
    FIRST,
    HIGH,
    LEAST,
    LENGTHS,
    LINE,
    LOW,
    NEGATIVES,
    ODDS,
    ONE,
    POSITIVES,
    ROUNDS,
    ROW_SQUARE,
    SQUARE,
    TERMS,
    Tile,
    filled,
)
from ...parts.rows import begin, column, end
from .compiled import kernel
from .prefetch import prefetch
from .vectors import total


@compiled
def prepare(constants: Any, tile: Any) -> None:
    """Constants of the weights' own type."""
    tile.scalars[LEAST] = constants.smallest
    tile.scalars[ONE] = 1.0


@compiled
def one_row(tile: Any, first: int, full: int) -> Tile:
    """The tile of a single row."""
    last = first + full
    return Tile(
        tile.columns[first:last],
        tile.values[first:last],
        tile.places[first:last],
        tile.lefts[first:last],
        tile.rights[first:last],
        tile.facts,
        tile.exact,
        tile.lanes,
        tile.scalars,
        tile.margins,
        tile.inputs,
        tile.leads,
    )


@compiled
def seated(row: Any, margins: Any, inputs: Any) -> Tile:
    """The same row with its own room for what members say of it, and for the stack."""
    return Tile(
        row.columns,
        row.values,
        row.places,
        row.lefts,
        row.rights,
        row.facts,
        row.exact,
        row.lanes,
        row.scalars,
        margins,
        inputs,
        row.leads,
    )


@compiled
def lengths_of(facts: Any) -> tuple[float, float]:
    """The lengths of a row in both views."""
    return (math.sqrt(facts[ROW_SQUARE]), math.sqrt(facts[CURVE_SQUARE]))


@compiled
def presence(exact: Any, first: int, full: int) -> float:
    """The sum of ln((n+ + 1)/(n- + 1)) over the features of a row: naive Bayes' odds.

    n+ and n- are the rows of either label that had the feature; their terms begin at
    `first`. The order is one that no compiler chooses: a panel of one class among many
    says what it would say alone, to the last bit.
    """
    return total(exact[TERMS, first:], full // LINE)


@compiled
def survey(
    view: Any,
    constants: Any,
    state: Any,
    tile: Any,
    rows: Any,
    targets: Any,
    start: int,
) -> int:
    """View rows from `start` on, as many as the tile holds, and remember their moments.

    Returns how many there are. The first row of a tile that is not finite ends it.
    """
    facts = tile.facts
    most = min(facts.shape[0], targets.size - start)
    first = 0
    for r in range(most):
        lo, hi = begin(rows, start + r), end(rows, start + r)
        if r + 1 < most:
            later = end(rows, start + r + 1)
            for k in range(hi, later):
                prefetch(state.moments, column(rows, k, hi, later) + 1)
        room = filled(hi - lo + 1)
        if first + room > tile.columns.size:
            return r
        row = one_row(tile, first, room)
        n, full, square, low, high = gather(state, row, rows, lo, hi)
        if not square < math.inf:
            return r
        row_square, curve_square = describe(view, constants, row, full)
        odds = presence(row.exact, 0, full)
        remember(state, row, n, targets[start + r])
        facts[r, FIRST] = first
        facts[r, COUNT] = n
        facts[r, SQUARE] = square
        facts[r, LOW] = low
        facts[r, HIGH] = high
        facts[r, ROW_SQUARE] = row_square
        facts[r, CURVE_SQUARE] = curve_square
        facts[r, ODDS] = odds
        first += full
    return most


@compiled
def fetch(state: Any, tile: Any, r: int) -> None:
    """Ask for what is known of the slots of row `r` of a tile.

    Its features are near already: the survey has just looked at their moments.
    """
    first, n = int(tile.facts[r, FIRST]), int(tile.facts[r, COUNT])
    for k in range(first, first + n):
        prefetch(state.curves, tile.places[k])
        prefetch(state.curves, tile.places[k] + 1)


@compiled
def learn(
    constants: Any,
    state: Any,
    row: Any,
    n: int,
    lengths: tuple[float, float],
    score: float,
    y: float,
    c: float,
) -> bool:
    """Move the stack and the members, as after a row of weight `c` and label `y`."""
    moved = learn_stack(constants, state, row, score, y, c)
    full = filled(n)
    moved |= move_rows(constants, state, row, n, full, y, lengths[0], c)
    moved |= move_curves(constants, state, row, n, full, y, lengths[1], c)
    moved |= bet(constants, state, row, n, y, c)
    count(state, y)
    return moved


@compiled
def count(state: Any, y: float) -> None:
    """One more round with this label."""
    state.numbers[ROUNDS] += 1.0
    state.numbers[POSITIVES if y > 0.0 else NEGATIVES] += 1.0


@compiled
def enter(
    observer: Any, facts: Any, score: float, y: float, c: float, moved: bool
) -> float:
    """Tell the observer of a round; return what it cost."""
    paid = c * value(Logistic(), score, y)
    mistake = y * score <= 0.0
    known = (facts[SQUARE], facts[LOW], facts[HIGH])
    note(
        observer,
        PlayedRound(y, score, paid, mistake, moved, 0.0, *known, 0.0, 0.0, 0.0),
    )
    return paid


@kernel
def play_panel(
    view: Any,
    constants: Any,
    state: Any,
    tile: Any,
    forest: tuple[Any, Any, Any, Any],
    observer: Any,
    rows: Any,
    targets: Any,
    weights: Any,
) -> int:
    """Play rows with a panel; how many were played.

    `forest` are its kind, its settings, its state, and room for a row.

    Last come the weights, by which the loss of a row is multiplied for the stack and
    all members but naive Bayes, which counts; they are empty where all are 1.
    It returns the number of rows played; fewer than given mean that the next one is not
    finite, and that nothing of it has been learned.
    """
    prepare(constants, tile)
    facts = tile.facts
    kind, settings, trees, forest_row = forest
    i = 0
    while i < targets.size:
        seen = survey(view, constants, state, tile, rows, targets, i)
        if seen == 0:
            return i
        for r in range(seen):
            if r + 1 < seen:
                fetch(state, tile, r + 1)
            y = targets[i]
            c = weights[i] if weights.size > 0 else 1.0
            i += 1
            n = int(facts[r, COUNT])
            row = one_row(tile, int(facts[r, FIRST]), filled(n))
            lengths = lengths_of(facts[r])
            consult(constants, state, row, n, lengths, facts[r, ODDS])
            base = score = combine(constants, state, row)
            live = is_live(trees)
            found = 0
            if live:
                found = enter_row(trees, forest_row, rows, i - 1)
                score = refine(settings, constants, trees, forest_row, found, 0, base)
            if not abs(base) + abs(score) < math.inf:  # the weights have overflowed
                leave_row(trees, forest_row, found)
                return i - 1

            moved = learn(constants, state, row, n, lengths, base, y, c)
            state.numbers[LENGTHS] += facts[r, CURVE_SQUARE]
            if live:
                moved |= weigh_leaves(
                    settings, constants, trees, forest_row, 0, score, y, c
                )
                end_round(trees, kind, settings, forest_row, found, y)
            enter(observer, facts[r], score, y, c, moved)
    return i


@kernel
def score_panel(
    view: Any,
    constants: Any,
    state: Any,
    tile: Any,
    forest: tuple[Any, Any, Any, Any],
    rows: Any,
    out: Any,
    margins: Any,
) -> None:
    """Score rows with a panel, and learn nothing.

    The score of every row, as the first row after this state would be predicted; the
    members' margins too, and what the second stack is given, where there is room. A row
    that is not finite scores nan.
    """
    prepare(constants, tile)
    _, settings, trees, forest_row = forest
    for i in range(out.size):
        n, full, square, _, _ = gather(state, tile, rows, begin(rows, i), end(rows, i))
        if not square < math.inf:
            out[i] = math.nan
            continue
        row_square, curve_square = describe(view, constants, tile, full)
        lengths = (math.sqrt(row_square), math.sqrt(curve_square))
        consult(constants, state, tile, n, lengths, presence(tile.exact, 0, full))
        out[i] = combine(constants, state, tile)
        if is_live(trees):
            found = enter_row(trees, forest_row, rows, i)
            out[i] = refine(settings, constants, trees, forest_row, found, 0, out[i])
            leave_row(trees, forest_row, found)
        if margins.size > 0:
            members = tile.margins.size
            for k in range(margins.shape[1]):
                own = k < members
                margins[i, k] = (
                    tile.margins[k] if own else forest_row.margins[0, k - members]
                )
