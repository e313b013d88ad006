"""Rows to predict for, as a matrix whose columns match a model's weights."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from ..data.encoding.fault import Fault
from ..data.encoding.fields import Features, FieldReader
from ..data.encoding.hashed_text import BITS, as_bytes, hash_texts, word_slots
from ..data.encoding.input_kind import Kind, kind_of, rows_by_name, strings_of
from ..data.encoding.sparse import canonical_rows, checked_rows
from ..data.encoding.tables import table_of
from ..data.encoding.text import count_words
from ..data.schema import Schema
from ..engine.feature_names import Names, numbered
from ..engine.hypotheses.matrices import Compressed, Csr
from ..errors import BadRow
from ..parts.documents import Document
from ..parts.rows import Dense, Rows, Sparse
from ..parts.state import Floats

__all__ = ["RowMatrix", "RowReader", "one_row", "only_row", "rows_of"]

RowMatrix: TypeAlias = "Floats | Csr | Compressed"
Fields: TypeAlias = "Mapping[Any, object]"
Matrix = TypeVar("Matrix", bound="Floats | Csr")

NAMELESS = (
    "this model knows its features by number, not by name or word: give it a matrix "
    "with the columns that it learned from"
)


class RowReader:
    """What makes matrices of rows, whose columns are the features of a model.

    Parameters
    ----------
    n_features : int
        How many features the model has.
    names : Names or None
        Their names, if they have any.
    reading : dict
        How the data were read that the model learned from.
    """

    def __init__(self, n_features: int, names: Names | None, reading: Document) -> None:
        self.n_features, self.names = n_features, names
        self.schema = Schema.of_reading(reading)
        self.numbers: dict[Hashable, int] = {}
        if names is not None:
            self.numbers = {name: j for j, name in numbered(names, n_features)}
        self.fields = FieldReader(self.schema, self.numbers)
        words = {"word", "words", "text"} & set(self.schema.kinds.values())
        hashed = self.fields.whole and isinstance(names, Mapping) and words
        self.bits = (self.schema.bits or BITS) if hashed else None

    def matrix(self, given: object) -> RowMatrix:
        """A dense or sparse matrix with ``n_features`` columns.

        A frame is matched by the names of its columns where the model has names; a
        dict, or a list of dicts, by its fields, which are read as those that the model
        learned; fields that it does not know are left out. Texts have their words
        counted. Columns of a matrix beyond those of the model are left out, too.
        """
        X: Any = rows_by_name(given)
        if isinstance(X, Compressed):
            _finite(X.rows.values)
            return X
        kind = kind_of(X)
        if kind in ("file", "files", "other"):
            raise TypeError(_not_rows(X, kind))
        if kind == "sparse":
            return _finite(_as_wide(cast("Csr", checked_rows(X)), self.n_features))
        if kind == "strings":
            return self._of_texts(strings_of(X))
        if kind in ("event", "events"):
            return self._of_dicts([X] if kind == "event" else X)
        if self.names is None or not hasattr(X, "columns"):
            return _finite(_as_wide(table_of(X)[0], self.n_features))
        return self._of_frame(X)

    def _of_frame(self, X: Any) -> RowMatrix:
        names, n_features = self.names, self.n_features
        if self.schema.columns is None and self.schema.kinds:
            from ..data.formats.named_rows import dicts_of
            from ..data.frame_source import record_batch

            return self._of_dicts(dicts_of(record_batch(X)))
        if names is not None and not isinstance(names, Mapping):
            missing = [name for name in names if name not in X.columns]
            if missing:
                raise ValueError(f"the frame has no column {missing[0]!r}")
            # Fewer names than features, where more were declared than appeared.
            known = table_of(X[list(names)])[0]
            return _finite(np.pad(known, ((0, 0), (0, n_features - len(names)))))
        if self.schema.columns is None:
            raise TypeError(
                "this model hashes the words of its data: read files as it did, or "
                "give dicts of features by name"
            )
        from ..data.frame_source import words_of_frame

        rows = words_of_frame(X, self.schema)
        if isinstance(rows, Dense):
            return _as_wide(rows.values.reshape(len(X), rows.width), n_features)
        return Compressed(rows, (len(X), n_features))

    def _of_texts(self, texts: list[str]) -> RowMatrix:
        if self.names is None:
            raise TypeError(NAMELESS)
        if not isinstance(self.names, Mapping):
            return self._of_features([{**count_words(text)} for text in texts])
        if list(self.schema.text) != [""]:
            raise TypeError("this model did not learn from texts alone: give it dicts")
        bits = self.schema.bits or BITS
        found = hash_texts(*as_bytes(texts), "", bits, self.schema.ngrams)
        rows = found.rows(presence=self.schema.presence)
        return Compressed(rows, (len(texts), self.n_features))

    def _of_dicts(self, rows: Sequence[Fields]) -> RowMatrix:
        if self.names is None and any(isinstance(x, str) for row in rows for x in row):
            raise TypeError(NAMELESS)
        found: list[Features] = []
        for i, row in enumerate(rows):
            try:
                found.append(self.fields.features(row))
            except Fault as fault:
                raise BadRow(i, str(fault)) from None
        return self._of_features(found)

    def _of_features(self, rows: Sequence[Features]) -> Compressed:
        """A matrix of features by name."""
        return Compressed(self.rows(rows), (len(rows), self.n_features))

    def rows(self, found: Sequence[Features]) -> Sparse:
        """Rows of features by name; those that the model does not know are left out."""
        numbers, new = self.numbers, self._hashed(found)
        first = self.n_features - 2**self.bits if self.bits else self.n_features
        starts = [0]
        columns: list[int] = []
        values: list[float] = []
        for row in found:
            places: dict[int, float] = {}
            for name, value in row.items():
                j = numbers.get(name, -1) if self.names is not None else _number(name)
                j = new.get(name, -1) if j < 0 else j
                if 0 <= j < self.n_features:
                    places[j] = places[j] + value if j in places else value
            # As in a table: numbers in the order of columns, then words as they come.
            order = sorted(places, key=lambda j: min(j, first)) if self.bits else places
            columns += order
            values += map(places.__getitem__, order)
            starts.append(len(columns))
        return Sparse(
            np.array(starts, np.int64),
            np.array(columns, np.int32),
            np.array(values, np.float64),
        )

    def _hashed(self, rows: Sequence[Features]) -> dict[Hashable, int]:
        """The columns of words that have not come, as in a file: rows have them too."""
        if self.bits is None:
            return {}
        known = self.numbers
        words = list({str(x): None for row in rows for x in row if x not in known})
        slots = word_slots(words, self.bits) + (self.n_features - 2**self.bits)
        return dict(zip(words, slots.tolist(), strict=True))


def _number(name: Hashable) -> int:
    """The column that a name is, where columns have no names."""
    return name if isinstance(name, int) else -1


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
