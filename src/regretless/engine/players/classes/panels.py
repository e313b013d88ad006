"""Panels, one a class and one of the rest, that share the views of a row.

Each of them is what it would be alone, bit for bit: only means and spreads, which no
label changes, are kept once, and a row is viewed once for all.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

import numpy as np

from ....parts.documents import Document
from ....parts.observers import COUNTS as TALLIES
from ....parts.observers import CURVE, CURVE_COLUMNS, LOSS, SUMS, Statistics
from ....parts.panel.class_mixture import (
    MIXED_LOSS,
    OWN_LOSS,
    SHARED_LOSS,
    ClassMixture,
    with_room,
)
from ....parts.panel.class_mixture import ROUNDS as MIXED_ROUNDS
from ....parts.panel.class_panels import COUNTS, ClassPanels
from ....parts.panel.forest import (
    LEAVES,
    LIVE,
    SETTINGS,
    Forest,
    ForestRow,
    lane_alone,
    new_forest,
    new_row,
    some_lanes,
    with_lanes,
)
from ....parts.panel.row_views import slots
from ....parts.panel.state import (
    COINS,
    EXACT,
    MOMENTS,
    NEGATIVE,
    NUMBERS,
    POSITIVE,
    Constants,
    PanelState,
    Tile,
)
from ....parts.panel.trials import Codes
from ....parts.part_types import Part
from ....parts.rows import Longs, Rows, longest_of
from ....parts.state import Array, Floats
from ...hypotheses.panel import EXACTLY, FrozenPanel
from ...memory import zeros
from ..forest_state import forest_arrays
from ..mixture_state import mixture_arrays
from ..panel import PanelPlayer
from ..stages import worth_stages
from .class_player import Stretch
from .members import Members
from .size_limit import refuse_size

__all__ = ["PanelMembers"]

COPIES = 4  # the lanes, and three panels frozen on the way
AT_ONCE = 1024  # features whose numbers are copied at a time
PER_LANE = ("stack", "covariance", "numbers", "rounds", "sums", "courses")


class PanelMembers(Members[PanelPlayer]):
    """Panels of one kind, in lanes; that of the rest is the last one.

    Parameters
    ----------
    players : list of PanelPlayer
        One a class, and that of the rest. They have played the same rows.
    n_classes : int
        How many classes there are.
    forest : Forest
        That of all classes together: a lane for each of the players.
    mixture : ClassMixture
        What they decide together.
    """

    def __init__(
        self,
        players: list[PanelPlayer],
        n_classes: int,
        forest: Forest,
        mixture: ClassMixture,
    ) -> None:
        first = players[0]
        self.n_classes = n_classes
        self.n_features = max(player.n_features for player in players)
        self.active = len(players)
        self.pattern = first
        self._seconds = [player.seconds for player in players]
        self.forest = forest
        self.mixture = with_room(mixture, len(players))
        self._given_up: Forest | None = None  # until somebody has learned
        self._panels = self._blank(self.n_features + 1, len(players))
        self.forest_row = self._new_forest_row(64)
        moments = first.arrays()["moments"]
        self._panels.moments[: len(moments)] = moments
        for lane, player in enumerate(players):
            self._seat(lane, player)

    def members(self) -> list[PanelPlayer]:
        """All players as they stand now, that of the rest last; copies."""
        return [self.member(lane) for lane in range(self.active)]

    def statistics(self) -> list[Statistics]:
        """The statistics of all players, that of the rest last."""
        return [self._statistics(lane) for lane in range(self.active)]

    def all_weights(self) -> list[Floats]:
        """The weights of each class in view A, the bias first."""
        rows = self._by_lane("rows")
        found: list[Floats] = []
        for lane in range(self.n_classes):
            panel = copy.copy(self.pattern)
            panel.n_features = self.n_features
            panel.state = panel.state._replace(
                rows=rows[:, lane], stack=self._panels.stack[lane]
            )
            panel.forest = lane_alone(self.forest, lane)
            found.append(panel.all_weights())
        return found

    def alone(self, k: int) -> PanelPlayer:
        """The panel of class number `k`, with what the forest says of this class."""
        player = self.member(k)
        player.plant(lane_alone(self.forest, k))
        return player

    def dismiss(self, n_classes: int) -> None:
        """Back to fewer classes, when nobody has learned."""
        self.n_classes = n_classes
        self.active = n_classes + 1
        if self._given_up is not None:
            self.forest, self._given_up = self._given_up, None
            self.forest_row = self._new_forest_row(self.forest_row.features.size)
        del self._seconds[self.active :]

    def rest_loss(self) -> float:
        """What the rest has paid so far."""
        return float(self._panels.sums[self.n_classes, LOSS])

    def grow(self, n_features: int) -> None:
        """Make room for more features; the arrays double."""
        if n_features <= self.n_features:
            return
        room = len(self._panels.moments)
        if n_features + 1 > room:
            self._widen(max(n_features + 1, 2 * room), self._panels.scores.size)
            self.forest_row = self._new_forest_row(self.forest_row.features.size)
        self.n_features = n_features

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""
        self.pattern.make_tile(longest)
        entries = self._panels.scores.size * self.pattern.tile.exact.shape[1]
        if entries > self._panels.exact.shape[1]:
            exact = np.zeros((EXACT, entries))
            self._panels = self._panels._replace(exact=exact)
        if self.has_forest and longest > self.forest_row.features.size:
            self.forest_row = self._new_forest_row(2 * longest)

    @property
    def has_forest(self) -> bool:
        """Whether a forest plays: rows have been narrow so far, and classes few."""
        return bool(self.forest.numbers[LIVE])

    def lanes_of_forest(self, lanes: int) -> Forest:
        """The forest with its first lanes only."""
        return some_lanes(self.forest, slice(0, lanes))

    def forest_arrays(self) -> Document:
        """What the forest remembers, by name, if it plays; copies."""
        forest = self.lanes_of_forest(self.active)
        return forest_arrays(forest) if self.has_forest else {}

    def shared_arrays(self) -> Document:
        """What all classes share: the forest, if it plays, and the mixture; copies."""
        return {**self.forest_arrays(), **mixture_arrays(self.mixture)}

    def mixture_losses(self) -> tuple[float, float, float] | None:
        """What the mixture has paid, its own forecast and its shared one."""
        numbers = self.mixture.numbers
        if numbers[MIXED_ROUNDS] == 0.0:
            return None
        mixed, own, shared = numbers[[MIXED_LOSS, OWN_LOSS, SHARED_LOSS]].tolist()
        return mixed, own, shared

    def _new_forest_row(self, longest: int) -> ForestRow:
        room = len(self._panels.moments) if self.has_forest else 0
        return new_row(SETTINGS, self.forest, room, longest)

    def play(
        self, observer: Statistics, confusion: Longs, piece: Stretch
    ) -> tuple[int, float]:
        """Play a piece; return how many rows were played, and the seconds."""
        from .panel_lanes import play_in_turn, play_side_by_side

        work = piece.targets.size * self.active
        staged = self.active > 1 and worth_stages(self.threads, work, piece.importance)
        play = play_side_by_side if staged else play_in_turn
        live = self.has_forest
        played, spent = play(self, observer, confusion, piece)
        if live and not self.has_forest and played < piece.targets.size:
            more, longer = play(self, observer, confusion, piece.after(played))
            played, spent = played + more, spent + longer
        if played:
            self._given_up = None
        self._seconds = [then + spent / self.active for then in self._seconds]
        return played, spent

    def scores(self, rows: Rows, n: int) -> Floats:
        """The log-odds of each class against the rest, learning nothing."""
        from ...kernels.class_panels import score_class_panels
        from ...kernels.compiled import entry

        out = np.empty((n, self.n_classes))
        pattern, panels = self.pattern, self._panels
        tile = pattern.new_tile(longest_of(rows))  # threads may predict at once
        panels = panels._replace(
            exact=np.zeros((EXACT, panels.scores.size * tile.exact.shape[1])),
            margins=np.zeros(panels.margins.shape),
            inputs=np.zeros(panels.inputs.shape),
            scores=np.zeros(panels.scores.shape),
        )
        forest = (
            Codes(),
            SETTINGS,
            self.forest,
            self._new_forest_row(longest_of(rows)),
        )
        mixture = with_room(self.mixture, self.n_classes)
        shared = (pattern.view, pattern.constants, panels, tile, forest, mixture)
        arguments = (*shared, rows, out)
        entry(score_class_panels, arguments)(*arguments)
        return out

    def shared(self) -> tuple[Part, Constants, ClassPanels, Tile]:
        """What all lanes play with: view, constants, panels, a tile."""
        pattern = self.pattern
        return (pattern.view, pattern.constants, self._panels, pattern.tile)

    def _blank(self, room: int, lanes: int) -> ClassPanels:
        """Lanes that nobody has taken."""
        pattern = self.pattern
        constants, real = pattern.constants, pattern.dtype
        weights = 2 * len(constants.row_steps)
        curves = 2 * len(constants.curve_steps) + 1 + COINS
        size, width = pattern.state.covariance.shape
        columns = COUNTS + weights * real.itemsize // 8
        each = 8 * columns + slots(pattern.view) * curves * real.itemsize
        refuse_size(room * (8.0 * MOMENTS + lanes * each), lanes, room - 1, COPIES)
        record = zeros((room * lanes, columns), EXACTLY)
        return ClassPanels(
            moments=zeros((room, MOMENTS), EXACTLY),
            counts=record,
            rows=record.view(real),
            curves=zeros((room * lanes * slots(pattern.view), curves), real),
            stack=np.zeros((lanes, width)),
            covariance=np.zeros((lanes, size, width)),
            numbers=np.zeros((lanes, NUMBERS)),
            exact=np.zeros((EXACT, lanes * pattern.tile.exact.shape[1])),
            margins=np.zeros((lanes, constants.members)),
            inputs=np.zeros((lanes, width)),
            scores=np.zeros(lanes),
            rounds=np.zeros((lanes, TALLIES), np.int64),
            sums=np.zeros((lanes, SUMS)),
            courses=np.zeros((lanes, CURVE, CURVE_COLUMNS)),
        )

    def _widen(self, room: int, lanes: int) -> None:
        """The same with room for more features, or more lanes."""
        old = self._panels
        known, before = len(old.moments), old.scores.size
        had = {name: self._by_lane(name) for name in ("counts", "curves")}
        self._panels = self._blank(room, lanes)
        self.mixture = with_room(self.mixture, lanes)
        self._panels.moments[:known] = old.moments
        for some in self._met():
            for name, array in had.items():
                self._by_lane(name)[some, :before] = array[some]
        for name in PER_LANE:
            getattr(self._panels, name)[:before] = getattr(old, name)

    def _by_lane(self, name: str) -> Array:
        """What lanes know of features, as ``array[feature, lane, ...]``."""
        panels = self._panels
        room, lanes = len(panels.moments), panels.scores.size
        array = getattr(panels, name)
        if name == "curves":
            return array.reshape(room, lanes, -1, array.shape[1])
        return array.reshape(room, lanes, array.shape[1])

    def _met(self) -> Iterator[Longs]:
        """The features that rows have had, some at a time.

        Nothing is known of the others, and memory that is not written to is not taken.
        """
        moments = self._panels.moments
        met = np.flatnonzero(moments[:, POSITIVE] + moments[:, NEGATIVE] > 0.0)
        for first in range(0, met.size, AT_ONCE):
            yield met[first : first + AT_ONCE]

    def copy_rest(self) -> None:
        """One more lane, equal to the last."""
        lane = self.active
        lanes = self._panels.scores.size
        if lane == lanes:
            # By a quarter, so that many classes are not moved again and again.
            self._widen(len(self._panels.moments), lanes + max(1, lanes // 4))
        for some in self._met():
            for name in ("counts", "curves"):
                array = self._by_lane(name)
                array[some, lane] = array[some, lane - 1]
        for name in PER_LANE:
            array = getattr(self._panels, name)
            array[lane] = array[lane - 1]
        self._copy_branch(lane)
        self._seconds.append(self._seconds[-1])
        self.active += 1

    def _copy_branch(self, lane: int) -> None:
        """One more lane of the forest, equal to the last; too many end it."""
        if not self.has_forest:
            return
        if lane >= SETTINGS.most:
            self._given_up = self.forest
            self.forest = new_forest(SETTINGS, codes=True, live=False)
            self.forest_row = self._new_forest_row(64)
            return
        if lane >= len(self.forest.stack):
            self.forest = with_lanes(self.forest, lane + 1 + lane // 4)
            self.forest_row = self._new_forest_row(self.forest_row.features.size)
        for array in (self.forest.stack, self.forest.covariance):
            array[lane] = array[lane - 1]
        outputs = self.forest.outputs[: int(self.forest.numbers[LEAVES])]
        outputs[:, lane] = outputs[:, lane - 1]

    def _seat(self, lane: int, player: PanelPlayer) -> None:
        """Let a lane be what a player is."""
        panels, arrays = self._panels, player.arrays()
        known = player.n_features + 1
        counts, rows = self._by_lane("counts"), self._by_lane("rows")
        weights = arrays["rows"].shape[1]
        curves = self._by_lane("curves")
        given = arrays["curves"].reshape(known, *curves.shape[2:])
        for some in self._met():
            counts[some, lane, 0] = arrays["moments"][some, NEGATIVE]
            counts[some, lane, 1] = arrays["moments"][some, POSITIVE]
            rows[some, lane, -weights:] = arrays["rows"][some]
            curves[some, lane] = given[some]
        for name in ("stack", "covariance", "numbers"):
            getattr(panels, name)[lane] = arrays[name]
        statistics = player.statistics
        panels.rounds[lane] = statistics.counts
        panels.sums[lane] = statistics.sums
        panels.courses[lane] = statistics.curve

    def _statistics(self, lane: int) -> Statistics:
        panels = self._panels
        kept = (panels.rounds, panels.sums, panels.courses)
        return Statistics(*(array[lane].copy() for array in kept))

    def member(self, k: int) -> PanelPlayer:
        """A copy of the panel of class number `k`, without a forest."""
        player = copy.copy(self.pattern)
        player.adopt(self._state_of(k), new_forest(SETTINGS, live=False))
        player.statistics = self._statistics(k)
        player.seconds = self._seconds[k]
        return player

    def frozen(self, k: int) -> FrozenPanel:
        """The same, frozen."""
        one = self.pattern
        panel = FrozenPanel(one.view, one.constants, dtype=one.dtype, forest=False)
        panel.adopt(self._state_of(k), panel.forest)
        return panel

    def _state_of(self, k: int) -> PanelState:
        """What the panel of a class knows; memory of other features is not touched."""
        panels, known = self._panels, self.n_features + 1
        counts, rows = self._by_lane("counts"), self._by_lane("rows")
        curves = self._by_lane("curves")
        state = self.pattern.new_state(known, scattered=True)
        own = self.pattern.named(state)
        own_curves = own["curves"].reshape(known, *curves.shape[2:])
        weights = own["rows"].shape[1]
        for some in self._met():
            own["moments"][some] = panels.moments[some]
            own["moments"][some, NEGATIVE] = counts[some, k, 0]
            own["moments"][some, POSITIVE] = counts[some, k, 1]
            own["rows"][some] = rows[some, k, -weights:]
            own_curves[some] = curves[some, k]
        for name in ("stack", "covariance", "numbers"):
            own[name][:] = getattr(panels, name)[k]
        return state
