"""The boundary: whatever scikit-learn accepts becomes the rows that kernels take.

Tables of numbers are checked as scikit-learn checks them, and coerced once: float64 and
C order, compressed rows with int32 columns. What is so already is not copied. Frames of
other things go through :mod:`.frames`.
"""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ...data import Batch
from ...data.chunk import Array
from ...data.encoding.input_kind import kind_of
from ...data.encoding.sparse import checked_rows
from ...data.row_content import content_keys
from ...data.selection import chosen_rows
from ...data.table_source import read_array, read_sparse
from ...engine.hypotheses.matrices import Compressed, matrix_of
from ...models.rows_to_predict import RowMatrix
from ...parts.rows import Dense, Longs, Sparse
from ...parts.state import Floats
from .labels import Code
from .library import (
    check_array,
    check_classification_targets,
    column_or_1d,
    validate_data,
)

if TYPE_CHECKING:
    from .frames import FrameColumns, ReadsRows


NO_WEIGHT = "sample_weight is zero everywhere: there are no rows to learn from"
NOTHING: Array = np.empty(0)
FRONT = "put regretless.sklearn.SchemaTransformer() in front"
NOT_NUMBERS = (
    "column {!r} holds {}, not numbers as in fit: fit on a frame with such values, or "
    "declare it, schema=regretless.Schema(...)"
)
TIMES = ("date", "time", "duration")
OTHERS = {
    "file": "{!r:.60} names a file: regretless.play reads files",
    "files": "{!r:.60} names files: regretless.play reads files",
    "strings": "X is a list of texts: put a vectorizer in front, or let "
    "regretless.play read texts",
    "event": f"X is a dict: estimators take rows; {FRONT}, and give it a list of dicts",
    "events": f"X is a list of dicts: {FRONT}",
}


class Given(NamedTuple):
    """Rows that an estimator was given, checked; and to learn from, their labels.

    `frame` says how they were read, where they are a frame of more than numbers.
    """

    rows: Dense | Sparse
    n: int
    width: int
    labels: Array = NOTHING
    weights: Floats | None = None
    frame: FrameColumns | None = None

    @property
    def keys(self) -> Longs:
        """The numbers of what they say."""
        return content_keys(self.rows, self.n)

    @property
    def matrix(self) -> RowMatrix:
        """The rows as models take them."""
        return cast("RowMatrix", matrix_of(self.rows, self.n, self.width))

    def some(self, chosen: Longs) -> Given:
        """Those with these numbers."""
        weights = None if self.weights is None else self.weights[chosen]
        if isinstance(self.rows, Dense):
            rows = chosen_rows(self.rows, chosen)
        else:  # scipy is here, and twice as fast
            found = Compressed(self.rows, (self.n, self.width)).as_scipy()[chosen]
            rows = Sparse(
                found.indptr.astype(np.int64, copy=False),
                found.indices.astype(np.int32, copy=False),
                found.data,
            )
        labels = self.labels[chosen]
        return self._replace(rows=rows, n=chosen.size, labels=labels, weights=weights)

    def counted(self) -> Given:
        """Those that are learned: rows of weight zero are none."""
        if self.weights is None or self.weights.all():
            return self
        return self.some(np.flatnonzero(self.weights))

    def batch(self, code: Code) -> Batch:
        """The same to play; `code` says what labels stand for."""
        targets = code.encode(self.labels)
        return Batch(self.rows, targets, self.width, weights=self.weights)


def given_matrix(
    estimator: ReadsRows, X: object, frame: FrameColumns | None
) -> RowMatrix:
    """Rows to predict for."""
    if frame is None:
        return _checked(estimator, X, reset=False).matrix
    return frame.matrix(X)


def first_rows(estimator: ReadsRows, X: object, frame: FrameColumns | None) -> Given:
    """Rows that say which columns there are."""
    if frame is None:
        return _checked(estimator, X, reset=True)
    found = frame.learn(X)
    validate_data(estimator, X, skip_check_array=True)  # it remembers the columns, too
    return found


def labeled_rows(
    estimator: ReadsRows,
    X: object,
    y: object,
    sample_weight: object,
    frame: FrameColumns | None,
    *,
    first: bool,
    numeric: bool,
) -> Given:
    """X and y to learn from; `first` where they say which columns there are."""
    if frame is None:
        found = _checked(estimator, X, y, reset=first, y_numeric=numeric)
    else:
        found = first_rows(estimator, X, frame) if first else frame.learn(X)
        labels = check_array(y, ensure_2d=False, dtype=None, input_name="y")
        labels = column_or_1d(labels, warn=True)
        if labels.size != found.n:
            raise ValueError(f"X has {found.n:,} rows but y has {labels.size:,} labels")
        found = found._replace(labels=labels.astype(np.float64) if numeric else labels)
    if not numeric:
        check_classification_targets(found.labels)
    return found._replace(weights=_weights(sample_weight, found.n), frame=frame)


def _checked(estimator: ReadsRows, X: object, *y: object, **checks: object) -> Given:
    """A table of numbers, and labels where there are any, by scikit-learn's rules."""
    what: dict[str, Any] = {
        "accept_sparse": "csr",
        "accept_large_sparse": True,
        "dtype": np.float64,
        "order": "C",
        "ensure_all_finite": True if estimator.missing is None else "allow-nan",
    }
    try:
        found = validate_data(estimator, _safe(X), *y, **what, **checks)
    except (TypeError, ValueError) as error:
        raise _named(error, X) from None
    matrix, labels = found if y else (found, NOTHING)
    if estimator.missing is not None:
        matrix = _marked(matrix)
    table = (read_sparse if hasattr(matrix, "tocsr") else read_array)(matrix)
    return Given(table.rows, table.n, table.n_features, labels)


def _marked(matrix: Any) -> Any:
    """A matrix without nan: behind its columns, others that are 1 where nan was."""
    if not hasattr(matrix, "tocsr"):
        return np.hstack((np.nan_to_num(matrix, nan=0.0), np.isnan(matrix)))
    from scipy.sparse import hstack

    present, absent = matrix.copy(), matrix.copy()
    present.data, absent.data = np.nan_to_num(matrix.data), 1.0 * np.isnan(matrix.data)
    absent.eliminate_zeros()
    return hstack((present, absent), format="csr")


def _safe(X: Any) -> object:
    """X, if it is what estimators take; sparse matrices are checked.

    scikit-learn converts before it looks, times to numbers, too.
    """
    kind = kind_of(X)
    if kind in OTHERS:
        raise TypeError(OTHERS[kind].format(X))
    if kind == "table" and hasattr(X, "columns") and hasattr(X, "dtypes"):
        for name, held in zip(X.columns, X.dtypes, strict=True):
            if str(held).lower().startswith(TIMES):
                raise ValueError(NOT_NUMBERS.format(name, held))
    return checked_rows(X) if kind == "sparse" else X


def _weights(sample_weight: object, n: int) -> Floats | None:
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
        try:
            np.asarray(X[name], np.float64)
        except (TypeError, ValueError):
            return ValueError(NOT_NUMBERS.format(name, X[name].dtype))
    return error
