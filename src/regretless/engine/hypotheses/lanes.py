"""Panels of many classes, lane beside lane, on the features that rows have had.

A lane is what the panel of its class would be alone, bit for bit, as long as all play
every row (see ``parts.panel.shortlist``): only means and spreads, which no label
changes, are kept once. Memory goes with the features met. There is always one more,
of which nothing is known: it stands for all others where rows are only scored. A
mixture hears what all lanes say of a row, and says the log-odds of the classes.
"""

from __future__ import annotations

import copy
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from ...parts import observers as o
from ...parts.documents import Document
from ...parts.observers import Statistics
from ...parts.panel import shortlist
from ...parts.panel.class_mixture import ClassMixture, new_mixture, renewed, with_room
from ...parts.panel.class_panels import COUNTS, ClassPanels
from ...parts.panel.forest import (
    LIVE,
    SETTINGS,
    Forest,
    ForestRow,
    lane_alone,
    new_row,
)
from ...parts.panel.row_views import slots
from ...parts.panel.state import (
    COINS,
    EXACT,
    MOMENTS,
    NEGATIVE,
    NUMBERS,
    POSITIVE,
    PanelState,
    Tile,
)
from ...parts.panel.trials import Codes
from ...parts.rows import Longs, Rows, longest_of
from ...parts.state import Array, Floats
from ..memory import owned, refuse_size, zeros
from .forest_state import renumbered
from .met_features import MetFeatures, PlainColumns
from .panel import EXACTLY, FrozenPanel

if TYPE_CHECKING:
    from ..players.row_player import Call


COPIES = 2  # the lanes, while they are moved to more room
FROZEN = 4  # three on the way, and the last; a file of it takes less than the moving
OF_FEATURES = ("counts", "curves", "ranker")  # arrays; the first holds the rows too
OF_STACKS = ("stack", "covariance", "numbers")
OF_STATISTICS = ("statistic_counts", "statistic_sums", "statistic_curves")
OF_LANES = (*OF_STACKS, *OF_STATISTICS)
BIAS = np.zeros(1, np.int64)


class PanelLanes:
    """Lanes that know nothing of features yet.

    Parameters
    ----------
    pattern : FrozenPanel
        What each of them is at its start.
    lanes : int
        How many there are.
    met : MetFeatures
        The features that rows have had.
    """

    def __init__(self, pattern: FrozenPanel, lanes: int, met: MetFeatures) -> None:
        self.pattern = pattern
        self.met = met
        self.mixture = new_mixture(pattern.constants.members, lanes)
        self._freezes = False
        self._classes = lanes  # that have come, to say so where they do not fit
        self.panels = self._blank(met.count + 2, lanes)
        self._check_size(met.count, lanes)
        for name in OF_STACKS:
            getattr(self.panels, name)[:] = getattr(pattern.state, name)
        self.panels.listing[shortlist.LIVE] = 1.0

    def __getstate__(self) -> Document:
        """All but the rows: they lie in the memory of the counts."""
        panels = self.panels._replace(rows=self.panels.rows[:0])
        return {**self.__dict__, "panels": panels}

    def __setstate__(self, state: Document) -> None:
        """Take them over, the rows where they were: a copy would have them apart."""
        self.__dict__.update(owned(state))
        rows = self.panels.counts.view(self.pattern.dtype)
        self.panels = self.panels._replace(rows=rows)

    @property
    def room(self) -> int:
        """How many lanes there is room for."""
        return self.panels.scores.size

    @property
    def places(self) -> int:
        """How many features there is room for, the bias included."""
        return len(self.panels.moments)

    def new_forest_row(self, forest: Forest, longest: int) -> ForestRow:
        """Room for a row of a forest on these features, if it plays."""
        places = self.places if forest.numbers[LIVE] else 0
        return new_row(SETTINGS, forest, places, longest)

    def meet(self, rows: Rows, lanes: int = 0) -> Rows:
        """Number the features of rows to play; make room for them, and for `lanes`."""
        lanes, before, room = max(lanes, self.room), self.met.count, self.places
        found, known = self.met.meet(rows), self.met.count
        if known > before or known + 2 > room or lanes > self.room:
            try:
                self._check_size(known, lanes)
            except ValueError:
                self.met.return_to(before)
                raise
            room = max(known + 2, 2 * room) if known + 2 > room else room
            if room > self.places or lanes > self.room:
                self._widen(room, lanes)
        return found

    def held(self) -> tuple[object, ...]:
        """The arrays that calls hold on to."""
        return self.panels, self.mixture, *self.met.held(), self.pattern.tile

    def expect(self, rows: Rows, lanes: int) -> None:
        """Make room at once for all that these rows bring, if it fits."""
        if lanes > self.room:
            with suppress(ValueError):  # of the class that does not fit: once it comes
                self.meet(rows, self._more(lanes))

    def _more(self, lanes: int) -> int:
        """At least so many, by half, so that classes are not moved again and again."""
        return max(lanes, self.room + self.room // 2)

    def lists(self, classes: int) -> bool:
        """Whether rows are played by a list of so many classes, not by all of them."""
        return classes > shortlist.LISTED and bool(self.panels.listing[shortlist.LIVE])

    def asking_all(self) -> PanelLanes:
        """The same, but all classes score every row; arrays are shared."""
        self.settle()
        other = copy.copy(self)
        other.panels = self.panels._replace(listing=np.zeros(shortlist.LISTING))
        return other

    def settle(self) -> None:
        """Count for each class the rows of the rest that others have played."""
        if self.room > shortlist.LISTED:
            known, counts = self.met.count + 1, self.by_lane("counts")
            seen = self.panels.moments[:known, [NEGATIVE, POSITIVE]].sum(axis=1)
            counts[:known, :, 0] = seen[:, None] - counts[:known, :, 1]

    def typed_by(self, rows: Rows) -> object:
        """What decides the types of all that kernels are given with these rows."""
        view, constants = self.pattern.view, self.pattern.constants
        steps = (constants.row_steps, constants.curve_steps)
        return rows, view, self.panels.rows, steps

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""
        self.pattern.make_tile(longest)
        entries = self.room * self.pattern.tile.exact.shape[1]
        if entries > self.panels.exact.shape[1]:
            self.panels = self.panels._replace(exact=np.zeros((EXACT, entries)))

    def copy_lane(self, lane: int) -> None:
        """Let the lane after `lane` be equal to it."""
        self._classes = lane + 1
        if lane + 1 == self.room:
            lanes = self._more(lane + 2)
            self._check_size(self.met.count, lanes)
            self._widen(len(self.panels.moments), lanes)
        for array in map(self.by_lane, OF_FEATURES):
            known = array[: self.met.count + 1]
            known[:, lane + 1] = known[:, lane]
        for name in OF_LANES:
            array = getattr(self.panels, name)
            array[lane + 1] = array[lane]

    def frozen(self, lanes: int) -> PanelLanes:
        """The first lanes as they stand, without the room that is left; a copy."""
        self._freezes = True
        self.settle()
        other = PanelLanes(self.pattern, lanes, self.met.copy())
        other._take_over(self)
        other.mixture = renewed(self.mixture, other.mixture)
        return other

    def scores(self, rows: Rows, n: int, classes: int, forest: Forest) -> Floats:
        """The log-odds of each class against the rest, learning nothing."""
        out = np.empty((n, classes))
        found = self.met.find(rows)
        kernel, arguments = self._scoring_apart(found, out, forest, longest_of(rows))
        kernel(*arguments)
        return out

    def asking(self, rows: Rows, out: Floats, forest: Forest) -> list[Call]:
        """What scores the row in these buffers into `out`, in room of its own."""
        calls, found = self.met.numbering(rows, learned=False)
        return [*calls, self._scoring_apart(found, out, forest, rows.values.size)]

    def _scoring_apart(
        self, found: Rows, out: Floats, forest: Forest, longest: int
    ) -> Call:
        """What scores numbered rows while others may be scored at the same time."""
        panels, tile = self.panels, self.pattern.new_tile(longest)
        panels = panels._replace(
            exact=np.zeros((EXACT, self.room * tile.exact.shape[1])),
            margins=np.zeros(panels.margins.shape),
            inputs=np.zeros(panels.inputs.shape),
            scores=np.zeros(panels.scores.shape),
            ranks=np.zeros_like(panels.ranks),
            odds=np.zeros_like(panels.odds),
            shortlist=np.zeros_like(panels.shortlist),
        )
        forest_row = self.new_forest_row(forest, longest)
        mixture = with_room(self.mixture, out.shape[1])
        return self.scoring(found, out, forest, mixture, panels, tile, forest_row)

    def scoring(
        self,
        found: Rows,
        out: Floats,
        forest: Forest,
        mixture: ClassMixture,
        panels: ClassPanels,
        tile: Tile,
        forest_row: ForestRow,
    ) -> Call:
        """What scores rows that are numbered, in the room that is given."""
        from ..kernels.class_panels import score_class_panels
        from ..kernels.compiled import entry

        pattern, trees = self.pattern, (Codes(), SETTINGS, forest, forest_row)
        shared = (pattern.view, pattern.constants, panels, tile, trees, mixture)
        arguments = (*shared, found, self.lists(out.shape[1]), out)
        typed_by = self.typed_by(found)
        return entry(score_class_panels, arguments, typed_by=typed_by), arguments

    # What single lanes know.

    def known(self, n_features: int) -> tuple[Longs, Longs]:
        """The bias and the features that rows have had, in order, and where they are.

        Of features that were numbered for rows that were refused, nothing is known.
        """
        columns, numbers = self.met.numbers()
        moments = self.panels.moments[numbers + 1]
        had = moments[:, POSITIVE] + moments[:, NEGATIVE] > 0.0
        had &= columns < n_features
        return np.r_[BIAS, columns[had] + 1], np.r_[BIAS, numbers[had] + 1]

    def arrays_of(self, lane: int, places: Longs) -> Document:
        """What the panel of a lane knows of the features at some places; copies."""
        moments = self.panels.moments[places]
        moments[:, [NEGATIVE, POSITIVE]] = self.by_lane("counts")[places, lane, :COUNTS]
        curves = self.by_lane("curves")[places, lane]
        return {
            "moments": moments,
            "rows": self.by_lane("rows")[places, lane, -self._weights :],
            "curves": curves.reshape(-1, curves.shape[-1]),
            **{name: getattr(self.panels, name)[lane].copy() for name in OF_STACKS},
        }

    def alone(
        self, lane: int, forest: Forest, n_features: int
    ) -> tuple[PanelState, Forest, PlainColumns]:
        """What its panel would be alone: what it knows, and of which features."""
        self.settle()
        columns, places = self.known(n_features)
        met = PlainColumns(n_features)
        if columns.size <= n_features:
            met = MetFeatures(n_features, columns[1:] - 1)
        state = self.pattern.new_state(places.size + 1)
        into = self.pattern.named(state)
        for name, array in self.arrays_of(lane, places).items():
            into[name][: len(array)] = array
        numbers = np.zeros(self.met.count + 1, np.int64)
        numbers[places] = np.arange(places.size)
        return state, renumbered(forest, numbers), met

    def weights(self, lanes: int, places: Longs, forest: Forest) -> Floats:
        """The weights in view A of the features at some places, a row a lane."""
        panel, rows = copy.copy(self.pattern), self.by_lane("rows")
        panel.met = PlainColumns(self.met.count)
        found = np.zeros((lanes, places.size))
        for lane in range(lanes):
            panel.state = panel.state._replace(
                rows=rows[:, lane], stack=self.panels.stack[lane]
            )
            panel.forest = lane_alone(forest, lane)
            found[lane] = panel.all_weights()[places]
        return found

    def load_slot(self, lane: int, arrays: Document, places: Longs) -> None:
        """Let a lane be what a panel is; `places` are those of the features there."""
        moments = arrays["moments"][places]
        self.panels.moments[: places.size] = moments
        counts, rows = self.by_lane("counts"), self.by_lane("rows")
        counts[: places.size, lane, :COUNTS] = moments[:, [NEGATIVE, POSITIVE]]
        rows[: places.size, lane, -self._weights :] = arrays["rows"][places]
        curves = self.by_lane("curves")
        given = arrays["curves"].reshape(-1, *curves.shape[2:])
        curves[: places.size, lane] = given[places]
        for name in OF_STACKS:
            getattr(self.panels, name)[lane] = arrays[name]

    def note(self, lane: int, statistics: Statistics) -> None:
        """Let these be the statistics of a lane."""
        for name, array in zip(OF_STATISTICS, statistics, strict=True):
            getattr(self.panels, name)[lane] = array

    def statistics(self, lane: int) -> Statistics:
        """Those of a lane; copies."""
        kept = (getattr(self.panels, name)[lane].copy() for name in OF_STATISTICS)
        return Statistics(*kept)

    def by_lane(self, name: str) -> Array:
        """What lanes know of features, as ``array[feature, lane, ...]``."""
        panels = self.panels
        room, array = len(panels.moments), getattr(panels, name)
        if name == "curves":
            each = slots(self.pattern.view)
            return array.reshape(room, self.room, each, array.shape[1])
        return array.reshape(room, self.room, *array.shape[1:])

    @property
    def _weights(self) -> int:
        """How many columns of the rows are weights and sums of squares."""
        return 2 * len(self.pattern.constants.row_steps)

    def _check_size(self, features: int, lanes: int) -> None:
        """Raise ValueError where what lanes know of features would not fit."""
        panels, each = self.panels, slots(self.pattern.view)
        taken = panels.counts.strides[0] + each * panels.curves.strides[0]
        taken += panels.ranker.strides[0]
        copies = COPIES + FROZEN * self._freezes
        models = " with the models frozen on the way" if self._freezes else ""
        needed = copies * features * (8.0 * MOMENTS + lanes * taken)
        refuse_size(needed, self._classes, features, models)

    def _widen(self, room: int, lanes: int) -> None:
        """The same with room for more features, or more lanes."""
        other = copy.copy(self)
        other.panels = self._blank(room, lanes)
        other._take_over(self)
        self.mixture = with_room(self.mixture, lanes)
        self.panels = other.panels

    def _take_over(self, other: PanelLanes) -> None:
        """Copy what `other` knows, of as many lanes as both have room for."""
        known = min(other.met.count + 1, len(other.panels.moments))
        lanes = min(self.room, other.room)
        self.panels.moments[:known] = other.panels.moments[:known]
        for name in OF_FEATURES:
            self.by_lane(name)[:known, :lanes] = other.by_lane(name)[:known, :lanes]
        for name in OF_LANES:
            getattr(self.panels, name)[:lanes] = getattr(other.panels, name)[:lanes]
        self.panels.listing[:] = other.panels.listing

    def _blank(self, room: int, lanes: int) -> ClassPanels:
        """Lanes that are still free; memory that is not written to is not taken."""
        pattern = self.pattern
        constants, real, each = pattern.constants, pattern.dtype, slots(pattern.view)
        curves = 2 * len(constants.curve_steps) + 1 + COINS
        size, width = pattern.state.covariance.shape
        columns = COUNTS + self._weights * real.itemsize // 8
        record = zeros((room * lanes, columns), EXACTLY)
        return ClassPanels(
            moments=zeros((room, MOMENTS), EXACTLY),
            counts=record,
            rows=record.view(real),
            curves=zeros((room * lanes * each, curves), real),
            stack=np.zeros((lanes, width)),
            covariance=np.zeros((lanes, size, width)),
            numbers=np.zeros((lanes, NUMBERS)),
            exact=np.zeros((EXACT, lanes * pattern.tile.exact.shape[1])),
            margins=np.zeros((lanes, constants.members)),
            inputs=np.zeros((lanes, width)),
            scores=np.zeros(lanes),
            statistic_counts=np.zeros((lanes, o.COUNTS), np.int64),
            statistic_sums=np.zeros((lanes, o.SUMS)),
            statistic_curves=np.zeros((lanes, o.CURVE, o.CURVE_COLUMNS)),
            lanes=np.arange(lanes),
            ranker=zeros((room, lanes), real).reshape(-1),
            ranks=np.zeros(lanes, real),
            odds=np.zeros((2, lanes)),
            shortlist=np.zeros(shortlist.LISTED + shortlist.OTHERS, np.int64),
            listing=np.zeros(shortlist.LISTING),
        )
