"""Panels of many classes: a row is viewed once, then every class plays it.

    moments -> views; of each class: margins -> score; then all of them learn
    all margins and scores -> the mixture, which predicts

Each class is played as :mod:`regretless.engine.kernels.panel` would play it alone, to
the last bit. All have scored a row before the first one learns from it, so that a row
that one of them refuses has taught none of them.
"""

# An intrinsic is called with one argument less than its code takes.
# pyright: reportCallIssue=false

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...parts.generic import compiled
from ...parts.observers import Statistics
from ...parts.panel.class_mixture import learn_mixture, mix
from ...parts.panel.entering import enter_row, leave_row
from ...parts.panel.forest import is_live
from ...parts.panel.growing import end_round
from ...parts.panel.leaf_weights import refine, weigh_leaves
from ...parts.panel.members import consult
from ...parts.panel.row_views import compare, describe, gather, slots
from ...parts.panel.shortlist import (
    is_ranked,
    list_classes,
    rank_all,
    rank_classes,
    say_odds,
)
from ...parts.panel.stack import combine
from ...parts.panel.state import (
    COUNT,
    CURVE_SQUARE,
    FIRST,
    LENGTHS,
    MINUS,
    PLUS,
    PanelState,
    filled,
)
from ...parts.rows import begin, end
from .compiled import kernel
from .multiclass import tell
from .panel import (
    enter,
    learn,
    lengths_of,
    one_row,
    prepare,
    presence,
    seated,
    survey,
)
from .prefetch import prefetch


@compiled
def to_records(view: Any, columns: Any, places: Any, full: int, lanes: int) -> None:
    """From features to records: a feature has one a lane, and slots for each."""
    for k in range(full):
        places[k] += columns[k] * slots(view) * (lanes - 1)
        columns[k] *= lanes


@compiled
def lane_state(view: Any, panels: Any, lane: int) -> PanelState:
    """The panel of one lane, without a copy."""
    return PanelState(
        panels.moments,
        panels.rows[lane:],
        panels.curves[lane * slots(view) :],
        panels.stack[lane],
        panels.covariance[lane],
        panels.numbers[lane],
    )


@compiled
def fetch_lane(state: Any, row: Any, n: int) -> None:
    """Ask for what a lane knows of the features of a row."""
    for k in range(n):
        prefetch(state.rows, row.columns[k])
        prefetch(state.curves, row.places[k])
        prefetch(state.curves, row.places[k] + 1)


@compiled
def compare_lanes(panels: Any, row: Any, n: int, lanes: Any, listed: bool) -> None:
    """Write the terms of the odds of some lanes, one after the other.

    Of lanes that are listed, only rows of their own class are counted: all others that
    had a feature are of the rest.
    """
    counts, exact, full = panels.counts, panels.exact, filled(n)
    for k in range(n):
        seen = row.exact[MINUS, k] + row.exact[PLUS, k]
        for at in range(lanes.size):
            j, k_at = np.uint64(row.columns[k] + lanes[at]), at * full + k
            mine = counts[j, 1]
            exact[MINUS, k_at] = seen - mine if listed else counts[j, 0]
            exact[PLUS, k_at] = mine
    for at in range(lanes.size):
        for k in range(at * full + n, (at + 1) * full):
            exact[MINUS, k] = 0.0
            exact[PLUS, k] = 0.0
    compare(exact, lanes.size * full)


@compiled
def count_label(panels: Any, row: Any, n: int, lane: int, label: int) -> None:
    """One more row with this label (1 or 0) that had these features."""
    counts = panels.counts
    for k in range(n):
        counts[np.uint64(row.columns[k] + lane), label] += 1.0


@compiled
def score_lanes(
    view: Any,
    constants: Any,
    panels: Any,
    row: Any,
    n: int,
    lengths: tuple[float, float],
    lanes: Any,
    first: int,
    listed: bool,
) -> bool:
    """Write down what some lanes say of a row; whether all of it is finite.

    `lanes` are their numbers; what the first of them says is written to place `first`.
    """
    finite = True
    full = filled(n)
    compare_lanes(panels, row, n, lanes, listed)
    fetch_lane(lane_state(view, panels, lanes[0]), row, n)
    for at in range(lanes.size):
        if at + 1 < lanes.size:
            fetch_lane(lane_state(view, panels, lanes[at + 1]), row, n)
        state = lane_state(view, panels, lanes[at])
        place = first + at
        seat = seated(row, panels.margins[place], panels.inputs[place])
        odds = presence(panels.exact, at * full, full)
        consult(constants, state, seat, n, lengths, odds)
        score = combine(constants, state, seat)
        panels.scores[place] = score
        finite &= abs(score) < math.inf
    return finite


@compiled
def refine_lanes(
    constants: Any,
    forest: tuple[Any, Any, Any, Any],
    entered: int,
    scores: Any,
    lanes: tuple[int, int],
) -> bool:
    """Let the forest change the scores of a row; whether all of it is finite."""
    _, settings, trees, forest_row = forest
    finite = True
    for lane in range(lanes[0], lanes[1]):
        scores[lane] = refine(
            settings, constants, trees, forest_row, entered, lane, scores[lane]
        )
        finite &= abs(scores[lane]) < math.inf
    return finite


@compiled
def learn_lanes(
    view: Any,
    constants: Any,
    panels: Any,
    row: Any,
    facts: Any,
    forest: tuple[Any, Any, Any, Any],
    example: tuple[int, float, float],
    lanes: Any,
    first: int,
    classes: int,
) -> float:
    """Let some lanes learn the row that they have scored; what all have paid so far.

    `example` is its label, its weight and what the lanes before have paid; `lanes` and
    `first` are as of :func:`score_lanes`. Lanes from `classes` on are no class.
    """
    _, settings, trees, forest_row = forest
    label, c, paid = example
    n, curve_square = int(facts[COUNT]), facts[CURVE_SQUARE]
    lengths = lengths_of(facts)
    live = is_live(trees)
    for at in range(lanes.size):
        lane, place = lanes[at], first + at
        y = 1.0 if lane == label else -1.0
        state = lane_state(view, panels, lane)
        seat = seated(row, panels.margins[place], panels.inputs[place])
        score = panels.scores[place]
        base = forest_row.margins[lane, 0] if live else score
        moved = learn(constants, state, seat, n, lengths, base, y, c)
        if live:
            moved |= weigh_leaves(
                settings, constants, trees, forest_row, lane, score, y, c
            )
        state.numbers[LENGTHS] += curve_square
        count_label(panels, row, n, lane, 1 if y > 0.0 else 0)
        statistics = Statistics(
            panels.statistic_counts[lane],
            panels.statistic_sums[lane],
            panels.statistic_curves[lane],
        )
        alone = enter(statistics, facts, score, y, c, moved)
        if lane < classes:
            paid += alone
    return paid


@compiled
def keep_said(panels: Any, lanes: Any, scores: Any, margins: Any) -> None:
    """Copy what some lanes have just said of a row."""
    for lane in lanes:
        scores[lane] = panels.scores[lane]
        for k in range(margins.shape[1]):
            margins[lane, k] = panels.margins[lane, k]


@kernel
def play_class_panels(
    view: Any,
    constants: Any,
    panels: Any,
    tile: Any,
    forest: tuple[Any, Any, Any, Any],
    said: tuple[Any, Any, Any],
    rows: Any,
    targets: Any,
    importance: Any,
    lanes: tuple[int, int, int, int],
) -> int:
    """Play rows with some lanes; how many were played.

    Parameters
    ----------
    forest : tuple
        Its kind, its settings, its state, and room for a row.
    said : tuple
        Room for what lanes say of each row: their scores, their members' margins, and
        what they have paid together.
    rows : rows
        With features as the lanes number them.
    lanes : (int, int, int, int)
        The first and the last of them, how many of all are classes, and how many lanes
        there are. The first lanes view the rows, the others find them in the tile; so
        the first ones play no more than the tile holds, unless they are all.

    Returns
    -------
    int
        Fewer rows than given mean that the tile is full, or that the next row is
        refused, and that no class has learned from it.
    """
    prepare(constants, tile)
    facts, (scores, margins, losses) = tile.facts, said
    kind, settings, trees, forest_row = forest
    first, last, classes, active = lanes
    playing = panels.lanes[first:last]
    ranked = first == 0 and is_ranked(panels, classes)
    i = 0
    while i < targets.size:
        seen = targets.size
        if first == 0:
            seen = survey(view, constants, panels, tile, rows, targets, i)
        if seen == 0:
            return i
        for r in range(seen):
            label = int(targets[i])
            c = importance[i] if importance.size > 0 else 1.0
            n = int(facts[r, COUNT])
            row = one_row(tile, int(facts[r, FIRST]), filled(n))
            if first == 0:
                to_records(view, row.columns, row.places, filled(n), panels.scores.size)
            lengths = lengths_of(facts[r])
            finite = score_lanes(
                view, constants, panels, row, n, lengths, playing, first, False
            )
            live = is_live(trees)
            found = 0
            if live:
                found = enter_row(trees, forest_row, rows, i)
                some = (first, last)
                finite &= refine_lanes(constants, forest, found, panels.scores, some)
            if not finite:
                leave_row(trees, forest_row, found)
                return i

            keep_said(panels, playing, scores[i], margins[i])
            if ranked:
                rank_all(panels, row, n, lengths[0], classes, (label, c))
            example = (label, c, losses[i] if first > 0 else 0.0)
            losses[i] = learn_lanes(
                view,
                constants,
                panels,
                row,
                facts[r],
                forest,
                example,
                playing,
                first,
                classes,
            )
            if live:
                end_round(trees, kind, settings, forest_row, found, targets[i])
            i += 1
        if last < active:
            return i
    return i


@kernel
def decide(
    constants: Any,
    mixture: Any,
    notes: tuple[Any, Any, Any],
    said: tuple[Any, Any, Any],
    targets: Any,
    importance: Any,
    known: tuple[int, int],
) -> int:
    """Predict rows that all lanes have played, judge them, and learn from that.

    `notes` are an observer, confusions, a trace; `said` is what lanes have said of rows
    before, as of :func:`play_class_panels`; `known` as of ``play_one_versus_rest``.
    """
    observer, confusion, trace = notes
    scores, margins, losses = said
    candidates, classes = known
    for i in range(targets.size):
        c = importance[i] if importance.size > 0 else 1.0
        mix(constants, mixture, margins[i], scores[i], candidates, scores[i])
        told = (scores[i], candidates)
        tell(observer, confusion, trace, i, targets[i], told, losses[i])
        learn_mixture(constants, mixture, candidates, int(targets[i]), c)
        candidates = classes
    return targets.size


@kernel
def score_class_panels(
    view: Any,
    constants: Any,
    panels: Any,
    tile: Any,
    forest: tuple[Any, Any, Any, Any],
    mixture: Any,
    rows: Any,
    listed: bool,
    out: Any,
) -> None:
    """Score rows, and learn nothing: all lanes do, or those that are `listed`.

    They do as in ``play_class_panels`` and ``play_shortlist``. A row of `out` a row, a
    column a class. A row that is not finite scores nan.
    """
    prepare(constants, tile)
    _, _, trees, forest_row = forest
    n_rows, classes = out.shape
    for i in range(n_rows):
        lo, hi = begin(rows, i), end(rows, i)
        n, full, square, _, _ = gather(panels, tile, rows, lo, hi)
        if not square < math.inf:
            out[i, :] = math.nan
            continue
        row_square, curve_square = describe(view, constants, tile, full)
        to_records(view, tile.columns, tile.places, full, panels.scores.size)
        lengths = (math.sqrt(row_square), math.sqrt(curve_square))
        some, said = panels.lanes[:classes], out[i]
        if listed:
            rank_classes(panels, tile, n, lengths[0], classes)
            some = panels.shortlist[: list_classes(panels, classes)]
            said = panels.odds[0]
        score_lanes(view, constants, panels, tile, n, lengths, some, 0, listed)
        if is_live(trees):
            found = enter_row(trees, forest_row, rows, i)
            refine_lanes(constants, forest, found, panels.scores, (0, classes))
            leave_row(trees, forest_row, found)
        mix(constants, mixture, panels.margins, panels.scores, some.size, said)
        if listed:
            say_odds(panels, said, some.size, classes, out[i])
