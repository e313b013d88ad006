"""The bad rows of a table that is checked column by column."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..parts.rows import Dense, Longs, Sparse
from .chunk import Chunk, Mask, Problem
from .selection import kept_rows


class Faults:
    """What is wrong with which rows; the first fault of a row counts."""

    def __init__(self, n: int) -> None:
        self.good: Mask = np.ones(n, np.bool_)
        self.said: dict[int, str] = {}

    def add(self, bad: Mask, say: Callable[[int], str]) -> None:
        """``say(i)`` is wrong with every row i where `bad` is true."""
        for i in np.flatnonzero(bad & self.good).tolist():
            self.said[i] = say(i)
        self.good &= ~bad

    def check_finite(self, rows: Dense | Sparse) -> None:
        """Find rows with nan or infinity."""
        bad: Mask = ~np.isfinite(rows.values)
        if not bad.any():
            return
        if isinstance(rows, Sparse):
            starts, columns = rows.starts, rows.columns
        else:
            starts = np.arange(self.good.size + 1, dtype=np.int64) * rows.width
            columns = np.arange(bad.size) % rows.width

        def say(i: int) -> str:
            k = int(starts[i] + np.argmax(bad[starts[i] :]))
            return f"column {columns[k]}: {rows.values[k]} is not a finite number"

        self.add(rows_with(bad, starts), say)

    def drop(self, chunk: Chunk) -> Chunk:
        """The chunk without the bad rows, which become its problems."""
        if not self.said:
            return chunk
        said = [
            Problem(0, int(chunk.lines[i]), what, called(chunk, i))
            for i, what in self.said.items()
        ]
        return with_problems(kept_rows(chunk, self.good), said)


def rows_with(entries: Mask, starts: Longs) -> Mask:
    """Which rows have any of these entries; rows begin at `starts`."""
    before = np.concatenate([[0], np.cumsum(entries)])
    return np.diff(before[starts]) > 0


def called(chunk: Chunk, i: int) -> object:
    """The tag or id of row `i`; "" where it has none."""
    return "" if chunk.tags is None else chunk.tags[i]


def with_problems(chunk: Chunk, more: list[Problem]) -> Chunk:
    """A chunk of which some more lines are bad: all its problems, in order."""
    problems = sorted([*chunk.problems, *more], key=lambda problem: problem.line)
    before = np.searchsorted(chunk.lines, [problem.line for problem in problems])
    placed = zip(before.tolist(), problems, strict=True)
    return chunk._replace(problems=tuple(p._replace(before=k) for k, p in placed))
