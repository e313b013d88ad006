"""Compressed rows that multiply weights, without scipy.

A process that predicts a few rows would spend most of its time importing it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from ...parts.rows import Dense, Rows, Sparse
from ...parts.state import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ..players.row_player import Call


Csr: TypeAlias = "csr_array[Any, tuple[int, int]]"


class Matrix(Protocol):
    """A left factor: an array, a sparse matrix of scipy, or :class:`Compressed`."""

    def __matmul__(self, weights: Floats, /) -> Floats:
        """The product with weights, a column or several."""
        ...


class Compressed(NamedTuple):
    """Rows with so many columns, as a left factor; further ones were never met.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.engine.hypotheses.matrices import Compressed
    >>> from regretless.parts.rows import Sparse
    >>> rows = Sparse(
    ...     np.array([0, 2, 2]), np.array([0, 1], np.int32), np.array([1.0, 2.0])
    ... )
    >>> Compressed(rows, (2, 2)) @ np.array([3.0, 4.0])
    array([11.,  0.])
    """

    rows: Sparse
    shape: tuple[int, int]

    def __matmul__(self, weights: Floats, /) -> Floats:
        out = np.empty((self.shape[0], *weights.shape[1:]))
        product, arguments = scoring_by(weights.T, 0.0, self.rows, out)
        product(*arguments)
        return out

    def as_scipy(self) -> Csr:
        """The same as a matrix of scipy, without features that were never met."""
        from scipy.sparse import csr_array

        starts, columns, values = known_only(self.rows, self.shape[1])
        if starts[-1] < 2**31:  # else scipy copies the columns, to have both alike
            starts = starts.astype(np.int32)
        return csr_array((values, columns, starts), shape=self.shape)


def scoring_by(weights: Floats, shifts: object, rows: Rows, out: Floats) -> Call:
    """What scores `rows` by weights, a row a class if many, and its arguments."""
    from ..kernels.compiled import entry
    from ..kernels.products import score_weights

    weights = np.ascontiguousarray(np.atleast_2d(weights))
    added = np.full(len(weights), shifts, np.float64)
    arguments = (weights, added, rows, out.reshape(len(out), len(weights)))
    return entry(score_weights, arguments), arguments


def in_range(rows: Rows, n_features: int) -> Rows:
    """Rows in which all features that were never met have the number `n_features`."""
    if isinstance(rows, Dense):
        return rows
    return rows._replace(columns=np.minimum(rows.columns, np.int32(n_features)))


def matrix_of(rows: Rows, n: int, n_features: int) -> Floats | Compressed:
    """The rows as a matrix with `n_features` columns.

    Compressed rows keep entries beyond, of features that were never met.
    """
    if isinstance(rows, Dense):
        table = rows.values.reshape(n, rows.width)
        if rows.width >= n_features:
            return table[:, :n_features]
        return np.pad(table, ((0, 0), (0, n_features - rows.width)))
    begin, end = rows.starts[0], rows.starts[n]
    columns, values = rows.columns[begin:end], rows.values[begin:end]
    found = Sparse(rows.starts[: n + 1] - begin, columns, values)
    return Compressed(found, (n, n_features))


def known_only(rows: Sparse, n_features: int) -> Sparse:
    """The rows without features that were never met."""
    known = rows.columns < n_features
    if known.all():
        return rows
    before = np.concatenate([[0], np.cumsum(known)])
    return Sparse(before[rows.starts], rows.columns[known], rows.values[known])
