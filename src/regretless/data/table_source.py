"""Tables that are all in memory: numpy arrays, scipy sparse matrices, data frames."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sized

import numpy as np

from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .batch import Batch
from .encoding import Labels
from .encoding.sparse import CompressedRows, canonical_rows
from .encoding.tables import numbers_of, table_of

NO_ROWS = "there are no rows to learn from"


class _TableSource:
    """Rows and columns that are all at hand, and their labels."""

    whole = True
    again = True
    rows: Dense | Sparse

    def __init__(
        self, matrix: Floats | CompressedRows, y: object, labels: Labels
    ) -> None:
        if matrix.ndim != 2:
            raise ValueError(
                f"X must have two dimensions, rows and columns; it has {matrix.ndim}"
            )
        self.n_rows: int = matrix.shape[0]
        self.n_features: int = matrix.shape[1]
        if self.n_rows == 0:
            raise ValueError(NO_ROWS)
        if self.n_features == 0:
            raise ValueError("X has no columns")
        self.targets: Floats = labels.encode(y)
        if self.n_rows != self.targets.size:
            raise ValueError(
                f"X has {self.n_rows:,} rows but y has {self.targets.size:,} labels"
            )
        self.classes = labels.classes

    def batches(self) -> Iterator[Batch]:
        """Everything in one batch."""
        yield Batch(self.rows, self.targets, self.n_features)


class ArraySource(_TableSource):
    """A two-dimensional array, list of lists, or data frame of numbers."""

    def __init__(self, X: object, y: object, labels: Labels) -> None:
        if isinstance(X, Sized) and len(X) == 0:
            raise ValueError(NO_ROWS)
        matrix, self.names = table_of(X)
        super().__init__(matrix, y, labels)
        self.rows = Dense(matrix.reshape(-1), self.n_features)


class SparseSource(_TableSource):
    """Any scipy sparse matrix or array, as compressed rows."""

    names: tuple[Hashable, ...] | None = None

    def __init__(self, X: object, y: object, labels: Labels) -> None:
        matrix = canonical_rows(X)
        super().__init__(matrix, y, labels)
        if self.n_features > np.iinfo(np.int32).max:
            raise ValueError(f"X has {self.n_features:,} columns: at most 2^31 - 1")
        self.rows = Sparse(
            np.ascontiguousarray(matrix.indptr, np.int64),
            np.ascontiguousarray(matrix.indices, np.int32),
            numbers_of(matrix.data),
        )
