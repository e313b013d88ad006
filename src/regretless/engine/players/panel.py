"""A panel in the middle of a game: a frozen one that also plays and keeps score."""

from __future__ import annotations

import time
from collections.abc import Mapping
from copy import copy, deepcopy
from typing import Any

import numpy as np

from ...parts.documents import Document
from ...parts.losses import Logistic
from ...parts.observers import traced
from ...parts.panel.state import Constants
from ...parts.rows import some_rows
from ...parts.state import Floats
from ..hypotheses.hypothesis import Rows
from ..hypotheses.panel import FrozenPanel
from ..ledger import statistics_from
from .forest_state import FOREST
from .row_player import EQUAL, Call, RowPlayer
from .stages import worth_stages

__all__ = ["PanelPlayer"]


class PanelPlayer(FrozenPanel, RowPlayer):
    """A panel that plays, as ``players.linear`` is a player of one linear learner."""

    starts_from = "panel"
    bias = True
    loss = Logistic()
    unknown_features_matter = True

    def __init__(
        self,
        view: Any,
        constants: Constants,
        n_features: int = 0,
        *,
        dtype: Any = np.float32,
        forest: bool = True,
    ) -> None:
        super().__init__(view, constants, n_features, dtype=dtype, forest=forest)
        self.begin_statistics()

    def playing(
        self, rows: Any, targets: Floats, importance: Floats = EQUAL, trace: Any = None
    ) -> Call:
        """The machine code that plays `rows`, and its arguments."""
        from ..kernels.compiled import entry
        from ..kernels.panel import play_panel

        trees, observer = self._trees(self.forest_row), traced(self.statistics, trace)
        panel = (self.view, self.constants, self.state, self.tile, trees)
        arguments = (*panel, observer, rows, targets, importance)
        return entry(play_panel, arguments), arguments

    def _play_rows(
        self, rows: Rows, targets: Floats, importance: Floats, trace: Any
    ) -> int:
        """Play rows in two stages, side by side, where that is worth it."""
        if not worth_stages(self.threads, targets.size, importance):
            return super()._play_rows(rows, targets, importance, trace)
        from .panel_stages import play_narrow, play_wide

        observer = traced(self.statistics, trace)
        began, played = time.perf_counter(), 0
        if self.has_forest:
            played = play_narrow(self, rows, targets, importance, observer)
        if not self.has_forest and played < targets.size:
            left = some_rows(rows, played, targets.size)
            some = importance[played:]
            played += play_wide(self, left, targets[played:], some, observer)
        self.seconds += time.perf_counter() - began
        return played

    def weight_norm(self) -> float:
        """|w| of the linear part."""
        return float(np.linalg.norm(self.all_weights()))

    def state_dict(self) -> Document:
        """All that playing on needs, by name: the panel and its statistics."""
        return {**self.arrays(), **deepcopy(RowPlayer.state_dict(self))}

    def load_state(self, arrays: Mapping[str, Any]) -> None:
        """Go on from what :meth:`state_dict` wrote down."""
        super().load_state(arrays)
        if "books" in arrays:
            self.statistics = statistics_from(arrays["books"])
            self.seconds = float(arrays["seconds"])

    def twin(self) -> PanelPlayer:
        """One that stands where this one does, and goes its own way from now on."""
        other = copy(self)
        other.load_state(self.state_dict())  # whose arrays are copies
        other.grow(self.n_features)
        return other

    def begin_at(self, panel: FrozenPanel) -> None:
        """Start from a frozen panel instead; from its forest only if this has one."""
        arrays = panel.arrays()
        if not self.has_forest:
            arrays = {k: a for k, a in arrays.items() if not k.startswith(FOREST)}
        self.load_state(arrays)
