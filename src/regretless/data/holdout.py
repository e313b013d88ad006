"""Hold rows out: every k-th row is kept for a test, the others are learned."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .batch import Batch, Source, SourceView, taken


class HeldOut(SourceView):
    """A source without (or with only) every `period`-th row.

    Parameters
    ----------
    source : Source
        All rows.
    period : int
        Of every so many rows, the last one is held out.
    test : bool
        Whether these are the rows held out, rather than the others.
    """

    def __init__(self, source: Source, period: int, *, test: bool) -> None:
        if period < 2:
            raise ValueError(f"hold out every k-th row, k from 2 on, not {period}")
        super().__init__(source)
        self._period = period
        self._test = test

    @property
    def n_rows(self) -> int | None:
        """How many rows there are, where that is known."""
        total = self._source.n_rows
        if total is None:
            return None
        held = total // self._period
        return held if self._test else total - held

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        seen = 0
        for batch in self._source.batches():
            if batch.mark is not None:  # a stream may begin in the middle
                seen = batch.mark["rows"] - batch.targets.size
            numbers = seen + 1 + np.arange(batch.targets.size, dtype=np.int64)
            held = numbers % self._period == 0
            seen += batch.targets.size
            part = taken(batch, np.flatnonzero(held == self._test))
            if batch.inputs is not None and not self._test:
                part = part._replace(inputs=batch.inputs.without(held))
            yield part
