"""What a regression panel has on narrow tables: curves, a forest, and two stacks.

It takes what the linear panel says of every row, and says something better. It plays as
long as the forest does (at most 200 features); the ridge regression on curves as long
as there are at most 24.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from ...parts.documents import Document
from ...parts.observers import Trace
from ...parts.panel.forest import (
    AMOUNTS,
    LIVE,
    Forest,
    ForestRow,
    Settings,
    new_forest,
    new_row,
)
from ...parts.panel.state import Constants
from ...parts.panel.trials import Amounts
from ...parts.regression import (
    CURVE_RATES,
    FEW,
    KNOWN,
    LANES,
    MORE_SUMS,
    CurveRoom,
    CurveState,
    combiner,
)
from ...parts.rows import Biased, Dense, Rows, longest_of
from ...parts.state import Bools, Floats, State
from ..hypotheses.forest_state import forest_arrays, forest_from
from ..storage import UNBOUNDED, Stored, keep, unchecked
from .curve_state import curve_arrays, curves_from, new_curves, room_for, wide_enough
from .linear import LinearPlayer
from .row_player import EQUAL, Call

CONSTANTS = Constants()
FOREST_INPUTS = 2  # of the second stack: what the leaf weights say, and the mean
STACKS = (LANES + 1, LANES + 1 + FOREST_INPUTS)  # what they are told


class OnCurves(NamedTuple):
    """What the members on curves said of rows, less the first label."""

    said: Floats  # [row, member]
    few: Bools  # whether features are few with this row
    rows: int  # played while the table is narrow


class SecondLayer(Stored):
    """Curves and a forest on top of a linear panel.

    Parameters
    ----------
    live : bool
        Whether it plays at all.
    """

    kept = keep("stacks", sums=UNBOUNDED, table=unchecked)

    def __init__(self, *, live: bool) -> None:
        self.known = 0  # features, of those who are restored
        self.forest = new_forest(AMOUNTS, live=live, prior=0.0)
        self.curves = new_curves(live=live)
        self.room = room_for(self.curves)
        self.stacks = [LinearPlayer(lambda _: combiner(), n) for n in STACKS]
        self.sums = np.zeros(MORE_SUMS)
        self.seconds = 0.0  # of the members on curves
        self.forest_row = _new_forest_row(self.forest, self.room, 64)

    @property
    def live(self) -> bool:
        """Whether it plays: rows have been narrow so far."""
        return bool(self.forest.numbers[LIVE])

    @property
    def narrow(self) -> bool:
        """Whether features have been few so far: curves may be ahead of the forest."""
        return bool(self.curves.numbers[KNOWN] < self.curves.order.size)

    def play_curves(
        self, rows: Rows, targets: Floats, weights: Floats | None
    ) -> OnCurves:
        """Play rows with the members on curves, as long as the table is narrow.

        There must be room for their features (:meth:`grow`).
        """
        told = told_of(targets.size)
        kernel, arguments = self.playing_curves(told, rows, targets, weights)
        began = time.perf_counter()
        count = kernel(*arguments) or 0
        self.seconds += time.perf_counter() - began
        return told._replace(rows=count)

    def playing_curves(
        self, told: OnCurves, rows: Rows, targets: Floats, weights: Floats | None
    ) -> Call:
        """What plays rows with the members on curves, and its arguments."""
        from ..kernels.compiled import entry
        from ..kernels.curves import curve_rows

        arguments = (
            self.curves,
            self.room,
            CURVE_RATES,
            (FEW, AMOUNTS.widest),
            self.sums,
            rows,
            targets,
            EQUAL if weights is None else weights,
            told.said,
            told.few,
        )
        return entry(curve_rows, arguments), arguments

    def playing(
        self,
        told: OnCurves,
        rows: Rows,
        base: Floats,
        targets: Floats,
        observer: Trace,
        zeros: Floats,
        weights: Floats | None,
    ) -> Call:
        """What plays rows of which the linear panel said `base`, and its arguments."""
        from ..kernels.compiled import entry
        from ..kernels.second_layer import second_layer_rows

        n = targets.size
        first, second = self.stacks
        arguments = (
            first.parts,
            (first.state, second.state),
            self.sums,
            observer,
            self._inputs(),
            self._trees(self.forest_row),
            (base, told.said[:n], told.few),
            (rows, Biased(rows), zeros),
            targets,
            EQUAL if weights is None else weights,
        )
        return entry(second_layer_rows, arguments), arguments

    def scores(self, rows: Rows, base: Floats, features: int) -> Floats:
        """What is said of rows of which the linear panel says `base`.

        They have so many features, of which new ones may appear. Threads may predict at
        once: each has room of its own.
        """
        out, longest = np.empty(base.size), max(1, longest_of(rows))
        for kernel, arguments in self.asking(rows, base, out, longest, features):
            kernel(*arguments)
        return out

    def asking(
        self, rows: Rows, base: Floats, out: Floats, longest: int = 0, features: int = 0
    ) -> list[Call]:
        """The same in the room that there is, to be called by one thread.

        Or in room of its own, for rows with as many entries as `longest`.
        """
        stacks = [stack.state for stack in self.stacks]
        if not longest:
            room = (self.curves, self.room, self.forest_row, stacks)
            return self._asking(rows, base, out, *room)
        room = _room_to_score(self.room)
        if features > room.values.size:
            room = wide_enough(room, features)
        curves = self.curves._replace(
            numbers=self.curves.numbers.copy(), order=self.curves.order.copy()
        )
        forest_row = _new_forest_row(self.forest, room, longest)
        stacks = [each.with_room(0) for each in self.stacks]
        return self._asking(rows, base, out, curves, room, forest_row, stacks)

    def _asking(
        self,
        rows: Rows,
        base: Floats,
        out: Floats,
        curves: CurveState,
        room: CurveRoom,
        forest_row: ForestRow,
        stacks: list[State],
    ) -> list[Call]:
        from ..kernels.compiled import entry
        from ..kernels.curves import curve_scores
        from ..kernels.second_layer import second_layer_scores

        told = told_of(base.size)
        entering = (curves, room, (FEW, AMOUNTS.widest), rows, told.said, told.few)
        arguments = (
            self.stacks[0].parts,
            (stacks[0], stacks[1]),
            self.sums,
            self._inputs(),
            self._trees(forest_row),
            (base, told.said, told.few),
            rows,
            out,
        )
        return [
            (entry(curve_scores, entering), entering),
            (entry(second_layer_scores, arguments), arguments),
        ]

    def held(self) -> tuple[object, ...]:
        """What :meth:`asking` and :meth:`playing` hold on to, and who plays."""
        states = [stack.state for stack in self.stacks]
        arrays = (self.curves, self.room, self.forest, self.forest_row, self.sums)
        return *states, *arrays, self.live, self.narrow

    def shares(self) -> Floats:
        """How much everything that the second stack is told counts."""
        weights = self.stacks[1].all_weights()
        return 1.0 / weights.size + weights

    @property
    def table(self) -> Document:
        """The curves and the forest by name, as long as they play."""
        if not self.live:
            return {}
        return curve_arrays(self.curves) | forest_arrays(self.forest)

    @table.setter
    def table(self, stored: Document) -> None:
        self.curves = curves_from(stored, self.known)
        self.room = room_for(self.curves)
        self.forest = forest_from(stored, AMOUNTS, self.room.values.size)
        if bool(self.curves.order.size) != self.live:
            raise ValueError("it has a forest without curves, or curves without one")
        self.forest_row = _new_forest_row(self.forest, self.room, 64)
        self.grow(self.known)

    def check_state(self) -> None:
        """The stacks are told what there is."""
        if tuple(stack.n_features for stack in self.stacks) != STACKS:
            raise ValueError("its stacks are not over its members and its forest")

    def _inputs(self) -> tuple[Dense, Dense]:
        first, second = (
            Dense(np.zeros(s.n_features), s.n_features) for s in self.stacks
        )
        return first, second

    def _trees(
        self, forest_row: ForestRow
    ) -> tuple[Amounts, Settings, Constants, Forest, ForestRow]:
        return (Amounts(), AMOUNTS, CONSTANTS, self.forest, forest_row)

    def grow(self, n_features: int) -> None:
        """Make room for features that have come, as long as they are few."""
        before = self.room.values.size
        if self.live and n_features > before:
            room = wide_enough(self.room, max(n_features, 2 * before))
            longest = self.forest_row.features.size
            row = _new_forest_row(self.forest, room, longest)
            self.room, self.forest_row = room, row  # of one size

    def make_tile(self, longest: int) -> None:
        """Room for rows with this many entries."""
        if longest > self.forest_row.features.size:
            self.forest_row = _new_forest_row(self.forest, self.room, 2 * longest)


def _new_forest_row(forest: Forest, room: CurveRoom, longest: int) -> ForestRow:
    features = room.values.size + 1 if forest.numbers[LIVE] else 0
    return new_row(AMOUNTS, forest, features, longest)


def _room_to_score(room: CurveRoom) -> CurveRoom:
    """The same, in which another thread may enter a row; nothing is solved there."""
    return room._replace(
        places=room.places.copy(),
        values=np.zeros(room.values.size),
        columns=np.zeros(room.columns.size, np.int32),
        hats=np.zeros(room.hats.size),
    )


def told_of(n: int) -> OnCurves:
    """Room for what the members on curves say of `n` rows."""
    return OnCurves(np.zeros((n, LANES)), np.zeros(n, np.bool_), n)
