"""Text to rows: a kernel reads the lines, and Python says what is wrong with others.

Where a line is well formed, and only a number is such that ``float()`` must tell what
it is, Python spells it anew and the kernel reads the line again.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.kernels.compiled import entry
from ...engine.kernels.hashed import AT, END, ENTRIES, LINE, NEED, ROWS
from ...engine.kernels.vw import DONE, GROW, LOOK
from ...parts.rows import Sparse
from ..chunk import Chunk, Problem
from ..encoding.fault import Fault
from .text_blocks import Bytes, Text, open_block

TOO_LARGE = "values that add up, or multiply, are too large for a float64"


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
    def respelled(self, line: bytes) -> bytes:
        """A line that the kernel left, with numbers as it reads them, or its Fault."""

    def widen(self, need: int) -> None:
        """Make room for `need` entries."""
        raise NotImplementedError

    def leave(self, stretch: Bytes) -> None:  # noqa: B027 - some need nothing
        """Take what is needed of the text, before Python sees to it or it ends."""

    def run(self, width: int) -> Chunk:
        """The rows of all lines, of so many features."""
        state = self.state
        for stretch, size in self.block.stretches:
            self._read(stretch, size)
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

    def _read(self, stretch: Bytes, size: int, *, again: bool = False) -> None:
        """Read the lines of a stretch; `again`: of one line that Python has seen to."""
        state = self.state
        state[AT] = 0
        arguments = (stretch, size, *self.arguments(), self.seen, state)
        kernel = entry(self.kernel, arguments)
        while (why := kernel(*arguments)) != DONE:
            if why == LOOK:
                if again:
                    raise Fault(TOO_LARGE)
                self.leave(stretch)
                self._look(stretch, int(state[AT]), int(state[END]))
            elif why == GROW:
                self.seen = np.full(2 * self.seen.size, -1, np.int64)
            else:
                self.widen(int(state[NEED]))
            arguments = (stretch, size, *self.arguments(), self.seen, state)
        self.leave(stretch)

    def _look(self, stretch: Bytes, begin: int, end: int) -> None:
        """See to a line that the kernel left: a problem, or a row after all."""
        state = self.state
        line = int(state[LINE]) + 1
        try:
            text = stretch[begin:end].tobytes().removesuffix(b"\n")
            text = self.respelled(text.removesuffix(b"\r"))
            self._read(*open_block(text).stretches[0], again=True)
        except Fault as fault:
            self.problems.append(Problem(int(state[ROWS]), line, str(fault)))
        state[AT], state[LINE] = end, line
