"""What a reader makes of a piece of a file: its rows, and names of features."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ..parts.rows import Sparse
from .chunk import Chunk, Mask
from .selection import kept_rows


class Parsed(NamedTuple):
    """The rows of a piece, and the features that had no name when it was parsed.

    Attributes
    ----------
    chunk : Chunk
        The rows.
    names : sequence of (feature, name)
        The names that are new.
    begun : collection
        Fields whose kinds were known, where fields are no columns.
    kinds : mapping
        Fields whose kinds were found.
    empty : collection
        Fields that had no value while their kind was not known.
    numbered : bool
        Whether hashed features that had come have their numbers.
    """

    chunk: Chunk
    names: Sequence[tuple[int, str]] = ()
    begun: Collection[Hashable] = ()
    kinds: Mapping[Hashable, str] = MappingProxyType({})
    empty: Collection[Hashable] = ()
    numbered: bool = False

    def kept(self, keep: Mask) -> Parsed:
        """The rows where `keep` is true, as wide as they are themselves."""
        part = kept_rows(self.chunk, keep)
        if isinstance(part.rows, Sparse):
            widest = int(part.rows.columns.max(initial=-1)) + 1
            part = part._replace(n_features=min(part.n_features, widest))
        return self._replace(chunk=part)


class Bag(Parsed):
    """Rows whose names have numbers within their piece only: all of them are given."""

    def kept(self, keep: Mask) -> Parsed:
        """The rows where `keep` is true, numbered as if there were no others."""
        chunk = kept_rows(self.chunk, keep)
        rows = chunk.sparse
        used, first, columns = np.unique(
            rows.columns, return_index=True, return_inverse=True
        )
        order = np.argsort(first)
        places = np.empty(used.size, np.int32)
        places[order] = np.arange(used.size, dtype=np.int32)
        chosen: list[int] = used[order].tolist()
        rows = rows._replace(columns=places[columns])
        return Bag(
            chunk._replace(rows=rows),
            [(j, self.names[k][1]) for j, k in enumerate(chosen)],
        )
