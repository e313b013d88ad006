"""Additive binary learners, one a class, in lanes: all play in one pass over a row.

Each is what it would be alone, bit for bit.
"""

from __future__ import annotations

import copy
import time

from ....parts.multiclass import LANES, Lanes, blocks_for, new_lanes, widened
from ....parts.observers import LOSS, Statistics
from ....parts.rows import Longs, Rows
from ....parts.state import Floats
from ...hypotheses.classes import lane_scores, lane_scoring
from ...memory import refuse_size
from ..linear import LinearPlayer
from ..row_player import EQUAL, Call, Mark
from .class_player import ClassPiece
from .members import Members

SHARED = ("numbers", "counts", "sums", "curves")


class VectorizedMembers(Members[LinearPlayer]):
    """Additive players of one kind, in lanes; that of the rest is the last one.

    Parameters
    ----------
    players : list of LinearPlayer
        One a class, and that of the rest.
    n_classes : int
        How many classes there are.
    """

    def __init__(self, players: list[LinearPlayer], n_classes: int) -> None:
        first = players[0]
        self.n_classes = n_classes
        self._active = len(players)
        self._pattern = first
        self.n_features = max(player.n_features for player in players)
        size = self.n_features + first.bias
        self._lanes: Lanes = new_lanes(blocks_for(len(players)), size, statistics=True)
        blank = first.state._replace(primal=EQUAL, scratch=EQUAL, shown=EQUAL)
        self._blank = blank
        for lane, player in enumerate(players):
            known = min(player.state.primal.size, size)
            self._lane(lane)[:known] = player.state.primal[:known]
            self._lanes.numbers[lane] = player.state.numbers
            statistics = player.statistics
            self._lanes.counts[lane] = statistics.counts
            self._lanes.sums[lane] = statistics.sums
            self._lanes.curves[lane] = statistics.curve

    def members(self) -> list[LinearPlayer]:
        """All players as they stand now, that of the rest last; copies."""
        return [self._member(lane) for lane in range(self._active)]

    def statistics(self) -> list[Statistics]:
        """The statistics of all players, that of the rest last; copies."""
        return [self._statistics(lane) for lane in range(self._active)]

    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""
        return self.n_features, self.n_classes, self._active

    def return_to(self, mark: Mark) -> None:
        """Undo growth of features and classes; the room stays."""
        self.n_features, self.n_classes, self._active = mark

    def scores(self, rows: Rows, n: int) -> Floats:
        """What each class says of `n` rows now, a column each."""
        seen, shift = self._pattern.seen(rows), -self._pattern.parts.threshold
        return lane_scores(self._lanes, seen, n, self.n_classes, shift, scaled=True)

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores one row."""
        seen, shift = self._pattern.seen(rows), -self._pattern.parts.threshold
        return [lane_scoring(self._lanes, seen, out, shift, scaled=True)]

    def held(self) -> tuple[object, ...]:
        """The lanes."""
        return (self._lanes,)

    def rest_loss(self) -> float:
        """What the rest has paid so far."""
        return float(self._lanes.sums[self.n_classes, LOSS])

    def grow(self, n_features: int) -> None:
        """Make room for more features; the arrays double."""
        if n_features <= self.n_features:
            return
        size = n_features + self._pattern.bias
        lanes = self._lanes.scores.size
        if size * lanes > self._lanes.weights.size:
            room = max(size, 2 * self._lanes.weights.size // lanes)
            refuse_size(8.0 * room * lanes, self._active, n_features)
            self._lanes = widened(self._lanes, room, lanes // LANES, statistics=True)
        self.n_features = n_features

    def make_tile(self, longest: int) -> None:
        """Nothing to do: a row needs no scratch."""

    def play(
        self, observer: Statistics, confusion: Longs, piece: ClassPiece
    ) -> tuple[int, float]:
        """Play a piece; return how many rows were played, and the seconds."""
        began = time.perf_counter()
        ((kernel, arguments),) = self.playing(observer, confusion, piece)
        return kernel(*arguments) or 0, time.perf_counter() - began

    def playing(
        self, observer: Statistics, confusion: Longs, piece: ClassPiece
    ) -> list[Call]:
        """What plays a piece."""
        from ...kernels.compiled import entry
        from ...kernels.multiclass import play_one_versus_rest

        arguments = (
            self._pattern.parts,
            self._lanes,
            self._blank,
            observer,
            confusion,
            piece.trace,
            self._pattern.seen(piece.rows),
            piece.targets,
            piece.importance,
            (*piece.known, self._active),
        )
        return [(entry(play_one_versus_rest, arguments), arguments)]

    def clone_last(self) -> None:
        """One more lane, equal to the last."""
        lane = self._active
        if lane == self._lanes.scores.size:
            # Twice as many, so that many classes are not moved again and again.
            blocks = 2 * lane // LANES if lane > LANES else lane // LANES + 1
            size = self._lanes.weights.nbytes / lane * blocks * LANES
            refuse_size(size, lane, self.n_features)
            self._lanes = widened(self._lanes, 0, blocks, statistics=True)
        self._lane(lane)[:] = self._lane(lane - 1)
        for name in SHARED:
            array = getattr(self._lanes, name)
            array[lane] = array[lane - 1]
        self._active += 1

    def _lane(self, lane: int) -> Floats:
        return self._lanes.weights.reshape(-1, self._lanes.scores.size)[:, lane]

    def _member(self, lane: int) -> LinearPlayer:
        player = copy.copy(self._pattern)
        size = self.n_features + player.bias
        player.n_features = self.n_features
        player.state = player.state._replace(
            primal=self._lane(lane)[:size].copy(),
            numbers=self._lanes.numbers[lane].copy(),
        )
        player.statistics = self._statistics(lane)
        return player

    def _statistics(self, lane: int) -> Statistics:
        lanes = self._lanes
        return Statistics(
            lanes.counts[lane].copy(),
            lanes.sums[lane].copy(),
            lanes.curves[lane].copy(),
        )
