"""Some of the rows of a chunk."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..parts.rows import Dense, Sparse
from .chunk import Chunk

__all__ = ["first_rows", "kept_rows"]


def first_rows(chunk: Chunk, n: int) -> Chunk:
    """The first `n` rows."""
    rows = chunk.rows
    if isinstance(rows, Dense):
        cut: Dense | Sparse = Dense(rows.values[: n * rows.width], rows.width)
    else:
        end = int(rows.starts[n])
        cut = Sparse(rows.starts[: n + 1], rows.columns[:end], rows.values[:end])
    return _with_rows(chunk, cut, slice(n))


def kept_rows(chunk: Chunk, keep: Any) -> Chunk:
    """The rows where the mask `keep` is true."""
    rows = chunk.rows
    if chunk.problems:  # which know how many good rows come before them
        before = np.concatenate([[0], np.cumsum(keep)])
        placed = (
            one._replace(before=int(before[one.before])) for one in chunk.problems
        )
        chunk = chunk._replace(problems=tuple(placed))
    if isinstance(rows, Dense):
        table = rows.values.reshape(-1, rows.width)[keep]
        return _with_rows(chunk, Dense(table.reshape(-1), rows.width), keep)
    lengths = np.diff(rows.starts)
    entries = np.repeat(keep, lengths)
    starts = np.zeros(int(keep.sum()) + 1, np.int64)
    np.cumsum(lengths[keep], out=starts[1:])
    cut = Sparse(starts, rows.columns[entries], rows.values[entries])
    return _with_rows(chunk, cut, keep)


def _with_rows(chunk: Chunk, rows: Dense | Sparse, which: Any) -> Chunk:
    weights, groups, tags = chunk.weights, chunk.groups, chunk.tags
    return chunk._replace(
        rows=rows,
        labels=chunk.labels[which],
        lines=chunk.lines[which],
        weights=None if weights is None else weights[which],
        groups=None if groups is None else groups[which],
        tags=None if tags is None else tags[which],
    )
