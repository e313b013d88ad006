"""Sparse matrices, checked before anything else looks at them.

scipy, scikit-learn and kernels trust the indices of a sparse matrix: one outside its
shape is read from memory that belongs to other things, or written there, and to
convert a matrix is to look at it. So every entry for matrices begins here.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, TypeAlias

import numpy as np

from ...parts.rows import Dense, Sparse
from ..chunk import Array

ORDER = "is not a sparse matrix: its indptr is out of order"


CompressedRows: TypeAlias = Any
"""A sparse matrix by rows, as scipy has it."""


def checked_rows(X: Any, what: str = "X") -> CompressedRows:
    """Any scipy sparse matrix or array as compressed rows, checked.

    Parameters
    ----------
    X : sparse matrix or array
        In any format, of two dimensions or (a row) of one.
    what : str
        What messages call it.

    Returns
    -------
    csr_matrix or csr_array
        X itself where it is one.

    Raises
    ------
    ValueError
        Where an index is outside the shape, or the arrays do not fit together.
    """
    # These go through coordinates, which can be looked at.
    given = X.tocoo() if getattr(X, "format", "") in ("dok", "dia") else X
    kind = getattr(given, "format", "")
    if kind in ("csr", "csc", "bsr"):
        _check_compressed(given, kind, what)
    elif kind == "coo":
        _check_coordinates(given, what)
    elif kind == "lil" and not all(map(_same_length, given.rows, given.data)):
        raise ValueError(f"{what} is not a sparse matrix: its rows and data differ")
    rows: CompressedRows = given.tocsr()
    if kind != "csr":
        _check_compressed(rows, "csr", what)
    return rows


def canonical_rows(X: object, what: str = "X") -> CompressedRows:
    """The same, each row's columns in order and none twice; X is not changed."""
    rows = checked_rows(X, what)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def kernel_rows(matrix: Array | CompressedRows) -> Dense | Sparse:
    """A matrix, or one that was checked, as kernels take it."""
    if isinstance(matrix, np.ndarray):
        table: Array = np.ascontiguousarray(matrix, np.float64)
        return Dense(table.reshape(-1), table.shape[1])
    return Sparse(
        np.ascontiguousarray(matrix.indptr, np.int64),
        np.ascontiguousarray(matrix.indices, np.int32),
        np.ascontiguousarray(matrix.data, np.float64),
    )


def check_starts(starts: Array, n_rows: int, size: int) -> bool:
    """Whether `n_rows` rows begin and end, in order, within `size` entries."""
    if starts.ndim != 1 or starts.dtype.kind not in "iu" or starts.size != n_rows + 1:
        return False
    return bool(
        starts[0] == 0 and starts[-1] <= size and (starts[1:] >= starts[:-1]).all()
    )


def largest(indices: Array) -> int:
    """The largest index, where a negative one counts as very large; -1 of none."""
    if not indices.size:
        return -1
    return int(indices.view(np.dtype(f"u{indices.itemsize}")).max())


def _check_compressed(X: CompressedRows, kind: str, what: str) -> None:
    """Compressed rows, columns, or rows of blocks."""
    lengths = (1, *X.shape) if len(X.shape) == 1 else X.shape
    blocks: tuple[int, ...] = (1, 1)
    if kind == "bsr":
        if X.data.ndim != 3 or 0 in X.data.shape[1:]:
            raise ValueError(f"{what} is not a sparse matrix: its blocks have no shape")
        blocks = X.data.shape[1:]
    outer, inner = (n // block for n, block in zip(lengths, blocks, strict=True))
    if kind == "csc":
        outer, inner = inner, outer
    starts, indices = X.indptr, X.indices
    _check_indices(indices, inner, "row" if kind == "csc" else "column", what)
    if not check_starts(starts, outer, min(indices.size, len(X.data))):
        raise ValueError(f"{what} {ORDER}")


def _check_coordinates(X: Any, what: str) -> None:
    coordinates = X.coords if hasattr(X, "coords") else (X.row, X.col)
    axes = ("row", "column")[-len(X.shape) :]
    for axis, indices, n in zip(axes, coordinates, X.shape, strict=True):
        _check_indices(indices, n, axis, what)
        if indices.shape != X.data.shape:
            raise ValueError(f"{what} is not a sparse matrix: its lengths differ")


def _check_indices(indices: Array, n: int, axis: str, what: str) -> None:
    whole = indices.ndim == 1 and indices.dtype.kind in "iu" and indices.dtype.isnative
    if not whole:
        raise ValueError(f"{what} is not a sparse matrix: its indices are no integers")
    if largest(indices) >= n:
        raise ValueError(f"{what} holds a {axis} index outside its shape")


def _same_length(one: Sized, other: Sized) -> bool:
    return len(one) == len(other)
