"""Tables that are all in memory: numpy arrays, scipy sparse matrices, data frames."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sized
from typing import NamedTuple

import numpy as np

from ..engine.feature_names import Names
from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .batch import Batch
from .encoding import Labels
from .encoding.sparse import CompressedRows, canonical_rows, kernel_rows
from .encoding.tables import numbers_of, table_of
from .read_options import ReadOptions

NO_ROWS = "there are no rows to learn from"


class TableRows(NamedTuple):
    """A table as rows that kernels take.

    Attributes
    ----------
    rows : Dense or Sparse
        All of them.
    n, n_features : int
        How many rows and features there are.
    names : names or None
        Those of the features, where they have any.
    options : ReadOptions or None
        What the columns of a frame mean.
    """

    rows: Dense | Sparse
    n: int
    n_features: int
    names: Names | tuple[Hashable, ...] | None = None
    options: ReadOptions | None = None


class RowsInMemory:
    """What sources share whose rows are all at hand, with a label each.

    Parameters
    ----------
    n_rows : int
        How many rows there are.
    y : array-like
        Their labels.
    labels : Labels
        How labels are coded.
    said : str
        How many rows there are, in words.
    """

    whole = True
    rereadable = True

    def __init__(self, n_rows: int, y: object, labels: Labels, said: str) -> None:
        self.n_rows = n_rows
        self.targets: Floats = labels.encode(y)
        if self.targets.size != n_rows:
            raise ValueError(f"{said} but y has {self.targets.size:,} labels")
        self.classes = labels.classes


class TableSource(RowsInMemory):
    """A table with its labels, in one batch."""

    def __init__(self, table: TableRows, y: object, labels: Labels) -> None:
        super().__init__(table.n, y, labels, f"X has {table.n:,} rows")
        self._rows, self.n_features = table.rows, table.n_features
        self.names, self.options = table.names, table.options

    def batches(self) -> Iterator[Batch]:
        """Everything in one batch."""
        yield Batch(self._rows, self.targets, self.n_features)


def read_array(X: object) -> TableRows:
    """A table of numbers, or a frame of nothing else."""
    if isinstance(X, Sized) and len(X) == 0:
        raise ValueError(NO_ROWS)
    matrix, names = table_of(X)
    n, width = _shape(matrix)
    return TableRows(kernel_rows(matrix), n, width, names)


def read_sparse(X: object) -> TableRows:
    """A scipy sparse matrix (CSR, CSC, COO, ...)."""
    matrix = canonical_rows(X)
    n, width = _shape(matrix)
    if width > np.iinfo(np.int32).max:
        raise ValueError(f"X has {width:,} columns: at most 2^31 - 1")
    numbers_of(matrix.data)  # or it says what is wrong
    return TableRows(kernel_rows(matrix), n, width)


def _shape(matrix: Floats | CompressedRows) -> tuple[int, int]:
    """How many rows and columns there are, if there are any."""
    if matrix.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, rows and columns; it has {matrix.ndim}"
        )
    n, width = matrix.shape
    if n == 0:
        raise ValueError(NO_ROWS)
    if width == 0:
        raise ValueError("X has no columns")
    return n, width
