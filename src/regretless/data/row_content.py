"""A number for the content of a row, whatever its label: copies of a row have the same.

Rows of numbers and of names are hashed as kernels see them
(:mod:`regretless.engine.kernels.row_hashes`); frames, texts and events by what they
say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from ..engine.kernels.compiled import entry
from ..engine.kernels.row_hashes import hash_rows
from ..parts.rows import Dense, Longs, Sparse
from .chunk import Array, Chunk
from .encoding.sparse import kernel_rows

HIGHEST = 2**63 - 1
EXACT = 2  # the column of what is found that has the hash


def content_keys(rows: Dense | Sparse, n: int) -> Longs:
    """The numbers of `n` rows."""
    found = np.empty((n, 4), np.int64)
    arguments = (rows, n, HIGHEST, found)
    entry(hash_rows, arguments)(*arguments)
    return np.ascontiguousarray(found[:, EXACT])


def chunk_keys(chunk: Chunk) -> Longs:
    """The numbers of the rows of a piece of a file.

    Names that have numbers within their piece only are taken for what they say.
    """
    rows = chunk.rows
    if chunk.local:
        width = 1 + max((j for j, _ in chunk.names), default=0)
        columns = np.zeros(width, np.int32)
        for j, name in chunk.names:
            columns[j] = _word_key(name) & 0x7FFFFFFF
        sparse = chunk.sparse
        rows = sparse._replace(columns=columns[sparse.columns])
    return content_keys(rows, chunk.lines.size)


def table_keys(X: Any, label: object = None) -> Longs:
    """The numbers of the rows of an array, a sparse matrix, a frame or a list.

    `label` names a column of a frame that is no feature.
    """
    if hasattr(X, "tocsr"):
        matrix = X.tocsr()
        return content_keys(kernel_rows(matrix), matrix.shape[0])
    array = cast("Array", X) if isinstance(X, np.ndarray) else None
    if array is not None and array.ndim == 2 and array.dtype.kind in "biuf":
        return content_keys(kernel_rows(array), len(array))
    return np.array([event_key(row) for row in _rows(X, label)], np.int64)


def event_key(x: Any) -> int:
    """The number of one event: a dict, a text, or a row of any kind."""
    if isinstance(x, dict):
        items = cast("dict[object, object]", x).items()
        told = sorted((str(name), _plain(value)) for name, value in items)
        return _word_key(repr([pair for pair in told if pair[1] != "0.0"]))
    if hasattr(x, "tocsr"):
        row = x.tocsr().reshape(1, -1)
        return int(table_keys(row)[0])
    if isinstance(x, np.ndarray):
        return int(table_keys(x.reshape(1, -1))[0])
    return _word_key(x if isinstance(x, str) else repr(x))


def _rows(X: Any, label: object) -> Iterable[object]:
    """The rows of a frame as tuples; of a list, what is in it."""
    if hasattr(X, "iloc"):  # pandas
        kept = [name for name in X.columns if name != label or label is None]
        return X[kept].itertuples(index=False, name=None)
    if hasattr(X, "iter_rows"):  # polars
        kept = [name for name in X.columns if name != label or label is None]
        return X.select(kept).iter_rows()
    if hasattr(X, "to_pylist"):  # Arrow
        found = X.to_pylist()
        return [{k: v for k, v in row.items() if k != label} for row in found]
    return cast("Sequence[object]", X)


def _plain(value: object) -> str:
    """What a field says, whatever kind of number it is."""
    number = isinstance(value, int | float | np.number)
    return repr(float(cast("float", value))) if number else repr(value)


def _word_key(text: str) -> int:
    """The hash of a text, as a number from 0 to 2^63 - 1."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(digest.digest(), "little") >> 1
