"""A batch of rows on its way through a regression panel, on one thread or several.

    each member plays all rows; the members on curves play some rows at a time
    when all members have played: stacks and forest, on what curves have played so far

None asks for more than what those before it said, so any thread may take any of it.
"""

from __future__ import annotations

from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from ...errors import BadRow
from ...parts.observers import TraceArrays
from ...parts.rows import Rows, some_rows
from ...parts.state import Floats
from ..feature_names import NamesOf
from ..refused_rows import bad_row
from .second_layer import OnCurves
from .stages import side_by_side

if TYPE_CHECKING:
    from .regression import RegressionPlayer


BLOCK = 512  # rows that curves play at a time, where others are waiting

Piece = tuple[Rows, Floats, "Floats | None", "TraceArrays | None"]
"""Some rows: with their labels, their weights, and room for a trace."""


class RegressionBatch:
    """The first `n` of some rows, and what the members said of them.

    Attributes
    ----------
    n : int
        How many rows are played: the first member that refuses one ends it.
    failure : BadRow or None
        Why not all.
    """

    def __init__(
        self,
        panel: RegressionPlayer,
        piece: Piece,
        came: Rows,
        n: int,
        failure: BadRow | None,
    ) -> None:
        self.panel = panel
        self.n = n
        self.failure = failure
        self._piece = piece
        self._came = came  # the rows with features as they came
        self._said = np.zeros((n, len(panel.members)))
        self._finished: SimpleQueue[int] = SimpleQueue()
        self._curves: SimpleQueue[OnCurves | None] = SimpleQueue()

    def play(self, threads: int, first: int, names: NamesOf | None) -> None:
        """Play all of it; `first` and `names` are for the errors of members."""
        each = [
            partial(self._member, k, first, names)
            for k in range(len(self.panel.members))
        ]
        if threads == 1:  # members after one that refuses a row do not play it
            tasks = [*each, partial(self._play_curves, self.n), self._layers]
        else:  # those that take long come first
            each.reverse()
            tasks = [partial(self._play_curves, BLOCK), *each, self._layers]
        side_by_side(tasks, threads)

    def _part(self, start: int, stop: int) -> Piece:
        rows, targets, weights, trace = self._piece
        if trace is not None:
            scores, losses, mistakes, *_ = trace
            trace = scores[start:stop], losses[start:stop], mistakes[start:stop]
        return (
            some_rows(rows, start, stop),
            targets[start:stop],
            None if weights is None else weights[start:stop],
            trace,
        )

    def _member(self, k: int, first: int, names: NamesOf | None) -> None:
        member, notes = self.panel.members[k], new_trace(self.n)
        before = member.rounds
        rows, targets, weights, _ = self._part(0, self.n)
        try:
            member.play(rows, targets, trace=notes, weights=weights)
        except BadRow:
            self.n = n = member.rounds - before
            label = float(targets[n])
            self.failure = bad_row(self._came, n, first, names, label=label)
        finally:
            self._said[: self.n, k] = notes[0][: self.n]
            self._finished.put(k)

    def _play_curves(self, size: int) -> None:
        """Let the members on curves play, while the table is narrow."""
        layer, start = self.panel.second_layer, 0
        try:
            while start < self.n and layer.narrow:
                rows, targets, weights, _ = self._part(start, min(start + size, self.n))
                told = layer.play_curves(rows, targets, weights)
                self._curves.put(told)
                start += told.rows
        finally:
            self._curves.put(None)

    def _layers(self) -> None:
        """Combine what all have said of a row."""
        for _ in self.panel.members:
            self._finished.get()
        start = 0
        while (told := self._curves.get()) is not None:
            stop = start + told.rows
            said = self._said[start:stop]
            self.panel.play_layers(self._part(start, stop), said, told)
            start = stop
        self.panel.play_layers(self._part(start, self.n), self._said[start : self.n])


def new_trace(n: int) -> TraceArrays:
    """Room for the scores, losses and mistakes of rows."""
    return np.zeros(n), np.zeros(n), np.zeros(n, np.bool_)
