"""The boundary: whatever scikit-learn accepts becomes the rows that kernels take.

Checked once, here, and coerced once: float64 and C order, compressed rows with int32
columns. What is so already is not copied.
"""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data import ArraySource, Batch, SparseSource, taken
from ...data.chunk import Array
from ...data.encoding import AmountLabels
from ...data.encoding.input_kind import kind_of
from ...data.encoding.sparse import Matrix, checked_rows
from ...parts.documents import Document
from ...parts.rows import Dense, Sparse
from ...parts.state import Floats
from .labels import Code
from .library import check_array, validate_data

if TYPE_CHECKING:
    from .estimator import OnlineEstimator

__all__ = [
    "NO_WEIGHT",
    "batch_of",
    "matrix_of",
    "matrix_with_targets",
    "rows_of",
    "weights_of",
]

NO_WEIGHT = "sample_weight is zero everywhere: there are no rows to learn from"
ROWS = {
    "accept_sparse": "csr",
    "accept_large_sparse": True,
    "dtype": np.float64,
    "order": "C",
}


def matrix_of(estimator: OnlineEstimator, X: object) -> Matrix:
    """X to predict from: an array, or compressed rows, with the columns of the fit."""
    try:
        found = validate_data(
            estimator, _safe(X), reset=False, **_finite(estimator), **ROWS
        )
    except (TypeError, ValueError) as error:
        raise _named(error, X) from None
    return _marked(estimator, found)


def matrix_with_targets(
    estimator: OnlineEstimator, X: object, y: object, *, first: bool, numeric: bool
) -> tuple[Matrix, Array]:
    """X and y to learn from; `first` where they say which columns there are."""
    try:
        matrix, targets = validate_data(
            estimator,
            _safe(X),
            y,
            reset=first,
            y_numeric=numeric,
            ensure_min_samples=1,
            **_finite(estimator),
            **ROWS,
        )
    except (TypeError, ValueError) as error:
        raise _named(error, X) from None
    return _marked(estimator, matrix), targets


def _finite(estimator: OnlineEstimator) -> Document:
    """Whether nan is allowed."""
    return {"ensure_all_finite": True if estimator.missing is None else "allow-nan"}


def _marked(estimator: OnlineEstimator, matrix: Any) -> Matrix:
    """A matrix without nan: behind its columns, others that are 1 where nan was."""
    if estimator.missing is None:
        return matrix
    if not hasattr(matrix, "tocsr"):
        return np.hstack((np.nan_to_num(matrix, nan=0.0), np.isnan(matrix)))
    from scipy.sparse import hstack

    present, absent = matrix.copy(), matrix.copy()
    present.data, absent.data = np.nan_to_num(matrix.data), 1.0 * np.isnan(matrix.data)
    absent.eliminate_zeros()
    found: Any = hstack((present, absent), format="csr")
    return found


def _safe(X: object) -> object:
    """X, if it is what estimators take; sparse matrices are checked.

    scikit-learn converts before it looks.
    """
    kind = kind_of(X)
    if kind in ("file", "files"):
        raise TypeError(
            f"{X!r:.60} names a file, and estimators take tables of numbers: "
            "regretless.play reads files"
        )
    if kind == "strings":
        raise TypeError(
            "X is a list of texts, and estimators take tables of numbers: put a "
            "vectorizer in front, or let regretless.play read texts"
        )
    return checked_rows(X) if kind == "sparse" else X


def weights_of(sample_weight: object, n: int) -> Floats | None:
    """The importance of every row, None where all have 1.

    Raises ``ValueError`` where one is negative, or there are not as many as rows.
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(n, float(sample_weight))
    found: Floats = check_array(
        sample_weight,
        ensure_2d=False,
        dtype=np.float64,
        order="C",
        input_name="sample_weight",
    )
    if found.shape != (n,):
        raise ValueError(
            f"sample_weight.shape == {found.shape}, expected ({n},): one for each row"
        )
    if (found < 0.0).any():
        row = int(np.argmax(found < 0.0))
        raise ValueError(
            f"row {row}: sample_weight={found[row]:g} is negative: nothing can be "
            "learned less than not at all"
        )
    return None if (found == 1.0).all() else found


def batch_of(matrix: Matrix, y: Array, weights: Floats | None, code: Code) -> Batch:
    """Rows to play, without those of weight zero; `code` says what labels stand for."""
    code.check(y)
    rows, width = rows_of(matrix), int(matrix.shape[1])
    if weights is None or weights.all():
        return Batch(rows, code.encode(y), width, weights=weights)
    chosen = np.flatnonzero(weights)
    targets = np.zeros(len(y))
    targets[chosen] = code.encode(y[chosen])
    return taken(Batch(rows, targets, width, weights=weights), chosen)


def rows_of(matrix: Matrix) -> Dense | Sparse:
    """A checked matrix as the rows that kernels take."""
    kind = SparseSource if hasattr(matrix, "tocsr") else ArraySource
    return kind(matrix, np.zeros(matrix.shape[0]), AmountLabels()).rows


def _named(error: Exception, X: Any) -> Exception:
    """The same error in our words: what to do about nan, which column is to blame."""
    said = str(error).partition("\n")[0]
    if "contains NaN" in said:
        cure = "Leave out the rows without a label"
        if "X contains" in said:
            cure = 'Fill the gaps, or let missing="indicator" learn from them'
        return ValueError(f"{said.rstrip('.')}. {cure}")
    if not (hasattr(X, "columns") and hasattr(X, "to_numpy")):
        return error
    for name in X.columns:
        column = X[name]
        try:
            # Times turn into numbers by themselves, but not beside numbers.
            if np.asarray(column).dtype.kind in "mM":
                raise TypeError
            np.asarray(column, np.float64)
        except (TypeError, ValueError):
            return ValueError(
                f"column {name!r} holds {column.dtype}, not numbers: drop it or "
                "encode it (OneHotEncoder, say; rg.play encodes words by itself)"
            )
    return error
