"""Rows of the form (2x, -1) with x in [0, 1]: how the Perceptron learns a threshold."""

from __future__ import annotations

import numpy as np

from ...data import Source
from ...parts.rows import Dense, Sparse
from ...parts.state import Floats


def lifted(source: Source, rounds: int) -> float | None:
    """Max |x|_1 over the first rows, if all of them are (2x, -1); else None."""
    largest, left = 0.0, rounds
    for batch in source.batches():
        n = min(left, batch.targets.size)
        found = _largest(batch.rows, n, batch.n_features)
        if found is None:
            return None
        largest, left = max(largest, found), left - n
    return largest


def _largest(rows: Dense | Sparse, n: int, width: int) -> float | None:
    if n == 0:
        return 0.0
    if isinstance(rows, Dense):
        table = rows.values[: n * rows.width].reshape(n, rows.width)
        ends, sums = table[:, -1], table[:, :-1].sum(axis=1)
        others = table[:, :-1]
    else:
        ends, sums, others = _of_sparse(rows, n, width)
    good = (ends == -1.0).all() and (others >= 0.0).all() and (others <= 2.0).all()
    return float(sums.max()) / 2.0 if good else None


def _of_sparse(rows: Sparse, n: int, width: int) -> tuple[Floats, Floats, Floats]:
    """The last column, the sums of the others, and their entries."""
    first, last = int(rows.starts[0]), int(rows.starts[n])
    columns, values = rows.columns[first:last], rows.values[first:last]
    row = np.repeat(np.arange(n), np.diff(rows.starts[: n + 1]))
    end = columns == width - 1
    ends = np.bincount(row[end], values[end], minlength=n)
    sums = np.bincount(row[~end], values[~end], minlength=n)
    return ends.astype(np.float64), sums.astype(np.float64), values[~end]
