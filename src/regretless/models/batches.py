"""Let a model predict a batch of a stream, whatever features the batch has."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .compressed import Compressed

__all__ = ["matrix_of", "scores_of"]


def scores_of(model: Any, rows: Any, n: int) -> Floats:
    """The scores of the `n` rows; features that the model never met weigh nothing."""
    if n == 0:
        return np.zeros(0)
    return model.scores(matrix_of(rows, n, model.n_features))


def matrix_of(rows: Any, n: int, n_features: int) -> Any:
    """The rows as a matrix with `n_features` columns; entries beyond are dropped."""
    if isinstance(rows, Dense):
        table = rows.values.reshape(n, rows.width)
        if rows.width >= n_features:
            return table[:, :n_features]
        return np.pad(table, ((0, 0), (0, n_features - rows.width)))
    begin, end = rows.starts[0], rows.starts[n]
    starts: Any = rows.starts[: n + 1] - begin
    columns, values = rows.columns[begin:end], rows.values[begin:end]
    known: Any = columns < n_features
    if not known.all():
        before = np.concatenate([[0], np.cumsum(known)])
        starts = before[starts]
        columns, values = columns[known], values[known]
    return Compressed(Sparse(starts, columns, values), (n, n_features))
