"""Frozen hypotheses in places of their own, and which of them err on fresh rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard, cast

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.validate import LANES, validate_rows
from ...engine.players.classes.frozen import FrozenClasses, wrong_classes
from ...engine.players.linear import LinearPlayer
from ...engine.players.player import FreezingPlayer, Hypothesis, Player
from ...engine.players.regression import RegressionPlayer
from ...engine.storage import checked_array
from ...parts.rows import Biased, Dense, Sparse
from ...parts.state import Floats

__all__ = ["CHUNK", "FrozenHypotheses", "FrozenWeights", "freezer_of"]

Rows = Dense | Sparse
CHUNK = 4096  # rows validated while they are still in the cache


class FrozenWeights:
    """Weights, four hypotheses side by side."""

    kept = 4  # positions; at each the weights and a mean, two multiples of LANES

    def __init__(self, player: LinearPlayer | RegressionPlayer) -> None:
        self.player = player
        self._lanes = np.zeros((2 * self.kept // LANES, 0, LANES))
        self._wrong = np.zeros((CHUNK, 2 * self.kept), np.bool_)
        self._sizes = [0] * 2 * self.kept

    def now(self) -> Floats:
        """What the player is now."""
        return self.player.all_weights()

    def averaged(self, weights: Floats) -> Floats:
        """A mean of hypotheses as a hypothesis."""
        return weights

    def held(self, place: int) -> Floats:
        """Frozen weights, the bias first."""
        lane = self._lanes[place // LANES, :, place % LANES]
        return np.ascontiguousarray(lane[: self._sizes[place]])

    def put(self, place: int, weights: Floats) -> None:
        """Lay frozen weights out for the kernel."""
        self._make_room()
        lane = self._lanes[place // LANES, :, place % LANES]
        lane[:] = 0.0
        lane[: weights.size] = weights
        self._sizes[place] = weights.size

    def pack(self, weights: Floats) -> Any:
        """A frozen hypothesis as plain data and arrays."""
        return weights

    def unpack(self, stored: Any) -> Floats:
        """What :meth:`pack` packed; it never has more weights than the player."""
        weights = checked_array({"weights": stored}, "weights")
        if weights.size > self.player.state.primal.size:
            raise ValueError("it has kept more weights than there are")
        return weights

    def wrong(self, rows: Rows, targets: Floats, places: Sequence[int]) -> Any:
        """For each of the places, which rows its hypothesis errs on."""
        self._make_room()
        seen: Any = Biased(rows) if self.player.bias else rows
        shift = -float(self.player.parts.threshold)
        used = max(places) + 1
        arguments = (seen, targets, self._lanes, shift, self._wrong, used)
        entry(validate_rows, arguments)(*arguments)
        return [self._wrong[: targets.size, place] for place in places]

    def _make_room(self) -> None:
        """As many rows of frozen weights as the player has weights."""
        size = self.player.state.primal.size
        if size > self._lanes.shape[1]:
            grown = np.zeros((2 * self.kept // LANES, size, LANES))
            grown[:, : self._lanes.shape[1]] = self._lanes
            self._lanes = grown


class FrozenHypotheses:
    """Whole hypotheses, which their player freezes: panels, machines, many classes."""

    def __init__(self, player: FreezingPlayer) -> None:
        self.player = player
        self.kept = FrozenWeights.kept if player.averages else 3  # others are large
        self._held: dict[int, Hypothesis] = {}

    def now(self) -> Hypothesis:
        """What the player is now."""
        return self.player.frozen()

    def averaged(self, weights: Floats) -> FrozenClasses:
        """A mean of hypotheses of many classes as a hypothesis of the same kind."""
        now: Any = self.player.frozen()
        return FrozenClasses(weights, now.shift, now.bias, now.slopes)

    def held(self, place: int) -> Hypothesis:
        """A frozen hypothesis."""
        return self._held[place]

    def put(self, place: int, hypothesis: Hypothesis) -> None:
        """Let a frozen hypothesis predict what comes."""
        self._held[place] = hypothesis

    def pack(self, hypothesis: Hypothesis) -> Any:
        """A frozen hypothesis as plain data and arrays."""
        return hypothesis.arrays()

    def unpack(self, stored: Any) -> Hypothesis:
        """What :meth:`pack` packed; it knows no more than the player."""
        found, player = self.player.thawed(stored), self.player
        if found.n_features > player.n_features or found.n_classes > player.n_classes:
            raise ValueError("it has kept more weights than there are")
        return found

    def wrong(self, rows: Rows, targets: Floats, places: Sequence[int]) -> Any:
        """For each of the places, which rows its hypothesis errs on.

        Features that came later are unknown to it: they have no weight yet.
        """
        found: list[Any] = []
        for place in places:
            held = self._held[place]
            held.grow(self.player.n_features)
            scores = held.scores(rows, targets.size)
            if self.player.classes:
                found.append(wrong_classes(scores, targets))
            else:
                found.append(~(targets * scores > 0.0))
        return found


def freezer_of(player: Player) -> FrozenWeights | FrozenHypotheses:
    """What keeps the hypotheses of this player."""
    if _is_linear(player):
        return FrozenWeights(player)
    return FrozenHypotheses(cast("FreezingPlayer", player))


def _is_linear(player: Player) -> TypeGuard[LinearPlayer | RegressionPlayer]:
    return player.linear
