"""Several players of one family at once: one pass over a row, eight weights a feature.

Players belong together when they are additive, see rows as they are, and have parts of
the same kinds: then only numbers tell them apart (see
:mod:`regretless.engine.kernels.vectorized`).
What they met and paid goes into their own statistics; their weights are theirs again
when :meth:`VectorizedPlayers.settle` is called.
"""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Sequence
from typing import TypeGuard

import numpy as np

from ...parts.domains import Ball, Everywhere
from ...parts.geometries import Euclidean
from ...parts.prediction_rules import AsItStands
from ...parts.rows import Rows
from ...parts.state import Floats
from ...parts.views import AsIs
from ..feature_names import NamesOf
from ..refused_rows import bad_row
from .linear import LinearPlayer
from .player import Player
from .row_player import EQUAL

LANES = 8
LINE = 64  # bytes of a cache line: the weights of one feature


def families(players: Sequence[Player]) -> list[list[int]]:
    """The numbers of players that can be played together, at most eight a group."""
    kinds: dict[Hashable, list[int]] = {}
    for number, player in enumerate(players):
        kinds.setdefault(_kind(player, number), []).append(number)
    return [
        members[first : first + LANES]
        for members in kinds.values()
        for first in range(0, len(members), LANES)
    ]


def is_fusible(player: object) -> TypeGuard[LinearPlayer]:
    """Whether a player is additive, and sees rows as they are."""
    if type(player) is not LinearPlayer:
        return False
    parts = player.parts
    return (
        isinstance(parts.geometry, Euclidean)
        and isinstance(parts.domain, Everywhere | Ball)
        and isinstance(parts.view, AsIs)
        and isinstance(parts.foresight, AsItStands)
        and (parts.low, parts.high) == (-math.inf, math.inf)
        and not player.keeps_mean
    )


def _kind(player: Player, number: int) -> Hashable:
    """What players of one family have in common; for others, their own number."""
    if not is_fusible(player):
        return number
    return (player.bias, *(type(part) for part in player.parts))


class VectorizedPlayers:
    """Up to eight players of one family.

    Parameters
    ----------
    players : sequence of LinearPlayer
        At the same round. Until :meth:`settle` only their statistics are up to date.
    """

    def __init__(self, players: Sequence[LinearPlayer]) -> None:
        self.players = list(players)
        first = self.players[0]
        self.bias = first.bias
        self.n_features = first.n_features
        self._alive = np.zeros(LANES, np.int64)
        self._alive[: len(self.players)] = 1
        self._work = (np.zeros(4 * LANES), np.zeros(LANES), np.zeros(2 * LANES))
        # Lanes without a player repeat the first one's parts and are never alive.
        lanes = [*self.players, *[first] * (LANES - len(self.players))]
        self._parts = tuple(player.parts for player in lanes)
        blank = first.state._replace(primal=EQUAL, scratch=EQUAL, shown=EQUAL)
        self._states = tuple(
            blank._replace(numbers=player.state.numbers) for player in lanes
        )
        self._statistics = tuple(player.statistics for player in lanes)
        self._weights = EQUAL
        self._make_room(self.n_features + self.bias)
        for lane, player in enumerate(self.players):
            known = min(player.state.primal.size, self.n_features + self.bias)
            self._lane(lane)[:known] = player.state.primal[:known]

    def play(
        self,
        rows: Rows,
        targets: Floats,
        *,
        first: int = 0,
        names: NamesOf | None = None,
        weights: Floats | None = None,
    ) -> None:
        """Play a batch of rows in order; see :meth:`LinearPlayer.play`."""
        from ..kernels.compiled import entry
        from ..kernels.vectorized import play_lanes

        arguments = (
            self._parts,
            self._states,
            self._statistics,
            self._weights,
            self._work,
            self._alive,
            self.players[0].seen(rows),
            targets,
            EQUAL if weights is None else weights,
        )
        kernel = entry(play_lanes, arguments)
        began = time.perf_counter()
        played = kernel(*arguments)
        spent = time.perf_counter() - began
        for player in self.players:
            player.seconds += spent / len(self.players)
        if played < targets.size:
            raise bad_row(rows, played, first, names)

    def stopped(self) -> list[int]:
        """The members whose weights have overflowed; they play no further."""
        return [k for k in range(len(self.players)) if not self._alive[k]]

    def grow(self, n_features: int) -> None:
        """Make room for more features."""
        if n_features > self.n_features:
            self.n_features = n_features
            self._make_room(n_features + self.bias)

    def settle(self) -> None:
        """Give the players their weights back."""
        for lane, player in enumerate(self.players):
            player.grow(self.n_features)
            size = self.n_features + self.bias
            player.state.primal[:size] = self._lane(lane)[:size]

    def _lane(self, lane: int) -> Floats:
        return self._weights.reshape(-1, LANES)[:, lane]

    def _make_room(self, size: int) -> None:
        """Eight weights a feature, each feature's on one cache line."""
        if size * LANES <= self._weights.size:
            return
        room = LANES * max(size, 2 * self._weights.size // LANES)
        space = np.zeros(room + LANES)
        shift = -space.ctypes.data % LINE // 8
        larger = space[shift : shift + room]
        larger[: self._weights.size] = self._weights
        self._weights = larger
