"""How a panel's rows are cut into blocks and stages (see ``kernels.panel_stages``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...parts.observers import Trace
from ...parts.panel.forest import SETTINGS, new_row
from ...parts.panel.grown_trees import grown_trees, take_leaf_weights
from ...parts.panel.state import Tile
from ...parts.panel.trials import Signs
from ...parts.rows import longest_of, some_rows
from ...parts.state import Floats
from ..hypotheses.hypothesis import Rows
from ..kernels.compiled import entry
from ..kernels.panel import play_panel
from ..kernels.panel_stages import Said, grow_ahead, play_curves, play_rows
from ..memory import apart
from .stages import SLOTS, in_stages

if TYPE_CHECKING:
    from .panel import PanelPlayer


# Blocks take a quarter of a millisecond: long beside handing one over, and short beside
# a game, whose first and last block are played by one thread alone.
GROWN = 128  # rows of a block of trees
ROWS = 512  # of any other block
WIDE = 2**13  # entries of a block


def play_narrow(
    player: PanelPlayer, rows: Rows, targets: Floats, weights: Floats, observer: Trace
) -> tuple[int, float]:
    """Grow the trees ahead of the panel; the rows played, and the seconds.

    Fewer than given mean that the next one is refused, or the forest was given up.
    """
    forest = player.forest
    grown = grown_trees(forest, GROWN, SLOTS)
    numbers, seat = apart(forest.numbers), new_row(SETTINGS, forest, 0, 0)
    trees = (Signs(), SETTINGS, forest, player.forest_row)
    panel = (player.view, player.constants, player.state, player.tile)

    def first_call(slot: int, start: int) -> tuple[object, ...]:
        stop = min(start + GROWN, targets.size)
        return trees, grown[slot], some_rows(rows, start, stop), targets[start:stop]

    def second_call(slot: int, start: int, count: int) -> tuple[object, ...]:
        stop = start + count
        own = (Signs(), SETTINGS, grown[slot]._replace(numbers=numbers), seat)
        some = some_rows(rows, start, stop)
        return *panel, own, observer, some, targets[start:stop], weights[start:stop]

    grow = entry(grow_ahead, first_call(0, 0))
    play = entry(play_panel, second_call(0, 0, 1))
    played = in_stages(
        lambda slot, start: grow(*first_call(slot, start)),
        lambda slot, start, count: play(*second_call(slot, start, count)),
    )
    take_leaf_weights(forest, grown[0])
    return played


def play_wide(
    player: PanelPlayer, rows: Rows, targets: Floats, weights: Floats, observer: Trace
) -> tuple[int, float]:
    """Play members on rows ahead of those on curves; the rows played, the seconds."""
    longest = longest_of(rows)
    ahead = player.state._replace(numbers=apart(player.state.numbers))
    tile = Tile._make(map(apart, player.new_tile(longest, WIDE, ROWS)))
    tiles = [with_own_curves(tile) for _ in range(SLOTS)]
    own = player.new_tile(longest, 0, 0)
    members = player.constants.members
    said = [
        Said(np.zeros((ROWS, members)), np.zeros(ROWS, np.bool_)) for _ in range(SLOTS)
    ]

    def first_call(slot: int, start: int) -> tuple[object, ...]:
        some = some_rows(rows, start, targets.size)
        panel = (player.view, player.constants, ahead, tiles[slot], said[slot])
        return *panel, some, targets[start:], weights[start:]

    def second_call(slot: int, start: int, count: int) -> tuple[object, ...]:
        stop = start + count
        behind = sharing_rows(tiles[slot], own)
        panel = (player.constants, player.state, behind, said[slot])
        return *panel, observer, targets[start:stop], weights[start:stop]

    first = entry(play_rows, first_call(0, 0))
    second = entry(play_curves, second_call(0, 0, 1))
    return in_stages(
        lambda slot, start: first(*first_call(slot, start)),
        lambda slot, start, count: second(*second_call(slot, start, count)),
    )


def with_own_curves(tile: Tile) -> Tile:
    """A tile whose curves are its own, to be seen by others; all else is shared."""
    curves = (tile.places, tile.lefts, tile.rights, tile.facts)
    places, lefts, rights, facts = map(np.copy, curves)
    return tile._replace(places=places, lefts=lefts, rights=rights, facts=facts)


def sharing_rows(tile: Tile, own: Tile) -> Tile:
    """The rows of a tile, with room of one's own for what is computed."""
    return own._replace(
        columns=tile.columns,
        values=tile.values,
        places=tile.places,
        lefts=tile.lefts,
        rights=tile.rights,
        facts=tile.facts,
    )
