"""Tables that are all in memory: numpy arrays, scipy sparse matrices, data frames."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .batch import Batch
from .encoding import Labels
from .encoding.sparse import canonical_rows
from .encoding.tables import numbers_of, table_of

__all__ = ["ArraySource", "SparseSource"]


class ArraySource:
    """A two-dimensional array, list of lists, or data frame of numbers."""

    whole = True
    again = True

    def __init__(self, X: Any, y: Any, labels: Labels) -> None:
        if hasattr(X, "__len__") and len(X) == 0:
            raise ValueError("there are no rows to learn from")
        matrix, self.names = table_of(X)
        if matrix.ndim != 2:
            raise ValueError(
                f"X must have two dimensions, rows and columns; it has {matrix.ndim}"
            )
        self.n_rows, self.n_features = matrix.shape
        _check_size(self.n_rows, self.n_features)
        self.targets: Floats = labels.encode(y)
        _same_length(self.n_rows, self.targets.size)
        self.rows = Dense(matrix.reshape(-1), self.n_features)
        self.classes = labels.classes

    def batches(self) -> Iterator[Batch]:
        """Everything in one batch."""
        yield Batch(self.rows, self.targets, self.n_features)


class SparseSource:
    """Any scipy sparse matrix or array, as compressed rows."""

    whole = True
    again = True
    names: tuple[Hashable, ...] | None = None

    def __init__(self, X: Any, y: Any, labels: Labels) -> None:
        matrix = canonical_rows(X)
        if matrix.ndim != 2:
            raise ValueError("X must have two dimensions, rows and columns; it has 1")
        self.n_rows, self.n_features = matrix.shape
        _check_size(self.n_rows, self.n_features)
        if self.n_features > np.iinfo(np.int32).max:
            raise ValueError(f"X has {self.n_features:,} columns: at most 2^31 - 1")
        self.targets: Floats = labels.encode(y)
        _same_length(self.n_rows, self.targets.size)
        self.rows = Sparse(
            np.ascontiguousarray(matrix.indptr, np.int64),
            np.ascontiguousarray(matrix.indices, np.int32),
            numbers_of(matrix.data),
        )
        self.classes = labels.classes

    def batches(self) -> Iterator[Batch]:
        """Everything in one batch."""
        yield Batch(self.rows, self.targets, self.n_features)


def _check_size(n_rows: int, n_features: int) -> None:
    if n_rows == 0:
        raise ValueError("there are no rows to learn from")
    if n_features == 0:
        raise ValueError("X has no columns")


def _same_length(rows: int, labels: int) -> None:
    if rows != labels:
        raise ValueError(f"X has {rows:,} rows but y has {labels:,} labels")
