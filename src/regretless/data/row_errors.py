"""The bad rows of a table that is checked column by column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..parts.state import Floats
from .chunk import Chunk, Problem
from .selection import kept_rows

__all__ = ["Faults", "called", "with_problems"]


class Faults:
    """What is wrong with which rows; the first fault of a row counts."""

    def __init__(self, n: int) -> None:
        self.good: Any = np.ones(n, np.bool_)
        self.said: dict[int, str] = {}

    def add(self, bad: Any, say: Callable[[int], str]) -> None:
        """``say(i)`` is wrong with every row i where `bad` is true."""
        for i in np.flatnonzero(bad & self.good).tolist():
            self.said[i] = say(i)
        self.good &= ~bad

    def check_finite(self, values: Floats, name: Callable[[int, int], str]) -> None:
        """Find rows with nan or infinity; ``name(i, j)`` is what entry (i, j) is."""
        if np.isfinite(values).all():
            return
        bad: Any = ~np.isfinite(values)

        def say(i: int) -> str:
            j = int(np.argmax(bad[i]))
            return f"{name(i, j)}: {values[i, j]} is not a finite number"

        self.add(bad.any(axis=1), say)

    def drop(self, chunk: Chunk) -> Chunk:
        """The chunk without the bad rows, which become its problems."""
        if not self.said:
            return chunk
        said = [
            Problem(0, int(chunk.lines[i]), what, called(chunk, i))
            for i, what in self.said.items()
        ]
        return with_problems(kept_rows(chunk, self.good), said)


def called(chunk: Chunk, i: int) -> Any:
    """The tag or id of row `i`; "" where it has none."""
    return "" if chunk.tags is None else chunk.tags[i]


def with_problems(chunk: Chunk, more: list[Problem]) -> Chunk:
    """A chunk of which some more lines are bad: all its problems, in order."""
    problems = sorted([*chunk.problems, *more], key=lambda problem: problem.line)
    before = np.searchsorted(chunk.lines, [problem.line for problem in problems])
    placed = zip(before.tolist(), problems, strict=True)
    return chunk._replace(problems=tuple(p._replace(before=k) for k, p in placed))
