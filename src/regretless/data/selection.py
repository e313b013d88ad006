"""Some of many rows, as they lie in memory, and of a chunk."""

from __future__ import annotations

import numpy as np

from ..parts.rows import Dense, Longs, Sparse
from .chunk import Array, Chunk, Mask


def chosen_rows(rows: Dense | Sparse, chosen: Longs) -> Dense | Sparse:
    """The rows whose numbers are `chosen`, in that order."""
    if isinstance(rows, Dense):
        table = rows.values.reshape(-1, rows.width)[chosen]
        return Dense(table.reshape(-1), rows.width)
    begins, ends = rows.starts[chosen], rows.starts[chosen + 1]
    starts = np.concatenate([[0], np.cumsum(ends - begins)])
    skips = np.repeat(begins - starts[:-1], ends - begins)
    entries: Longs = np.arange(skips.size) + skips
    return Sparse(starts, rows.columns[entries], rows.values[entries])


def kept_rows(chunk: Chunk, keep: Mask) -> Chunk:
    """The rows where the mask `keep` is true."""
    before = np.concatenate([[0], np.cumsum(keep)])

    def kept(values: Array | None) -> Array | None:
        return None if values is None else values[keep]

    return chunk._replace(
        rows=chosen_rows(chunk.rows, np.flatnonzero(keep)),
        labels=chunk.labels[keep],
        lines=chunk.lines[keep],
        weights=kept(chunk.weights),
        groups=kept(chunk.groups),
        tags=kept(chunk.tags),
        # Problems know how many good rows come before them.
        problems=tuple(
            one._replace(before=int(before[one.before])) for one in chunk.problems
        ),
    )
