"""Panels of many classes on two threads: some lanes view the rows, the others follow.

Each lane learns for itself, so that the first ones may be a block of rows ahead: they
view the rows and grow the trees, too. The last lanes judge the rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....parts.observers import Statistics
from ....parts.panel.forest import SETTINGS, new_row
from ....parts.panel.grown_trees import grown_trees, taken_over
from ....parts.panel.state import EXACT, LINE
from ....parts.panel.trials import Codes
from ....parts.rows import Longs, Rows, longest_of, some_rows
from ...kernels.class_panels import play_lanes
from ...kernels.compiled import entry
from ...kernels.multiclass import judge_rows
from ...kernels.panel_stages import grow_ahead
from ...memory import apart
from ..panel_stages import WIDE, seen
from ..stages import SLOTS, in_stages
from .class_player import Stretch

if TYPE_CHECKING:
    from .panels import PanelMembers

__all__ = ["play_side_by_side"]

ROWS = 256  # of a block
LANE_ROWS = 512  # of all lanes of a block together
SHORT = ("stack", "numbers", "margins", "inputs", "scores", "rounds", "sums")
VIEWS = 0.5  # what views cost, in lanes
TREES = 2.0  # and trees


def play_side_by_side(
    members: PanelMembers,
    observer: Statistics,
    confusion: Longs,
    piece: Stretch,
    numbered: Rows,
) -> tuple[int, float]:
    """Play a piece; how many rows were played, and the seconds.

    `numbered` are its rows, with features as the lanes number them.
    Fewer than given mean that the next one is refused, or the forest was given up.
    """
    rows, targets, importance = piece.rows, piece.targets, piece.importance
    forest, live, active = members.forest, members.has_forest, members.active
    view, constants, panels, tile = members.shared()
    longest, lanes = longest_of(rows), panels.scores.size
    size = min(ROWS, max(LINE, LANE_ROWS // active))
    if live:  # trees do not ask for room
        size = min(size, max(1, WIDE // (longest + 2 * LINE)))
    first_lanes = round((active - VIEWS - TREES * live) / 2)
    split = min(max(first_lanes, 1), active - 1)

    pattern = members.lanes.pattern
    entries = tile.exact.shape[1]
    behind = panels._replace(
        exact=np.zeros((EXACT, (active - split) * entries)),
        **{name: apart(getattr(panels, name)) for name in SHORT},
    )
    tiles = [pattern.new_tile(longest, WIDE, ROWS) for _ in range(SLOTS)]
    own = pattern.new_tile(longest, 0, 0)
    grown = grown_trees(forest, ROWS, SLOTS)
    sides = ((0, split, piece.known[1]), (split, active, piece.known[1]))
    numbers = [grown[0].numbers.copy() for _ in sides]
    seats = [new_row(SETTINGS, forest, 0, 0) for _ in sides]
    said = [(np.zeros((ROWS, lanes)), np.zeros(ROWS)) for _ in range(SLOTS)]
    trees = (Codes(), SETTINGS, forest, members.forest_row)

    def growing(slot: int, start: int, stop: int) -> tuple[Any, ...]:
        return trees, grown[slot], some_rows(rows, start, stop), targets[start:stop]

    def playing(side: int, slot: int, start: int, stop: int) -> tuple[Any, ...]:
        leaves = grown[slot]._replace(numbers=numbers[side], lanes=sides[side][:2])
        return (
            view,
            constants,
            behind if side else panels,
            seen(tiles[slot], own) if side else tiles[slot],
            (Codes(), SETTINGS, leaves, seats[side]),
            said[slot],
            some_rows(numbered, start, stop),
            targets[start:stop],
            importance[start:stop],
            sides[side],
        )

    def judging(slot: int, start: int, stop: int) -> tuple[Any, ...]:
        known = piece.known if start == 0 else (piece.known[1], piece.known[1])
        trace = piece.trace.rows(start, stop)
        notes = (observer, confusion, trace, *said[slot])
        return *notes, targets[start:stop], known

    grow = entry(grow_ahead, growing(0, 0, 1))
    play = entry(play_lanes, playing(0, 0, 0, 1))
    judge = entry(judge_rows, judging(0, 0, 1))

    def first(slot: int, start: int) -> int:
        stop = min(start + size, targets.size)
        if live:
            stop = start + grow(*growing(slot, start, stop))
        return play(*playing(0, slot, start, stop))

    def second(slot: int, start: int, count: int) -> int:
        played = play(*playing(1, slot, start, start + count))
        judge(*judging(slot, start, start + played))
        return played

    played = in_stages(first, second)
    for name in SHORT:
        getattr(panels, name)[split:active] = getattr(behind, name)[split:active]
    if live:
        taken_over(forest, grown[0])
    return played
