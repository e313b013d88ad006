"""A panel in the middle of a game: a frozen one that also plays and keeps score."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Self

import numpy as np
import numpy.typing as npt

from ...parts.lengths import length_of
from ...parts.losses import Logistic
from ...parts.observers import TraceArrays, traced
from ...parts.panel.state import Constants
from ...parts.part_types import Loss, Part
from ...parts.rows import Rows, some_rows
from ...parts.state import Floats
from ..hypotheses.forest_state import FOREST
from ..hypotheses.panel import FrozenPanel
from .row_player import EQUAL, Call, Mark, RowPlayer
from .stages import FEWEST, worth_stages

# A file's batches of wide rows are short, and its reader has use for the other core.
FEWEST_WIDE = 4 * FEWEST


class PanelPlayer(FrozenPanel, RowPlayer):
    """A panel that plays, as ``players.linear`` is a player of one linear learner."""

    starts_from = "panel"
    bias = True
    unknown_features_matter = True

    def __init__(
        self,
        view: Part,
        constants: Constants,
        n_features: int = 0,
        *,
        dtype: npt.DTypeLike = np.float32,
        forest: bool = True,
    ) -> None:
        super().__init__(view, constants, n_features, dtype=dtype, forest=forest)
        self.begin_statistics()

    @property
    def loss(self) -> Loss:
        """What a prediction costs."""
        return Logistic()

    def playing(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats = EQUAL,
        trace: TraceArrays | None = None,
    ) -> Call:
        """The machine code that plays `rows`, and its arguments."""
        return self._playing(self.meet(rows), targets, importance, trace)

    def _playing(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats,
        trace: TraceArrays | None,
    ) -> Call:
        """The same for rows whose features are numbered."""
        from ..kernels.compiled import entry
        from ..kernels.panel import play_panel

        trees, observer = self._trees(self.forest_row), traced(self.statistics, trace)
        panel = (self.view, self.constants, self.state, self.tile, trees)
        arguments = (*panel, observer, rows, targets, importance)
        return entry(play_panel, arguments), arguments

    def learning(self, rows: Rows, targets: Floats, importance: Floats) -> list[Call]:
        """What numbers the features of a row that is alone, and plays it."""
        calls, found = self.met.numbering(rows, learned=True)
        return [*calls, self._playing(found, targets, importance, None)]

    def held(self) -> tuple[object, ...]:
        """The state, the forest, room for a row, and the numbers of features."""
        room = (self.tile, self.forest_row)
        return self.state, self.forest, *room, *self.met.held()

    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""
        return self.n_features, self.met.count

    def return_to(self, mark: Mark) -> None:
        """Undo growth; the room stays."""
        self.met.return_to(mark[1])
        self.n_features = mark[0]

    def _play_rows(
        self,
        rows: Rows,
        targets: Floats,
        importance: Floats,
        trace: TraceArrays | None,
    ) -> tuple[int, float]:
        """Play rows in two stages, side by side, where that is worth it."""
        fewest = FEWEST if self.has_forest else FEWEST_WIDE
        if not worth_stages(self.threads, targets.size, importance, fewest):
            return super()._play_rows(rows, targets, importance, trace)
        from .panel_stages import play_narrow, play_wide

        rows, observer = self.meet(rows), traced(self.statistics, trace)
        played, spent = 0, 0.0
        if self.has_forest:
            played, spent = play_narrow(self, rows, targets, importance, observer)
        if not self.has_forest and played < targets.size:
            left, some = some_rows(rows, played, targets.size), importance[played:]
            more, longer = play_wide(self, left, targets[played:], some, observer)
            played, spent = played + more, spent + longer
        return played, spent

    def weight_norm(self) -> float:
        """|w| of the linear part."""
        return length_of(self.all_weights())

    def twin(self) -> Self:
        """One that stands where this one does, and goes its own way from now on."""
        other = copy(self)
        other.load_state(deepcopy(self.state_dict()))
        other.grow(self.n_features)
        return other

    def begin_at(self, panel: FrozenPanel) -> None:
        """Start from a frozen panel instead; from its forest only if this has one."""
        arrays = panel.state_dict()
        if not self.has_forest:
            arrays = {k: a for k, a in arrays.items() if not k.startswith(FOREST)}
        self.prepare_state(arrays)
