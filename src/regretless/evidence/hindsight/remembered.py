"""A source that reads few rows once, however often they are asked for.

Theorems are evaluated with a path of comparators, and every one of them meets all rows:
a small file would be opened and parsed dozens of times.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...data import Batch, Source
from ...data.batch import SourceView
from ...parts.rows import Dense, Sparse

FEW = 1 << 24  # bytes that are kept


class Remembered(SourceView):
    """The rows of `source`, kept when they were read to the end, if they are few."""

    n_rows: int | None

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._kept: list[Batch] | None = None

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        if self._kept is not None:
            yield from self._kept
            return
        kept: list[Batch] = []
        size = 0
        for batch in self._source.batches():
            size += size_of(batch.rows)
            if size <= FEW:
                kept.append(batch)
            yield batch
        if size <= FEW:
            self._kept = kept


def size_of(rows: Dense | Sparse) -> int:
    """How many bytes rows take."""
    if isinstance(rows, Dense):
        return rows.values.nbytes
    return rows.starts.nbytes + rows.columns.nbytes + rows.values.nbytes
