"""Text to rows: a kernel reads the lines that are well formed, Python any other."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.hashed import AT, END, ENTRIES, LINE, NEED, ROWS
from ...engine.kernels.vw import DONE, GROW, LOOK
from ...parts.rows import Ints, Sparse
from ..chunk import Chunk, Problem
from ..encoding.fault import Fault
from .text_blocks import Bytes, Text, open_block


class TextRow(NamedTuple):
    """A line as Python reads it: its entries by column, and what columns are called."""

    label: float
    columns: dict[int, float]
    weight: float = 1.0
    names: Mapping[int, str] = MappingProxyType({})


class BlockParse(abc.ABC):
    """One block being parsed: the arrays that its rows go to.

    Parameters
    ----------
    kernel : function
        Reads lines of a stretch of text, and says why it stopped.
    text : bytes or array of uint8
        Whole lines.
    rows : type
        The named tuple of arrays that the kernel writes rows to.
    marks : int
        Which of the letters that are counted come before every entry.
    seen : int
        The size of the table of columns that a row has.
    """

    def __init__(
        self, kernel: Callable[..., int], text: Text, rows: Any, marks: int, seen: int
    ) -> None:
        self.kernel, self.block = kernel, open_block(text)
        n, self.most = self.block.n_lines, int(self.block.counts[marks])
        room = {
            "starts": np.zeros(n + 1, np.int64),
            "columns": np.empty(self.most, np.int32),
            "values": np.empty(self.most, np.float64),
            "labels": np.empty(n, np.float64),
            "weights": np.empty(n, np.float64),
            "lines": np.empty(n, np.int64),
        }
        self.found = rows(*(room[name] for name in rows._fields))
        self.seen = np.full(seen, -1, np.int64)
        self.state = np.zeros(8, np.int64)
        self.problems: list[Problem] = []

    @abc.abstractmethod
    def arguments(self) -> tuple[object, ...]:
        """What the kernel takes between the text and the table of columns."""

    @abc.abstractmethod
    def read_line(self, line: bytes) -> TextRow:
        """A line that the kernel left, as Python reads it, or its :class:`Fault`."""

    def widen(self, need: int) -> None:
        """Make room for `need` entries."""
        raise NotImplementedError

    def leave(self, stretch: Bytes) -> None:  # noqa: B027 - some need nothing
        """Take what is needed of the text, before Python sees to it or it ends."""

    def run(self, width: int) -> Chunk:
        """The rows of all lines, of so many features."""
        state = self.state
        for stretch, size in self.block.stretches:
            state[AT] = 0
            arguments = (stretch, size, *self.arguments(), self.seen, state)
            kernel = entry(self.kernel, arguments)
            while (why := kernel(*arguments)) != DONE:
                if why == LOOK:
                    self.leave(stretch)
                    self._look(stretch[state[AT] : state[END]].tobytes())
                elif why == GROW:
                    self.seen = np.full(2 * self.seen.size, -1, np.int64)
                else:
                    self.widen(int(state[NEED]))
                arguments = (stretch, size, *self.arguments(), self.seen, state)
            self.leave(stretch)
        found, rows, entries = self.found, int(state[ROWS]), int(state[ENTRIES])
        return Chunk(
            Sparse(
                found.starts[: rows + 1],
                found.columns[:entries],
                found.values[:entries],
            ),
            found.labels[:rows],
            width,
            found.lines[:rows],
            self.block.n_lines,
            problems=tuple(self.problems),
        )

    def _look(self, line: bytes) -> None:
        """See to a line that the kernel left: a problem, or a row after all."""
        state = self.state
        state[AT] = state[END]
        state[LINE] += 1
        try:
            self.append(self.read_line(line))
        except Fault as fault:
            problem = Problem(int(state[ROWS]), int(state[LINE]), str(fault))
            self.problems.append(problem)

    def append(self, row: TextRow) -> None:
        """Write down a row that Python read."""
        found, state = self.found, self.state
        k, first = int(state[ROWS]), int(state[ENTRIES])
        last = first + len(row.columns)
        found.labels[k] = row.label
        found.lines[k] = state[LINE]
        found.columns[first:last] = self.written(np.array([*row.columns], np.int32))
        found.values[first:last] = [*row.columns.values()]
        found.starts[k + 1] = last
        state[ROWS] = k + 1
        state[ENTRIES] = last

    def written(self, columns: Ints) -> Ints:
        """What the kernel writes for columns."""
        return columns
