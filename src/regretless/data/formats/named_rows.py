"""Rows whose features have names, numbered within one block of a file."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from ...parts.rows import Sparse
from ..chunk import Chunk
from ..selection import kept_rows

__all__ = ["Bag"]


class Bag(NamedTuple):
    """The rows of a block, whose names have numbers within the block only."""

    chunk: Chunk
    names: list[str]

    def kept(self, keep: Any) -> Bag:
        """The rows where `keep` is true, as if there were no others."""
        chunk = kept_rows(self.chunk, keep)
        rows = cast("Sparse", chunk.rows)
        used, first, columns = np.unique(
            rows.columns, return_index=True, return_inverse=True
        )
        order = np.argsort(first)
        places = np.empty(used.size, np.int32)
        places[order] = np.arange(used.size, dtype=np.int32)
        chosen: list[int] = used[order].tolist()
        names = [self.names[k] for k in chosen]
        rows = rows._replace(columns=places[columns])
        return Bag(chunk._replace(rows=rows), names)
