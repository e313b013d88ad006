"""What a regression panel has on narrow tables: curves, a forest, and two stacks.

It takes what the linear panel says of every row, and says something better. It plays as
long as the forest does (at most 200 features); the ridge regression on curves as long
as there are at most 24.
"""

from __future__ import annotations

from functools import partial
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
    CURVE_NUMBERS,
    CURVE_RATES,
    FEW,
    FIRST,
    KNOTS,
    KNOWN,
    MORE_SUMS,
    CurveState,
    curve_ridge,
    curve_tracker,
)
from ...parts.rows import Biased, Dense, Rows, Sparse, longest_of, some_rows
from ...parts.state import ROUNDS as PLAYED
from ...parts.state import Bools, Floats
from ..storage import checked_array
from .forest_state import forest_arrays, forest_from
from .linear import LinearPlayer
from .row_player import EQUAL
from .stages import side_by_side

__all__ = ["SecondLayer"]

CONSTANTS = Constants()
FOREST_INPUTS = 2


class Look(NamedTuple):
    """Rows as hats; whether features are few with each; how many rows there are."""

    hats: Sparse
    few: Bools
    rows: int


class SecondLayer:
    """Curves and a forest on top of a linear panel.

    Parameters
    ----------
    live : bool
        Whether it plays at all.
    """

    def __init__(self, *, live: bool) -> None:
        self.forest = new_forest(AMOUNTS, live=live, prior=0.0)
        self.curves = _curves(live=live)
        compositions = [*map(curve_tracker, CURVE_RATES), curve_ridge()]
        self.members = [
            LinearPlayer(lambda _, parts=parts: parts, 0, bias=True, partial=True)
            for parts in compositions
        ]
        size = len(self.members) + 1
        self.stacks = [
            LinearPlayer(lambda _: curve_ridge(), n)
            for n in (size, size + FOREST_INPUTS)
        ]
        self.sums = np.zeros(MORE_SUMS)
        self.forest_row = self._new_forest_row(64)

    @property
    def live(self) -> bool:
        """Whether it plays: rows have been narrow so far."""
        return bool(self.forest.numbers[LIVE])

    def look(self, rows: Rows, n: int) -> Look:
        """The first rows as hats, as many as there are while the table is narrow."""
        self._make_room(rows, n)
        look = _hats(self.curves, rows, n, learning=True)
        for member in self.members:
            member.grow(KNOTS * int(self.curves.numbers[KNOWN]))
        return look

    def play(
        self,
        look: Look,
        rows: Rows,
        base: Floats,
        targets: Floats,
        observer: Trace,
        zeros: Floats,
        weights: Floats | None,
        threads: int,
    ) -> None:
        """Play rows that were looked at, and of which the linear panel said `base`."""
        from ..kernels.compiled import entry
        from ..kernels.second_layer import second_layer_rows

        n = targets.size
        if self.stacks[0].state.numbers[PLAYED] == 0.0:
            self.sums[FIRST] = targets[0]
        shifted = targets - self.sums[FIRST]  # members count from the first label
        said = np.zeros((n, len(self.members) + 1))
        said[:, 0] = base

        def play_member(k: int) -> None:
            member = self.members[k]
            last = n if member is not self.members[-1] else int(look.few[:n].sum())
            trace = (np.zeros(last), np.zeros(last), np.zeros(last, np.bool_))
            hats = some_rows(look.hats, 0, last)
            own = None if weights is None else weights[:last]
            member.play(hats, shifted[:last], trace=trace, weights=own)
            said[:last, k + 1] = trace[0] + self.sums[FIRST]

        # The last one takes longest.
        each = [partial(play_member, k) for k in reversed(range(len(self.members)))]
        side_by_side(each, threads)
        if longest_of(rows) > self.forest_row.features.size:
            self.forest_row = self._new_forest_row(2 * longest_of(rows))
        first, second = self.stacks
        arguments = (
            first.parts,
            (first.state, second.state),
            self.sums,
            observer,
            self._inputs(),
            self._trees(self.forest_row),
            (said.reshape(-1), look.few),
            (rows, Biased(rows), zeros),
            targets,
            EQUAL if weights is None else weights[:n],
        )
        entry(second_layer_rows, arguments)(*arguments)

    def scores(self, rows: Rows, base: Floats) -> Floats:
        """What is said of rows of which the linear panel says `base`.

        Threads may predict at once: each has room of its own.
        """
        from ..kernels.compiled import entry
        from ..kernels.second_layer import second_layer_scores

        n = base.size
        curves = _of_its_own(_wide_enough(self.curves, rows, n))
        forest_row = _new_forest_row(self.forest, curves, longest_of(rows))
        look = _hats(curves, rows, n, learning=False)
        said = np.zeros((n, len(self.members) + 1))
        said[:, 0] = base
        for k, member in enumerate(self.members, 1):
            said[:, k] = member.scores(look.hats, n) + self.sums[FIRST]
        out = np.empty(n)
        first, second = self.stacks
        arguments = (
            (first.state, second.state),
            self.sums,
            self._inputs(),
            self._trees(forest_row),
            said.reshape(-1),
            look.few,
            rows,
            out,
        )
        entry(second_layer_scores, arguments)(*arguments)
        return out

    def shares(self) -> Floats:
        """How much everything that the second stack is told counts."""
        weights = self.stacks[1].all_weights()
        return 1.0 / weights.size + weights

    def state_dict(self) -> Document:
        """All that the rounds to come depend on, by name; if it has ended, its sums."""
        if not self.live:
            return {"crown_sums": self.sums}
        kept: Document = {
            "curve_numbers": self.curves.numbers,
            "curve_moments": self.curves.moments,
            "curve_order": self.curves.order,
            "crown_sums": self.sums,
            **forest_arrays(self.forest),
        }
        for k, player in enumerate([*self.members, *self.stacks]):
            own = player.trimmed_state() | {"seconds": 0.0}  # the panel counts them
            kept |= {f"curves/{k}/{name}": each for name, each in own.items()}
        return kept

    def load_state(self, stored: Document) -> None:
        """Restore from `stored`; raise ValueError if it is invalid."""
        arrays = dict(stored)
        self.forest = forest_from(stored, AMOUNTS)
        if "crown_sums" in arrays:  # not in those of version 0.1
            self.sums = checked_array(arrays, "crown_sums", shape=(MORE_SUMS,))
        if not self.live:
            self.curves = _curves(live=False)
            return
        self.curves = self._curves_from(arrays)
        for k, player in enumerate([*self.members, *self.stacks]):
            mark = f"curves/{k}/"
            player.load_state(
                {
                    name.removeprefix(mark): each
                    for name, each in arrays.items()
                    if name.startswith(mark)
                }
            )
        self.forest_row = self._new_forest_row(64)

    def _curves_from(self, arrays: Document) -> CurveState:
        """What curves remember, from a state."""
        size = AMOUNTS.widest + 1
        numbers = checked_array(arrays, "curve_numbers", shape=(CURVE_NUMBERS,))
        moments = checked_array(arrays, "curve_moments", shape=(size, 2))
        order = checked_array(arrays, "curve_order", np.int32, (size,))
        known = order[: int(numbers[KNOWN])]
        places = np.zeros(int(known.max(initial=-1)) + 1, np.int32)
        places[known] = np.arange(1, known.size + 1)
        return CurveState(numbers, moments, order, places, np.zeros(places.size))

    def _inputs(self) -> tuple[Dense, Dense]:
        first, second = (
            Dense(np.zeros(s.n_features), s.n_features) for s in self.stacks
        )
        return first, second

    def _trees(
        self, forest_row: ForestRow
    ) -> tuple[Amounts, Settings, Constants, Forest, ForestRow]:
        return (Amounts(), AMOUNTS, CONSTANTS, self.forest, forest_row)

    def _new_forest_row(self, longest: int) -> ForestRow:
        return _new_forest_row(self.forest, self.curves, longest)

    def _make_room(self, rows: Rows, n: int) -> None:
        """Room for the features of rows, of which new ones may appear."""
        curves = _wide_enough(self.curves, rows, n)
        if curves is not self.curves:
            self.curves = curves
            self.forest_row = self._new_forest_row(self.forest_row.features.size)


def _hats(curves: CurveState, rows: Rows, n: int, *, learning: bool) -> Look:
    """The first rows as hats; `curves` has room for them."""
    from ..kernels.compiled import entry
    from ..kernels.curves import hat_rows, score_hats

    size = 2 * n * min(curves.order.size, curves.values.size)
    hats = Sparse(np.zeros(n + 1, np.int64), np.zeros(size, np.int32), np.zeros(size))
    few = np.zeros(n, np.bool_)
    arguments = (curves, (FEW, AMOUNTS.widest), rows, n, hats, few)
    count = entry(hat_rows if learning else score_hats, arguments)(*arguments)
    return Look(hats, few, count)


def _wide_enough(curves: CurveState, rows: Rows, n: int) -> CurveState:
    """The same with room for the features of rows."""
    if isinstance(rows, Dense):
        width = rows.width
    else:
        own = rows.columns[rows.starts[0] : rows.starts[n]]
        width = int(own.max(initial=-1)) + 1
    more = width - curves.values.size
    if more <= 0:
        return curves
    return curves._replace(
        places=np.concatenate([curves.places, np.zeros(more, np.int32)]),
        values=np.concatenate([curves.values, np.zeros(more)]),
    )


def _new_forest_row(forest: Forest, curves: CurveState, longest: int) -> ForestRow:
    room = curves.values.size + 1 if forest.numbers[LIVE] else 0
    return new_row(AMOUNTS, forest, room, longest)


def _of_its_own(curves: CurveState) -> CurveState:
    """Curves to score with, in which the features of a row may be entered."""
    return curves._replace(
        numbers=curves.numbers.copy(),
        order=curves.order.copy(),
        places=curves.places.copy(),
        values=np.zeros(curves.values.size),
    )


def _curves(*, live: bool) -> CurveState:
    """Curves that have seen nothing: one feature more than may come, to end them."""
    size = AMOUNTS.widest + 1 if live else 0
    return CurveState(
        numbers=np.zeros(CURVE_NUMBERS),
        moments=np.zeros((size, 2)),
        order=np.zeros(size, np.int32),
        places=np.zeros(0, np.int32),
        values=np.zeros(0),
    )
