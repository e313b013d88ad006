"""Panels of many classes play: lanes learn the rows, then all decide what they say.

Each lane learns for itself, and the mixture of all learns from what they have said. So
all lanes may be some rows ahead of it; and on two threads the first lanes may be a
block of rows ahead of the others: they view the rows and grow the trees, too.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ....parts.observers import Statistics
from ....parts.panel.forest import SETTINGS, new_row
from ....parts.panel.grown_trees import grown_trees, take_leaf_weights
from ....parts.panel.state import EXACT, LINE
from ....parts.panel.trials import Codes
from ....parts.rows import Longs, Rows, longest_of, some_rows
from ....parts.state import Floats
from ...kernels.class_panels import decide, play_class_panels
from ...kernels.class_shortlist import play_shortlist
from ...kernels.compiled import entry
from ...kernels.panel_stages import grow_ahead
from ...memory import apart
from ..panel_stages import WIDE, sharing_rows
from ..row_player import Call
from ..stages import SLOTS, in_stages
from .class_player import ClassPiece

if TYPE_CHECKING:
    from .panels import PanelMembers


LanesSaid: TypeAlias = tuple[Floats, Floats, Floats]
ROWS = 256  # of a block
SAID = 2**14  # rows of all lanes together whose margins are kept for the mixture
LANE_ROWS = 512  # of all lanes of a block together
# Arrays of which two threads would write to the same cache lines.
SHORT = (
    *("stack", "numbers", "margins", "inputs", "scores"),
    *("statistic_counts", "statistic_sums"),
)
VIEWS = 1.0  # what views cost, in lanes
TREES = 3.5  # and trees
DECIDED = 5.0  # and a class of the mixture, in entries of a row


def play_in_turn(
    members: PanelMembers,
    observer: Statistics,
    confusion: Longs,
    piece: ClassPiece,
    rows: Rows,
) -> tuple[int, float]:
    """Play a piece on one thread; how many rows were played, and the seconds.

    `rows` are its rows with features as the lanes number them. Fewer than given mean
    that the next one is refused.
    """
    total = piece.targets.size
    size = min(total, ROWS, max(LINE, SAID // members.active))
    said = room_for_rows(members, size)
    lanes = (0, members.active, members.n_classes, members.active)
    trees = (Codes(), SETTINGS, members.forest, members.forest_row)

    def playing(start: int, stop: int) -> tuple[object, ...]:
        part = piece.between(start, stop)
        given = (some_rows(rows, start, stop), part.targets, part.importance)
        return *members.shared(), trees, said, *given, lanes

    def deciding(start: int, stop: int) -> tuple[object, ...]:
        part = piece.between(start, stop)
        return to_decide(members, observer, confusion, part, said)

    typed_by = members.lanes.typed_by(rows)
    play = entry(play_class_panels, playing(0, total), typed_by=typed_by)
    settle = entry(decide, deciding(0, total), typed_by=typed_by)
    began, done, stop = time.perf_counter(), 0, 0
    while done == stop < total:
        stop = min(done + size, total)
        played = play(*playing(done, stop))
        settle(*deciding(done, done + played))
        done += played
    return done, time.perf_counter() - began


def play_one(
    members: PanelMembers,
    observer: Statistics,
    confusion: Longs,
    piece: ClassPiece,
    rows: Rows,
) -> list[Call]:
    """What plays a piece of one row."""
    if members.lanes.lists(members.n_classes):
        return [listing(members, observer, confusion, piece, rows)]
    said = room_for_rows(members, 1)
    lanes = (0, members.active, members.n_classes, members.active)
    trees = (Codes(), SETTINGS, members.forest, members.forest_row)
    playing = (*members.shared(), trees, said, rows, piece.targets, piece.importance)
    deciding = to_decide(members, observer, confusion, piece, said)
    play = entry(play_class_panels, (*playing, lanes))
    return [(play, (*playing, lanes)), (entry(decide, deciding), deciding)]


def listing(
    members: PanelMembers,
    observer: Statistics,
    confusion: Longs,
    piece: ClassPiece,
    rows: Rows,
) -> Call:
    """What plays rows each of which has a list of classes that play it."""
    lanes = members.lanes
    arguments = (
        *members.shared(),
        (Codes(), SETTINGS, members.forest, members.forest_row),
        (lanes.mixture, observer, confusion, piece.trace),
        rows,
        piece.targets,
        piece.importance,
        (*piece.known, members.active),
    )
    return entry(play_shortlist, arguments, typed_by=lanes.typed_by(rows)), arguments


def play_listed(
    members: PanelMembers,
    observer: Statistics,
    confusion: Longs,
    piece: ClassPiece,
    rows: Rows,
) -> tuple[int, float]:
    """Play a piece of which each row has a list of classes that play it."""
    began = time.perf_counter()
    kernel, arguments = listing(members, observer, confusion, piece, rows)
    return kernel(*arguments) or 0, time.perf_counter() - began


def room_for_rows(members: PanelMembers, rows: int) -> LanesSaid:
    """Room for what lanes say of some rows: scores, margins, what they paid."""
    lanes, each = members.shared()[2].margins.shape
    return np.zeros((rows, lanes)), np.zeros((rows, lanes, each)), np.zeros(rows)


def to_decide(
    members: PanelMembers,
    observer: Statistics,
    confusion: Longs,
    part: ClassPiece,
    said: LanesSaid,
) -> tuple[object, ...]:
    """What is given to the kernel that decides rows which all lanes have played."""
    notes = (observer, confusion, part.trace)
    rows = (part.targets, part.importance, part.known)
    return members.lanes.pattern.constants, members.lanes.mixture, notes, said, *rows


def play_side_by_side(
    members: PanelMembers,
    observer: Statistics,
    confusion: Longs,
    piece: ClassPiece,
    rows: Rows,
) -> tuple[int, float]:
    """The same on two threads; fewer rows may mean that the forest was given up."""
    targets, importance = piece.targets, piece.importance
    forest, live, active = members.forest, members.has_forest, members.active
    view, constants, panels, tile = members.shared()
    longest = longest_of(rows)
    size = min(ROWS, max(LINE, LANE_ROWS // active))
    if live:  # trees do not ask for room
        size = min(size, max(1, WIDE // (longest + 2 * LINE)))
    decided = DECIDED * active / (1 + longest)
    split = round((active + decided - VIEWS - TREES * live) / 2)
    split = min(max(split, 1), active - 1)

    pattern = members.lanes.pattern
    entries = tile.exact.shape[1]
    behind = panels._replace(
        exact=np.zeros((EXACT, (active - split) * entries)),
        **{name: apart(getattr(panels, name)) for name in SHORT},
    )
    tiles = [pattern.new_tile(longest, WIDE, ROWS) for _ in range(SLOTS)]
    own = pattern.new_tile(longest, 0, 0)
    grown = grown_trees(forest, ROWS, SLOTS)
    classes = members.n_classes
    sides = ((0, split, classes, active), (split, active, classes, active))
    numbers = [grown[0].numbers.copy() for _ in sides]
    seats = [new_row(SETTINGS, forest, 0, 0) for _ in sides]
    said = [room_for_rows(members, size) for _ in range(SLOTS)]
    trees = (Codes(), SETTINGS, forest, members.forest_row)

    def growing(slot: int, start: int, stop: int) -> tuple[object, ...]:
        return trees, grown[slot], some_rows(rows, start, stop), targets[start:stop]

    def playing(side: int, slot: int, start: int, stop: int) -> tuple[object, ...]:
        leaves = grown[slot]._replace(numbers=numbers[side], lanes=sides[side][:2])
        return (
            view,
            constants,
            behind if side else panels,
            sharing_rows(tiles[slot], own) if side else tiles[slot],
            (Codes(), SETTINGS, leaves, seats[side]),
            said[slot],
            some_rows(rows, start, stop),
            targets[start:stop],
            importance[start:stop],
            sides[side],
        )

    def deciding(slot: int, start: int, stop: int) -> tuple[object, ...]:
        part = piece.between(start, stop)
        return to_decide(members, observer, confusion, part, said[slot])

    grow = entry(grow_ahead, growing(0, 0, 1))
    play = entry(play_class_panels, playing(0, 0, 0, 1))
    settle = entry(decide, deciding(0, 0, 1))

    def first(slot: int, start: int) -> int:
        stop = min(start + size, targets.size)
        if live:
            stop = start + grow(*growing(slot, start, stop))
        return play(*playing(0, slot, start, stop))

    def second(slot: int, start: int, count: int) -> int:
        played = play(*playing(1, slot, start, start + count))
        settle(*deciding(slot, start, start + played))
        return played

    played = in_stages(first, second)
    for name in SHORT:
        getattr(panels, name)[split:active] = getattr(behind, name)[split:active]
    if live:
        take_leaf_weights(forest, grown[0])
    return played
