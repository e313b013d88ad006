"""Rows to predict for, as a matrix whose columns match a model's weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from ..encoding.hashed_text import BITS, as_bytes, hash_texts, weave_rows
from ..encoding.names import Names, features_of, numbered
from ..encoding.text import count_words

__all__ = ["matrix_for"]


def matrix_for(
    X: Any,
    n_features: int,
    names: Names | None,
    reading: Mapping[str, Any] | None = None,
) -> Any:
    """A dense or sparse matrix with `n_features` columns.

    A frame is matched by the names of its columns where the model has names; a dict, or
    a list of dicts, by its keys, and keys that the model does not know are left out. A
    text, or a list of texts, has its words counted, as `reading` says.
    """
    texts = _texts(X)
    if texts is not None:
        return _from_texts(texts, n_features, names, reading or {})
    dicts = _dicts(X)
    if dicts is not None:
        return _from_dicts(dicts, n_features, names)
    if isinstance(names, Mapping) and hasattr(X, "columns"):
        raise TypeError(
            "this model hashes the words of its data: read files as it did, or give "
            "dicts of features by name"
        )
    if names is not None and hasattr(X, "columns"):
        missing = [name for name in names if name not in X.columns]
        if missing:
            raise ValueError(f"the frame has no column {missing[0]!r}")
        # Fewer names than features, where more were declared than appeared.
        known = np.asarray(X[list(names)], np.float64)
        return _finite(np.pad(known, ((0, 0), (0, n_features - len(names)))))
    matrix: Any = X if hasattr(X, "tocsr") else np.asarray(X, np.float64)
    if matrix.ndim == 1:
        matrix = matrix.reshape(1, -1)
    if matrix.shape[1] != n_features:
        raise ValueError(
            f"X has {matrix.shape[1]} columns, but the model has {n_features} features"
        )
    return _finite(matrix)


def _texts(X: Any) -> list[str] | None:
    """The texts, if that is what X is."""
    if isinstance(X, str):
        return [X]
    if hasattr(X, "tocsr") or hasattr(X, "columns") or isinstance(X, Mapping):
        return None
    if getattr(X, "ndim", 1) != 1 or not hasattr(X, "__iter__"):
        return None
    given: Any = X.to_pylist() if hasattr(X, "to_pylist") else X
    items = list(given)
    if not items or not any(isinstance(each, str) for each in items):
        return None
    return [each if isinstance(each, str) else "" for each in items]


def _from_texts(
    texts: list[str], n_features: int, names: Names | None, reading: Mapping[str, Any]
) -> Any:
    from scipy.sparse import csr_array

    if not isinstance(names, Mapping):
        return _from_dicts([count_words(text) for text in texts], n_features, names)
    if list(reading.get("text", ())) != [""]:
        raise TypeError("this model did not learn from texts alone: give it dicts")
    bits, presence = int(reading.get("bits", BITS)), bool(reading.get("presence"))
    found = hash_texts(*as_bytes(texts), "", bits, int(reading.get("ngrams", 1)))
    starts, columns, values = weave_rows(
        np.zeros((len(texts), 0)),
        np.empty(0, np.int32),
        found.starts,
        found.slots,
        presence=presence,
    )
    return csr_array((values, columns, starts), shape=(len(texts), n_features))


def _dicts(X: Any) -> list[Mapping[Any, Any]] | None:
    """The rows as a list of dicts, if that is what they are."""
    rows: Any = [X] if isinstance(X, Mapping) else X
    if isinstance(rows, list | tuple) and rows and isinstance(rows[0], Mapping):
        return list(cast("list[Mapping[Any, Any]]", rows))
    return None


def _from_dicts(
    rows: Sequence[Mapping[Any, Any]],
    n_features: int,
    names: Names | None,
) -> Any:
    from scipy.sparse import csr_array

    known = {name: j for j, name in numbered(names, n_features)}
    starts = [0]
    columns: list[int] = []
    values: list[float] = []
    for i, row in enumerate(rows):
        wanted = {
            name: value
            for name, value in row.items()
            if name in known or isinstance(value, str)
        }
        for name, value in features_of(wanted, i).items():
            if name in known:
                columns.append(known[name])
                values.append(value)
        starts.append(len(columns))
    shape = (len(rows), n_features)
    return _finite(csr_array((values, columns, starts), shape=shape))


def _finite(matrix: Any) -> Any:
    """Refuse nan and infinity, which would be predicted as the negative class."""
    numbers: Any = matrix.tocsr().data if hasattr(matrix, "tocsr") else matrix
    if not np.isfinite(numbers).all():
        raise ValueError("X holds nan or infinity: there is nothing to predict from")
    return matrix
