"""Frozen hypotheses in places of their own, and which of them err on fresh rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.validate import LANES, validate_rows
from ...engine.players.classes import ClassPlayer, OneVersusRestPlayer
from ...engine.players.classes.frozen import FrozenClasses, wrong_classes
from ...engine.players.kernel import FrozenMachine
from ...engine.players.linear import Player
from ...engine.players.panel import FrozenPanel
from ...engine.players.regression import RegressionPlayer
from ...engine.storage import checked_array
from ...parts.rows import Biased, Dense, Sparse
from ...parts.state import Floats

__all__ = ["CHUNK", "FrozenHypotheses", "FrozenPanels", "FrozenWeights"]

Whole: TypeAlias = FrozenPanel | FrozenMachine
CHUNK = 4096  # rows validated while they are still in the cache


class FrozenWeights:
    """Weights, four hypotheses side by side."""

    kept = 4  # positions; at each the weights and a mean, two multiples of LANES

    def __init__(self, player: Player | RegressionPlayer) -> None:
        self.player = player
        self._lanes = np.zeros((2 * self.kept // LANES, 0, LANES))
        self._wrong = np.zeros((CHUNK, 2 * self.kept), np.bool_)
        self._sizes = [0] * 2 * self.kept

    def take(self, place: int) -> None:
        """Freeze what the player is now."""
        self.put(place, self.player.all_weights())

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

    def wrong(
        self, rows: Dense | Sparse, targets: Floats, places: Sequence[int]
    ) -> Any:
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


class FrozenPanels:
    """Whole panels, or kernel machines. They are large, so there are few."""

    kept = 3

    def __init__(self, player: Whole) -> None:
        self.player: Any = player
        self._panels: dict[int, Any] = {}

    def take(self, place: int) -> None:
        """Freeze what the player is now."""
        self._panels[place] = self.player.frozen()

    def held(self, place: int) -> Whole:
        """A frozen panel, or machine."""
        return self._panels[place]

    def put(self, place: int, panel: Whole) -> None:
        """Let a frozen panel predict what comes."""
        self._panels[place] = panel

    def pack(self, panel: Whole) -> Any:
        """A frozen panel as arrays."""
        return panel.arrays()

    def unpack(self, stored: Any) -> Whole:
        """What :meth:`pack` packed."""
        panel = self.player.blank()
        panel.load_state(stored)
        if panel.n_features > self.player.n_features:
            raise ValueError("it has kept more features than there are")
        return panel

    def wrong(
        self, rows: Dense | Sparse, targets: Floats, places: Sequence[int]
    ) -> Any:
        """For each of the places, which rows its panel errs on.

        Features that came later are unknown to it: they have no weight yet.
        """
        return [
            ~(targets * self._scores(self._panels[place], rows, targets.size) > 0.0)
            for place in places
        ]

    def _scores(self, panel: Whole, rows: Dense | Sparse, n: int) -> Floats:
        panel.grow(self.player.n_features)
        return panel.scores(rows, n)


class FrozenHypotheses:
    """Hypotheses of many classes, which a player of them freezes."""

    def __init__(self, player: ClassPlayer) -> None:
        self.player = player
        panels = isinstance(player, OneVersusRestPlayer) and player.panels
        self.kept = FrozenPanels.kept if panels else FrozenWeights.kept
        self._held: dict[int, Any] = {}

    def take(self, place: int) -> None:
        """Freeze what the player is now."""
        self._held[place] = self.player.frozen()

    def averaged(self, weights: Floats) -> FrozenClasses:
        """A mean of hypotheses as a hypothesis of the same kind."""
        now: Any = self.player.frozen()
        return FrozenClasses(weights, now.shift, now.bias, now.slopes)

    def held(self, place: int) -> Any:
        """A frozen hypothesis."""
        return self._held[place]

    def put(self, place: int, hypothesis: Any) -> None:
        """Let a frozen hypothesis predict what comes."""
        self._held[place] = hypothesis

    def pack(self, hypothesis: Any) -> Any:
        """A frozen hypothesis as plain data and arrays."""
        return hypothesis.arrays()

    def unpack(self, stored: Any) -> Any:
        """What :meth:`pack` packed; it knows no more than the player."""
        found = self.player.thawed(stored)
        player = self.player
        if found.n_features > player.n_features or found.n_classes > player.n_classes:
            raise ValueError("it has kept more weights than there are")
        return found

    def wrong(
        self, rows: Dense | Sparse, targets: Floats, places: Sequence[int]
    ) -> Any:
        """For each of the places, which rows its hypothesis errs on."""
        found: list[Any] = []
        for place in places:
            held = self._held[place]
            held.grow(self.player.n_features)
            scores = held.scores(rows, targets.size)
            found.append(wrong_classes(scores, targets))
        return found
