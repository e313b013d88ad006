"""Frozen hypotheses in places of their own, and which of them err on fresh rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..classes import ClassPlayer, OneVersusRestPlayer
from ..classes.frozen import wrong_classes
from ..kernels.compiled import entry
from ..kernels.validate import LANES, validate_rows
from ..panel_player import FrozenPanel
from ..parts.rows import Biased, Dense, Sparse
from ..parts.state import Floats
from ..player import Player
from ..storage import checked_array

__all__ = ["CHUNK", "FrozenHypotheses", "FrozenPanels", "FrozenWeights"]

CHUNK = 4096  # rows validated while they are still in the cache


class FrozenWeights:
    """Weights, four hypotheses side by side."""

    kept = 8  # a multiple of LANES

    def __init__(self, player: Player) -> None:
        self.player = player
        self._lanes = np.zeros((self.kept // LANES, 0, LANES))
        self._wrong = np.zeros((CHUNK, self.kept), np.bool_)

    def take(self, place: int) -> Floats:
        """Freeze what the player is now; return its weights, the bias first."""
        weights = self.player.all_weights()
        self.put(place, weights)
        return weights

    def put(self, place: int, weights: Floats) -> None:
        """Lay frozen weights out for the kernel."""
        self._make_room()
        lane = self._lanes[place // LANES, :, place % LANES]
        lane[:] = 0.0
        lane[: weights.size] = weights

    def pack(self, weights: Floats) -> Any:
        """A frozen hypothesis as plain data and arrays."""
        return weights

    def unpack(self, stored: Any) -> Floats:
        """What :meth:`pack` packed; it never has more weights than the player."""
        weights = checked_array({"weights": stored}, "weights")
        if weights.size > self.player.state.primal.size:
            raise ValueError("it has kept more weights than there are")
        return weights

    def wrong(self, rows: Dense | Sparse, targets: Floats, taken: int) -> Any:
        """Whether the first `taken` err: a row of data a row, a hypothesis a column."""
        self._make_room()
        seen: Any = Biased(rows) if self.player.bias else rows
        shift = -float(self.player.parts.threshold)
        arguments = (seen, targets, self._lanes, shift, self._wrong, taken)
        entry(validate_rows, arguments)(*arguments)
        return self._wrong[: targets.size, :taken]

    def _make_room(self) -> None:
        """As many rows of frozen weights as the player has weights."""
        size = self.player.state.primal.size
        if size > self._lanes.shape[1]:
            grown = np.zeros((self.kept // LANES, size, LANES))
            grown[:, : self._lanes.shape[1]] = self._lanes
            self._lanes = grown


class FrozenPanels:
    """Whole panels. They are large, so there are few."""

    kept = 3

    def __init__(self, player: FrozenPanel) -> None:
        self.player = player
        self._panels: dict[int, FrozenPanel] = {}

    def take(self, place: int) -> FrozenPanel:
        """Freeze what the player is now."""
        self._panels[place] = self.player.frozen()
        return self._panels[place]

    def put(self, place: int, panel: FrozenPanel) -> None:
        """Let a frozen panel predict what comes."""
        self._panels[place] = panel

    def pack(self, panel: FrozenPanel) -> Any:
        """A frozen panel as arrays."""
        return panel.arrays()

    def unpack(self, stored: Any) -> FrozenPanel:
        """What :meth:`pack` packed."""
        panel = self.player.blank()
        panel.load_state(stored)
        if panel.n_features > self.player.n_features:
            raise ValueError("it has kept more features than there are")
        return panel

    def wrong(self, rows: Dense | Sparse, targets: Floats, taken: int) -> Any:
        """Whether the first `taken` err; features that came later are unknown to them.

        (Unknown features are new ones: they have no weight yet.)
        """
        columns = [
            ~(targets * self._scores(self._panels[place], rows, targets.size) > 0.0)
            for place in range(taken)
        ]
        return np.stack(columns, axis=1)

    def _scores(self, panel: FrozenPanel, rows: Dense | Sparse, n: int) -> Floats:
        panel.grow(self.player.n_features)
        return panel.scores(rows, n)


class FrozenHypotheses:
    """Hypotheses of many classes, which a player of them freezes."""

    def __init__(self, player: ClassPlayer) -> None:
        self.player = player
        panels = isinstance(player, OneVersusRestPlayer) and player.panels
        self.kept = FrozenPanels.kept if panels else FrozenWeights.kept
        self._held: dict[int, Any] = {}

    def take(self, place: int) -> Any:
        """Freeze what the player is now."""
        self._held[place] = self.player.frozen()
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

    def wrong(self, rows: Dense | Sparse, targets: Floats, taken: int) -> Any:
        """Whether the first `taken` err: a row of data a row, a hypothesis a column."""
        columns: list[Any] = []
        for place in range(taken):
            held = self._held[place]
            held.grow(self.player.n_features)
            scores = held.scores(rows, targets.size)
            columns.append(wrong_classes(scores, targets))
        return np.stack(columns, axis=1)
