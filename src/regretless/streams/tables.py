"""Tables that are all in memory: numpy arrays, scipy sparse matrices, data frames."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from ..encoding import ClassLabels, Labels, checked
from ..errors import BadRow
from ..parts.rows import Dense, Sparse
from ..parts.state import Floats
from .batch import Batch

__all__ = ["ArraySource", "SparseSource"]


class ArraySource:
    """A two-dimensional array, list of lists, or data frame of numbers."""

    whole = True
    again = True

    def __init__(self, X: Any, y: Any, labels: Labels | ClassLabels) -> None:
        matrix, self.names = _matrix(X)
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

    def __init__(self, X: Any, y: Any, labels: Labels | ClassLabels) -> None:
        matrix: Any = X.tocsr()
        self.n_rows, self.n_features = matrix.shape
        _check_size(self.n_rows, self.n_features)
        if self.n_features > np.iinfo(np.int32).max:
            raise ValueError(f"X has {self.n_features:,} columns: at most 2^31 - 1")
        check_starts(matrix)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        if _largest(matrix.indices) >= self.n_features:
            raise ValueError("X holds a column index outside its shape")
        self.targets: Floats = labels.encode(y)
        _same_length(self.n_rows, self.targets.size)
        self.rows = Sparse(
            np.ascontiguousarray(matrix.indptr, np.int64),
            np.ascontiguousarray(matrix.indices, np.int32),
            _numbers(matrix.data),
        )
        self.classes = labels.classes

    def batches(self) -> Iterator[Batch]:
        """Everything in one batch."""
        yield Batch(self.rows, self.targets, self.n_features)


def check_starts(matrix: Any) -> None:
    """Raise ValueError unless rows begin and end inside: nobody else looks."""
    starts, size = matrix.indptr, min(matrix.indices.size, matrix.data.size)
    ordered = starts.size == matrix.shape[0] + 1 and starts[0] == 0
    if not (ordered and starts[-1] <= size and (np.diff(starts) >= 0).all()):
        raise ValueError("X is not a sparse matrix: its indptr is out of order")


def _matrix(X: Any) -> tuple[Any, tuple[Hashable, ...] | None]:
    """The numbers of X, C-contiguous float64, and the names of its columns."""
    if hasattr(X, "__len__") and len(X) == 0:
        raise ValueError("there are no rows to learn from")
    if hasattr(X, "collect") and not hasattr(X, "to_numpy"):
        raise TypeError("X is a lazy frame: collect() it first")
    if hasattr(X, "columns") and hasattr(X, "to_numpy"):
        names: tuple[Hashable, ...] = tuple(X.columns)
        for name in names:
            kind = X[name].to_numpy().dtype.kind
            if kind not in "buif":
                raise ValueError(
                    f"column {name!r} holds {X[name].dtype}, not numbers: "
                    "drop it or encode it"
                )
        return _numbers(X.to_numpy()), names
    return _numbers(X), None


def _numbers(values: Any) -> Floats:
    if hasattr(values, "mask") and hasattr(values, "filled"):
        values = values.astype(np.float64).filled(np.nan)
    try:
        array: Any = np.asarray(values)
        if array.dtype.kind not in "buifO":
            raise TypeError
        return np.ascontiguousarray(array, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _what_is_wrong(values) from None


def _what_is_wrong(table: Any) -> ValueError:
    """The first row that keeps a table from being one of numbers."""
    width: int | None = None
    try:
        for i, row in enumerate(table):
            entries = list(row)
            width = len(entries) if width is None else width
            if len(entries) != width:
                return BadRow(i, f"it has {len(entries)} columns, those above {width}")
            for j, entry in enumerate(entries):
                checked(j, entry, i)
    except BadRow as error:
        return error
    except TypeError:
        pass
    return ValueError("X is not a table of numbers: it needs rows and columns")


def _largest(columns: Any) -> int:
    """The largest column, where a negative one counts as very large; -1 of none."""
    unsigned = columns.view(np.uint32 if columns.itemsize == 4 else np.uint64)
    return int(unsigned.max()) if columns.size else -1


def _check_size(n_rows: int, n_features: int) -> None:
    if n_rows == 0:
        raise ValueError("there are no rows to learn from")
    if n_features == 0:
        raise ValueError("X has no columns")


def _same_length(rows: int, labels: int) -> None:
    if rows != labels:
        raise ValueError(f"X has {rows:,} rows but y has {labels:,} labels")
