"""Some of many rows, as they lie in memory, and of a chunk."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np

from ..parts.rows import Dense, Longs, Sparse
from .chunk import Array, Chunk, Mask

R = TypeVar("R")


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


def chosen_of(record: R, chosen: Longs) -> R:
    """A named tuple of rows, and arrays with an entry a row: the same of these rows."""
    whole: Any = record
    some: dict[str, object] = {}
    for name, value in zip(whole._fields, whole, strict=True):
        if isinstance(value, Dense | Sparse):
            some[name] = chosen_rows(value, chosen)
        elif isinstance(value, np.ndarray):
            array = cast("Array", value)
            some[name] = array[chosen] if array.size else array
    return whole._replace(**some)


def kept_rows(chunk: Chunk, keep: Mask) -> Chunk:
    """The rows where the mask `keep` is true."""
    before = np.concatenate([[0], np.cumsum(keep)])
    # Problems know how many good rows come before them.
    problems = (one._replace(before=int(before[one.before])) for one in chunk.problems)
    chunk = chunk._replace(problems=tuple(problems))
    return chosen_of(chunk, np.flatnonzero(keep))
