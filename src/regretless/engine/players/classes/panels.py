"""Panels, one a class and one of the rest, that share the views of a row.

Each of them is what it would be alone, bit for bit (see ``hypotheses.lanes``), up to
the number of classes from which on only a list of them plays a row.
"""

from __future__ import annotations

import copy

import numpy as np

from ....parts.documents import Document
from ....parts.observers import LOSS, Statistics, new_statistics
from ....parts.panel.class_mixture import MIXED_LOSS, OWN_LOSS, ROUNDS, SHARED_LOSS
from ....parts.panel.class_panels import ClassPanels
from ....parts.panel.forest import (
    LEAVES,
    LIVE,
    SETTINGS,
    Forest,
    lane_alone,
    new_forest,
    some_lanes,
    with_lanes,
)
from ....parts.panel.state import Constants, Tile
from ....parts.part_types import Part
from ....parts.rows import Longs, Rows, some_rows
from ....parts.state import Floats
from ...hypotheses.class_panels import FrozenClassPanels
from ...hypotheses.class_probabilities import Slopes
from ...hypotheses.forest_state import forest_arrays, forest_from
from ...hypotheses.lanes import PanelLanes
from ...hypotheses.met_features import MetFeatures, PlainColumns, spread_out
from ...hypotheses.stored_lanes import lanes_from, stored_lanes
from ...ledger import row_statistics
from ...storage import SIZES, checked_float
from ..panel import PanelPlayer
from ..row_player import Call, Mark
from ..stages import worth_stages
from .class_player import ClassPiece
from .members import Members


class PanelMembers(Members[PanelPlayer]):
    """Panels of one kind, in lanes; that of the rest is the last one.

    Parameters
    ----------
    rest : PanelPlayer
        At its start: who plays the rest, and what every class begins as.
    lanes : PanelLanes
        The panels, that of the rest last.
    n_classes : int
        How many classes there are.
    forest : Forest
        That of all classes together: a lane for each of the panels.
    seconds : float
        That each of them has played.
    """

    def __init__(
        self,
        rest: PanelPlayer,
        lanes: PanelLanes,
        n_classes: int,
        forest: Forest,
        seconds: float,
    ) -> None:
        self.n_classes = n_classes
        self.active = lanes.room
        self.lanes = lanes
        self._rest = rest
        self._seconds = seconds
        self.forest = forest
        self.forest_row = lanes.new_forest_row(forest, 64)

    @property
    def n_features(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """How many features may have come."""
        return self.lanes.met.room

    @n_features.setter
    def n_features(  # pyright: ignore[reportIncompatibleVariableOverride]
        self, known: int
    ) -> None:
        self.lanes.met.room = known

    @classmethod
    def begun(cls, rest: PanelPlayer, forest: Forest) -> PanelMembers:
        """The rest alone."""
        met = MetFeatures(rest.n_features, np.zeros(0, np.int64))
        lanes = PanelLanes(_pattern(rest), 1, met)
        lanes.note(0, rest.statistics)
        return cls(rest, lanes, 0, forest, 0.0)

    @classmethod
    def restored(
        cls, rest: PanelPlayer, n_classes: int, stored: Document
    ) -> PanelMembers:
        """Those that :meth:`state_dict` wrote down; ValueError if it is invalid."""
        players = stored["players"]
        lanes = lanes_from(_pattern(rest), stored, players)
        forest = forest_from(stored, SETTINGS, lanes.met.count)
        if forest.numbers[LIVE] and len(forest.stack) != len(players):
            raise ValueError("its forest is of other classes")
        for lane, player in enumerate(players):
            lanes.note(lane, row_statistics(new_statistics(), player["statistics"]))
        seconds = [checked_float(player, "seconds", SIZES) for player in players]
        return cls(rest, lanes, n_classes, forest, max(seconds))

    def state_dict(self) -> Document:
        """All panels and their forest, as plain data and arrays; copies."""
        panels, shared = stored_lanes(self.lanes, self.active)
        players = [
            {**arrays, "statistics": statistics._asdict(), "seconds": self._seconds}
            for arrays, statistics in zip(panels, self.statistics(), strict=True)
        ]
        return {"players": players, **shared, **self._forest_arrays()}

    def _forest_arrays(self) -> Document:
        """What the forest remembers, by name, if it plays; copies."""
        return forest_arrays(some_lanes(self.forest, slice(0, self.active)))

    def members(self) -> list[PanelPlayer]:
        """All players as they stand now, that of the rest last; copies."""
        return [self.member(lane) for lane in range(self.active)]

    def statistics(self) -> list[Statistics]:
        """The statistics of all players, that of the rest last."""
        return [self.lanes.statistics(lane) for lane in range(self.active)]

    def all_weights(self) -> Floats:
        """The weights of each class in view A, the bias first."""
        columns, _ = self.lanes.known(self.n_features)
        return spread_out(self.known_weights(), columns, self.n_features + 1)

    def known_weights(self) -> Floats:
        """The same of the features that rows have had, in order."""
        _, places = self.lanes.known(self.n_features)
        return self.lanes.weights(self.n_classes, places, self.forest)

    def alone(self, k: int) -> PanelPlayer:
        """The panel of class number `k`, with what the forest says of this class."""
        return self._member(k, lane_alone(self.forest, k))

    def member(self, k: int) -> PanelPlayer:
        """A copy of the panel of class number `k`, without a forest."""
        return self._member(k, new_forest(SETTINGS, live=False))

    def _member(self, k: int, forest: Forest) -> PanelPlayer:
        player = copy.copy(self._rest)
        player.set_state(*self.lanes.alone(k, forest, self.n_features))
        player.statistics = self.lanes.statistics(k)
        player.seconds = self._seconds
        return player

    def frozen(self, slopes: Slopes | None) -> FrozenClassPanels:
        """What predicts now, to be kept."""
        forest = forest_from(self._forest_arrays(), SETTINGS, self.lanes.met.count)
        lanes = self.lanes.frozen(self.n_classes)
        return FrozenClassPanels(lanes, slopes, forest, self.n_features)

    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""
        known = (self.n_features, self.lanes.met.count)
        return *known, self.n_classes, self.active, self.forest

    def return_to(self, mark: Mark) -> None:
        """Undo growth of features and classes; the room stays."""
        known, count, self.n_classes, self.active, forest = mark
        self.lanes.met.room = known
        self.lanes.met.return_to(count)
        if not self.has_forest and forest.numbers[LIVE]:
            self._put_forest(forest)

    def rest_loss(self) -> float:
        """What the rest has paid so far."""
        return float(self.lanes.panels.statistic_sums[self.n_classes, LOSS])

    def grow(self, n_features: int) -> None:
        """Let more features come."""
        self.lanes.met.grow(n_features)

    def make_tile(self, longest: int) -> None:
        """Make room for rows with this many entries."""
        self.lanes.make_tile(longest)
        if self.has_forest and longest > self.forest_row.features.size:
            self._put_forest(self.forest, 2 * longest)

    @property
    def has_forest(self) -> bool:
        """Whether a forest plays: rows have been narrow so far, and classes few."""
        return bool(self.forest.numbers[LIVE])

    def _put_forest(self, forest: Forest, longest: int = 64) -> None:
        """Let this be the forest, with room for rows as long as they are, or longer."""
        longest = max(longest, self.forest_row.features.size)
        row = self.lanes.new_forest_row(forest, longest)
        self.forest, self.forest_row = forest, row  # of one size

    def play(
        self, observer: Statistics, confusion: Longs, piece: ClassPiece
    ) -> tuple[int, float]:
        """Play a piece; return how many rows were played, and the seconds."""
        from .panel_lanes import play_in_turn, play_listed, play_side_by_side

        n, live = piece.targets.size, self.has_forest
        work = n * self.active // 4  # lanes are quick, and take a while to share out
        staged = self.active > 1 and worth_stages(self.threads, work, piece.importance)
        play = play_side_by_side if staged else play_in_turn
        if self.lanes.lists(self.n_classes):
            play = play_listed
        rows = self.meet(piece.rows)
        played, spent = play(self, observer, confusion, piece, rows)
        if live and not self.has_forest and played < n:
            rest, left = piece.after(played), some_rows(rows, played, n)
            more, longer = play(self, observer, confusion, rest, left)
            played, spent = played + more, spent + longer
        self._seconds += spent / self.active
        return played, spent

    def playing(
        self, observer: Statistics, confusion: Longs, piece: ClassPiece
    ) -> list[Call]:
        """What plays a row whose features have been met (:meth:`meet`)."""
        from .panel_lanes import play_one

        numbering, rows = self.lanes.met.numbering(piece.rows, learned=True)
        return [*numbering, *play_one(self, observer, confusion, piece, rows)]

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores one row."""
        numbering, found = self.lanes.met.numbering(rows, learned=False)
        room = (self.lanes.panels, self.lanes.pattern.tile, self.forest_row)
        scoring = self.lanes.scoring(found, out, self.forest, self.lanes.mixture, *room)
        return [*numbering, scoring]

    def held(self) -> tuple[object, ...]:
        """The arrays of all lanes, and of their forest."""
        return *self.lanes.held(), self.forest, self.forest_row

    def meet(self, rows: Rows) -> Rows:
        """Rows with numbers for their features, and room for them."""
        found = self.lanes.meet(rows)
        if self.has_forest and self.forest_row.values.size < self.lanes.places:
            self._put_forest(self.forest)
        return found

    def mixture_losses(self) -> tuple[float, float, float] | None:
        """What the mixture has paid, its own forecast and its shared one."""
        numbers = self.lanes.mixture.numbers
        if numbers[ROUNDS] == 0.0:
            return None
        mixed, own, shared = numbers[[MIXED_LOSS, OWN_LOSS, SHARED_LOSS]].tolist()
        return mixed, own, shared

    def scores(self, rows: Rows, n: int) -> Floats:
        """The log-odds of each class against the rest, learning nothing."""
        return self.lanes.scores(rows, n, self.n_classes, self.forest)

    def shared(self) -> tuple[Part, Constants, ClassPanels, Tile]:
        """What all lanes play with: view, constants, panels, a tile."""
        pattern = self.lanes.pattern
        return (pattern.view, pattern.constants, self.lanes.panels, pattern.tile)

    def admit(self, n_classes: int, *, last: bool) -> None:
        """Make more classes, each as the rest was; too many end the forest."""
        if self.has_forest and n_classes > SETTINGS.most:
            self._put_forest(new_forest(SETTINGS, codes=True, live=False))
        super().admit(n_classes, last=last)

    def expect(self, rows: Rows, n_classes: int) -> None:
        """Make room for rows and classes that are to come, and the rest."""
        self.lanes.expect(rows, n_classes + 1)

    def clone_last(self) -> None:
        """One more lane, equal to the last."""
        self.lanes.copy_lane(self.active - 1)
        self._copy_branch(self.active)
        self.active += 1

    def _copy_branch(self, lane: int) -> None:
        """One more lane of the forest, equal to the last."""
        if not self.has_forest:
            return
        if lane >= len(self.forest.stack):
            self._put_forest(with_lanes(self.forest, lane + 1 + lane // 4))
        for array in (self.forest.stack, self.forest.covariance):
            array[lane] = array[lane - 1]
        outputs = self.forest.outputs[: int(self.forest.numbers[LEAVES])]
        outputs[:, lane] = outputs[:, lane - 1]


def _pattern(rest: PanelPlayer) -> PanelPlayer:
    """The same without a feature."""
    pattern = copy.copy(rest)
    pattern.set_state(rest.new_state(1), rest.forest, PlainColumns(0))
    return pattern
