"""A panel in the middle of a game: a frozen one that also plays, and keeps books."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import numpy as np

from ...errors import BadRow
from ...parts.observers import ROUNDS, Books, new_books, taped
from ...parts.panel.state import (
    Constants,
)
from ...parts.state import Floats
from ..hypotheses.hypothesis import Rows
from ..hypotheses.panel import FrozenPanel
from ..ledger import Ledger, books_from, read_books
from ..refused_rows import problem_of
from .forest_state import FOREST
from .linear import EQUAL

__all__ = ["PanelPlayer"]


class PanelPlayer(FrozenPanel):
    """A panel that plays, as ``players.linear`` is a player of one linear learner."""

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
        self.books: Books = new_books()
        self.seconds = 0.0  # spent in the kernel

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self.books.counts[ROUNDS])

    def play(
        self,
        rows: Rows,
        targets: Floats,
        *,
        first: int = 0,
        tape: Any = None,
        names: Callable[[], Any] | None = None,
        weights: Floats | None = None,
    ) -> None:
        """Play a batch of rows in order, as ``Player.play`` does."""
        self.make_room(rows)
        observer = taped(self.books, tape)
        importance = EQUAL if weights is None else weights
        kernel, arguments = self._playing(observer, rows, targets, importance)
        began = time.perf_counter()
        played = kernel(*arguments)
        self.seconds += time.perf_counter() - began
        if played < targets.size:
            known = names() if names is not None else None
            raise BadRow(first + played, problem_of(rows, played, known))

    def playing(
        self, rows: Any, targets: Floats
    ) -> tuple[Callable[..., int], tuple[Any, ...]]:
        """The machine code that plays `rows`, and its arguments."""
        return self._playing(taped(self.books, None), rows, targets, EQUAL)

    def _playing(
        self, observer: Any, rows: Any, targets: Floats, importance: Floats
    ) -> tuple[Callable[..., int], tuple[Any, ...]]:
        from ..kernels.compiled import entry
        from ..kernels.panel import play_panel

        trees = self._trees(self.wood)
        panel = (self.view, self.constants, self.state, self.tile, trees)
        arguments = (*panel, observer, rows, targets, importance)
        return entry(play_panel, arguments), arguments

    def ledger(self) -> Ledger:
        """What has been met and paid so far."""
        norm = float(np.linalg.norm(self.all_weights()))
        return read_books(self.books, binary=True, weight_norm=norm)

    def state_dict(self) -> dict[str, Any]:
        """All that playing on needs, by name: the panel and its books."""
        return {
            **self.arrays(),
            "books": {name: a.copy() for name, a in self.books._asdict().items()},
            "n_features": self.n_features,
            "seconds": self.seconds,
        }

    def load_state(self, arrays: Mapping[str, Any]) -> None:
        """Go on from what :meth:`state_dict` wrote down."""
        super().load_state(arrays)
        if "books" in arrays:
            self.books = books_from(arrays["books"])
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
