"""Read the data again and again: at once where they fit in memory, else in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...data import Batch, Source
from ...errors import BadRow
from ...parts.rows import Biased, Dense, Sparse
from ...parts.state import Floats
from .budget import expect, spend
from .remembered import size_of

KEPT = 2**28  # bytes of a stream that are in memory at a time
FEWEST = 10  # passes that any solver needs
READING = 4  # entries are touched in the time that one is read from a file

Rows = Dense | Sparse


class RowBlock(NamedTuple):
    """Rows ``first`` and following, ready for a kernel."""

    first: int
    rows: Rows | Biased
    targets: Floats
    squares: Floats


class Passes:
    """The rows of a source, as often as wanted.

    Parameters
    ----------
    source : Source
        Where they come from. A stream of at most ``KEPT`` bytes is read once and kept;
        of a longer one nothing is. Tables in memory are never copied.
    bias : bool
        Whether every row has one more feature, first, with value 1.

    Attributes
    ----------
    n_rows, n_features, n_weights : int
        Rows, features, and features with the bias.
    longest : float
        max |x|_2, the bias included.
    lowest, highest : float
        The extreme labels.
    whole : RowBlock or None
        All rows, where they are in memory.
    """

    def __init__(self, source: Source, *, bias: bool = False) -> None:
        if not getattr(source, "rereadable", True):
            raise ValueError(
                "these data can be read only once, so nothing can be solved in "
                "hindsight: play(..., keep=True) keeps the rows"
            )
        self.bias = bias
        self.n_rows = 0
        self.n_features = int(getattr(source, "n_features", None) or 0)
        self.longest = 0.0
        self.lowest = np.inf
        self.highest = -np.inf
        self.whole: RowBlock | None = None
        self._source = source
        self._entries = 0
        self._survey()
        expect(FEWEST * self._entries, FEWEST * self.n_rows, FEWEST * self.n_weights)

    @property
    def n_weights(self) -> int:
        """Features, and the bias where there is one."""
        return self.n_features + self.bias

    @property
    def shape(self) -> str:
        """The size of the data in words."""
        bias = " and a bias" if self.bias else ""
        return f"{self.n_rows:,} rows x {self.n_features:,} features{bias}"

    def blocks(self, random: np.random.Generator | None = None) -> Iterator[RowBlock]:
        """One pass over all rows, in order.

        With `random`, the batches of a stream are joined to blocks of ``KEPT`` bytes,
        the first one at random a part of that: so rows do not meet the same neighbors
        in every pass.
        """
        spend(self._entries, self.n_rows, self.n_weights)
        if self.whole is not None:
            yield self.whole
            return
        limit = 0.0 if random is None else KEPT * random.uniform(0.1, 1.0)
        waiting: list[Batch] = []
        size = 0
        first = ready = 0
        for batch in self._source.batches():
            if batch.failure is not None:
                raise batch.failure
            ready += batch.targets.size
            if ready > self.n_rows or batch.n_features > self.n_features:
                raise _changed()
            waiting.append(batch)
            size += size_of(batch.rows)
            if size >= limit or ready == self.n_rows:
                yield self._block(first, joined(waiting))
                waiting, size, first = [], 0, ready
                limit = 0.0 if random is None else KEPT
        if ready != self.n_rows:
            raise _changed()

    def split(self, weights: Floats) -> tuple[Floats, float]:
        """All weights as those of the features and that of the bias."""
        return weights[self.bias :].copy(), float(weights[0]) if self.bias else 0.0

    def _survey(self) -> None:
        """Read all rows once: how many, how wide, and whether they are finite."""
        whole = bool(getattr(self._source, "whole", False))
        batches: list[Batch] | None = []
        size = 0
        for batch in self._source.batches():
            if batch.failure is not None:
                raise batch.failure
            block = self._block(self.n_rows, batch)
            self.n_rows += batch.targets.size
            self.n_features = max(self.n_features, batch.n_features)
            self.longest = max(self.longest, float(block.squares.max(initial=0.0)))
            self.lowest = min(self.lowest, float(batch.targets.min(initial=np.inf)))
            self.highest = max(self.highest, float(batch.targets.max(initial=-np.inf)))
            size += size_of(batch.rows)
            self._entries += batch.rows.values.size
            spend(READING * batch.rows.values.size, batch.targets.size, 0)
            if batches is not None and (whole or size <= KEPT):
                batches.append(batch)
            else:
                batches = None
        if self.n_rows == 0:
            raise ValueError("there are no rows to solve for")
        self.longest = float(np.sqrt(self.longest))
        if batches is not None:
            self.whole = self._block(0, joined(batches))

    def _block(self, first: int, batch: Batch) -> RowBlock:
        from ...engine.kernels.compiled import entry
        from ...engine.kernels.descent import square_rows

        rows = Biased(batch.rows) if self.bias else batch.rows
        squares = np.empty(batch.targets.size)
        good = entry(square_rows, (rows, squares))(rows, squares)
        if good < squares.size:
            raise BadRow(first + good, "its entries, or their squares, are not finite")
        return RowBlock(first, rows, batch.targets, squares)


def joined(batches: list[Batch]) -> Batch:
    """Many batches as one."""
    if len(batches) == 1:
        return batches[0]
    targets = np.concatenate([batch.targets for batch in batches])
    width = max(batch.n_features for batch in batches)
    dense = [rows for batch in batches if isinstance(rows := batch.rows, Dense)]
    if dense:
        values = np.concatenate([rows.values for rows in dense])
        return Batch(Dense(values, dense[0].width), targets, width)
    sparse = [rows for batch in batches if isinstance(rows := batch.rows, Sparse)]
    inside = [slice(rows.starts[0], rows.starts[-1]) for rows in sparse]
    each = list(zip(sparse, inside, strict=True))
    counts = np.concatenate([np.diff(rows.starts) for rows in sparse])
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    columns = np.concatenate([rows.columns[own] for rows, own in each])
    values = np.concatenate([rows.values[own] for rows, own in each])
    return Batch(Sparse(starts, columns, values), targets, width)


def _changed() -> ValueError:
    return ValueError("the data are not what they were when they were first read")


def row_matrix(rows: Rows, n: int, width: int, *, bias: bool) -> Any:
    """`n` rows as a sparse matrix of `width` columns, that of the bias first."""
    from scipy import sparse

    if isinstance(rows, Dense):
        made: Any = sparse.csr_array(rows.values.reshape(n, rows.width))
        made.resize((n, width))
    else:
        starts = rows.starts
        inside = slice(starts[0], starts[-1])
        columns, values = rows.columns[inside], rows.values[inside]
        made = sparse.csr_array((values, columns, starts - starts[0]), shape=(n, width))
    ones = sparse.csr_array(np.ones((n, 1)))
    return sparse.hstack([ones, made], format="csr") if bias else made
