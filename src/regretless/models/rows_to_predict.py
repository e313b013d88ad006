"""Rows to predict for, as a matrix whose columns match a model's weights."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from datetime import date
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from ..data.encoding.encoder import features_of
from ..data.encoding.hashed_text import BITS, as_bytes, hash_texts, word_slots
from ..data.encoding.input_kind import Kind, kind_of, strings_of
from ..data.encoding.sparse import canonical_rows, checked_rows
from ..data.encoding.tables import table_of
from ..data.encoding.text import count_words
from ..engine.feature_names import Names, numbered
from ..engine.hypotheses.matrices import Compressed, Csr
from ..parts.documents import Document
from ..parts.rows import Dense, Rows, Sparse
from ..parts.state import Floats
from .fields import EventRow, fields_as_read

__all__ = ["RowMatrix", "matrix_for", "one_row", "only_row", "rows_of"]

RowMatrix: TypeAlias = "Floats | Csr | Compressed"
Matrix = TypeVar("Matrix", bound="Floats | Csr")

NAMELESS = (
    "this model knows its features by number, not by name or word: give it a matrix "
    "with the columns that it learned from"
)


def matrix_for(
    X: Any, n_features: int, names: Names | None, reading: Document | None = None
) -> RowMatrix:
    """A dense or sparse matrix with `n_features` columns.

    A frame is matched by the names of its columns where the model has names; a dict, or
    a list of dicts, by its keys, and keys that the model does not know are left out
    (:mod:`.fields`).
    Texts have their words counted, as `reading` says. Columns of a matrix beyond those
    of the model are left out, too.
    """
    if isinstance(X, Compressed):
        _finite(X.rows.values)
        return X
    kind = kind_of(X)
    if kind in ("file", "files", "other"):
        raise TypeError(_not_rows(X, kind))
    if kind == "sparse":
        return _finite(_as_wide(cast("Csr", checked_rows(X)), n_features))
    if kind == "strings":
        return _from_texts(strings_of(X), n_features, names, reading or {})
    if kind in ("event", "events"):
        rows = [X] if kind == "event" else X
        return _from_dicts(rows, n_features, names, reading or {})
    if names is None or not hasattr(X, "columns"):
        return _finite(_as_wide(table_of(X)[0], n_features))
    return _from_frame(X, n_features, names, reading or {})


def _from_frame(X: Any, n_features: int, names: Names, reading: Document) -> RowMatrix:
    if not isinstance(names, Mapping):
        missing = [name for name in names if name not in X.columns]
        if missing:
            raise ValueError(f"the frame has no column {missing[0]!r}")
        # Fewer names than features, where more were declared than appeared.
        known = table_of(X[list(names)])[0]
        return _finite(np.pad(known, ((0, 0), (0, n_features - len(names)))))
    if not reading.get("columns"):
        raise TypeError(
            "this model hashes the words of its data: read files as it did, or give "
            "dicts of features by name"
        )
    from ..data.frame_source import words_of_frame

    rows = words_of_frame(X, reading)
    if isinstance(rows, Dense):
        return _as_wide(rows.values.reshape(len(X), rows.width), n_features)
    return Compressed(rows, (len(X), n_features))


def only_row(x: object) -> object:
    """One row as rows: a list of one dict or text, or a matrix."""
    x = one_row(x)
    if issubclass(type(x), str | Mapping):
        return [x]
    rows = x if hasattr(x, "tocsr") else np.atleast_2d(np.asarray(x))
    n = int(getattr(rows, "shape", (0,))[0])
    if n != 1:
        raise ValueError(f"this takes one row, not {n:,}")
    return rows


def one_row(x: object) -> object:
    """One row as it was given; a series of pandas, which is one of a frame, as a dict.

    nan is missing in it, as it is in the frame.
    """
    to_dict = getattr(x, "to_dict", None)
    if to_dict is None or hasattr(x, "columns"):
        return x
    entries: dict[Hashable, object] = to_dict()
    known = {name for name, value in entries.items() if value == value}  # noqa: PLR0124
    return {name: entries[name] if name in known else None for name in entries}


def _not_rows(X: object, kind: Kind) -> str:
    """Why there is nothing to predict for."""
    if kind == "other":
        return f"there is nothing to predict for: X is {X!r:.60}"
    return (
        f"{X!r:.60} names a file, and a model takes rows: 'regretless predict MODEL "
        "FILE' reads files, and a text goes into a list, model.predict([text])"
    )


def rows_of(matrix: RowMatrix) -> tuple[Rows, int]:
    """The rows of such a matrix as kernels take them, and how many there are."""
    n, width = matrix.shape
    if isinstance(matrix, Compressed):
        return matrix.rows, n
    if not isinstance(matrix, np.ndarray):
        csr = canonical_rows(matrix)
        starts = np.ascontiguousarray(csr.indptr, np.int64)
        columns = np.ascontiguousarray(csr.indices, np.int32)
        return Sparse(starts, columns, np.ascontiguousarray(csr.data, np.float64)), n
    return Dense(np.ascontiguousarray(matrix, np.float64).ravel(), width), n


def _as_wide(matrix: Floats | Csr, n_features: int) -> Floats | Csr:
    """The first columns: features that the model never met weigh nothing."""
    if matrix.ndim == 1:
        matrix = matrix.reshape((1, -1))
    if matrix.ndim != 2 or matrix.shape[1] < n_features:
        raise ValueError(
            f"X has {matrix.shape[-1]} columns, but the model has {n_features} features"
        )
    return matrix if matrix.shape[1] == n_features else matrix[:, :n_features]


def _from_texts(
    texts: list[str], n_features: int, names: Names | None, reading: Document
) -> Csr:
    from scipy.sparse import csr_array

    if names is None:
        raise TypeError(NAMELESS)
    if not isinstance(names, Mapping):
        counted = [count_words(text) for text in texts]
        return _from_dicts(counted, n_features, names, {})
    if list(reading.get("text", ())) != [""]:
        raise TypeError("this model did not learn from texts alone: give it dicts")
    bits, presence = int(reading.get("bits", BITS)), bool(reading.get("presence"))
    found = hash_texts(*as_bytes(texts), "", bits, int(reading.get("ngrams", 1)))
    rows = found.rows(presence=presence)
    shape = (len(texts), n_features)
    return csr_array((rows.values, rows.columns, rows.starts), shape=shape)


def _from_dicts(
    rows: Sequence[EventRow], n_features: int, names: Names | None, reading: Document
) -> Csr:
    from scipy.sparse import csr_array

    if names is None and any(isinstance(name, str) for row in rows for name in row):
        raise TypeError(NAMELESS)
    known = {name: j for j, name in numbered(names, n_features)}
    rows = fields_as_read(rows, reading, known)
    if isinstance(names, Mapping) and reading.get("columns"):
        # Words that have not come are hashed as in a file: a row is longer with them.
        bits = int(reading.get("bits", BITS))
        new = list({name: None for row in rows for name in row if name not in known})
        if new:
            slots = (word_slots(new, bits) + (n_features - 2**bits)).tolist()
            known |= dict(zip(new, slots, strict=True))
    starts = [0]
    columns: list[int] = []
    values: list[float] = []
    for i, row in enumerate(rows):
        wanted = {
            name: value
            for name, value in row.items()
            if name in known or isinstance(value, str | date)
        }
        for name, value in features_of(wanted, i).items():
            if name in known:
                columns.append(known[name])
                values.append(value)
        starts.append(len(columns))
    shape = (len(rows), n_features)
    return _finite(csr_array((values, columns, starts), shape=shape))


def _finite(matrix: Matrix) -> Matrix:
    """Refuse nan and infinity, which would be predicted as the negative class."""
    numbers = matrix if isinstance(matrix, np.ndarray) else matrix.tocsr().data
    if not np.isfinite(numbers).all():
        raise ValueError(
            "X holds nan or infinity: there is nothing to predict from (a model that "
            "learned a frame or a file in which numbers were missing takes frames and "
            "files with gaps)"
        )
    return matrix
