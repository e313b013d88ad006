"""Rows to predict for, as a matrix whose columns match a model's weights."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np

from ..algorithms.learners.event_row import EventRow
from ..data.encoding import Encoder
from ..data.encoding.fields import Features, FieldReader
from ..data.encoding.hashed_text import as_bytes, hash_texts
from ..data.encoding.input_kind import Kind, kind_of, rows_by_name, strings_of
from ..data.encoding.sparse import canonical_rows, checked_rows, kernel_rows
from ..data.encoding.tables import table_of
from ..data.encoding.text import count_words
from ..data.hashed_names import HashedNames
from ..data.schema import Schema
from ..engine.feature_names import Names, numbered
from ..engine.hypotheses.matrices import Compressed, Csr, in_range, matrix_of
from ..errors import BadRow
from ..parts.documents import Document
from ..parts.rows import Dense, Ints, Rows, Sparse
from ..parts.state import Floats

if TYPE_CHECKING:
    from ..data.formats.vw import VwParser


RowMatrix: TypeAlias = "Floats | Csr | Compressed"
Fields: TypeAlias = "Mapping[Any, object]"
Entries: TypeAlias = "tuple[list[int] | Ints, list[float] | Floats]"
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
        self.schema, self.reading = Schema.of_reading(reading), reading
        self.encoder = Encoder()
        if names is not None:
            named = numbered(names, n_features)
            self.encoder.numbers = {name: j for j, name in named}
        self.encoder.read_with(self.schema)
        whole, kinds = self.schema.columns is not None, self.schema.kinds
        self.encoder.hashed = HashedNames.of_reading(reading, names, n_features)
        others = {name for name, kind in kinds.items() if kind != "number"}
        gaps = whole and (others or self.schema.missing != "zero")
        others.update(self.schema.aside)
        plain = self.encoder.plain and not gaps
        self.plain = plain and self.encoder.numbers.keys().isdisjoint(others)

    def matrix(self, given: object) -> RowMatrix:
        """A dense or sparse matrix with ``n_features`` columns.

        A frame is matched by the names of its columns where the model has names; a
        dict, or a list of dicts, by its fields, which are read as those that the model
        learned; names that it never met are features of which it knows nothing. Texts
        have their words counted, or are lines of VW text if the model learned such.
        """
        X: Any = rows_by_name(given)
        if isinstance(X, Compressed):
            _finite(X.rows.values)
            return X
        kind = kind_of(X)
        if kind in ("file", "files", "other"):
            raise TypeError(_not_rows(X, kind))
        if kind == "sparse":
            return self._of_csr(checked_rows(X))
        if kind == "strings":
            return self._of_texts(strings_of(X))
        if kind in ("event", "events"):
            return self._of_dicts([X] if kind == "event" else X)
        if self.names is None or not hasattr(X, "columns"):
            table = np.atleast_2d(table_of(X)[0])
            _refuse_width(table.shape[1], self.n_features)
            return _finite(table)
        return self._of_frame(X)

    def _of_csr(self, X: Any) -> RowMatrix:
        """A sparse matrix; columns beyond those of the model were never met."""
        csr: Csr = _finite(X)
        _refuse_width(csr.shape[1], self.n_features, wider=True)
        if csr.shape[1] == self.n_features:
            return csr
        rows, n = rows_of(csr)
        return matrix_of(in_range(rows, self.n_features), n, self.n_features)

    def _of_frame(self, X: Any) -> RowMatrix:
        names, n_features = self.names, self.n_features
        if self.schema.columns is None and (
            self.schema.kinds or self.schema.interactions
        ):
            from ..data.formats.named_rows import dicts_of
            from ..data.frames import record_batch

            return self._of_dicts(dicts_of(record_batch(X)))
        tabled = self.schema.columns is not None
        if names is not None and not tabled and not self.encoder.hashed:
            missing = [name for name in names if name not in X.columns]
            if missing:
                raise ValueError(f"the frame has no column {missing[0]!r}")
            # Fewer names than features, where more were declared than appeared.
            known = table_of(X[list(names)])[0]
            return _finite(np.pad(known, ((0, 0), (0, n_features - len(names)))))
        if not tabled:
            raise TypeError(
                "this model hashes the words of its data: read files as it did, or "
                "give dicts of features by name"
            )
        from ..data.frames import words_of_frame

        rows = words_of_frame(X, self.schema, names)
        if isinstance(rows, Dense):
            return rows.values.reshape(len(X), rows.width)
        return matrix_of(rows, len(X), n_features)

    def _of_texts(self, texts: list[str]) -> RowMatrix:
        if self.reading.get("format") == "vw":
            return self._of_lines(texts)
        if self.names is None:
            raise TypeError(NAMELESS)
        if self.encoder.hashed is None:
            return self._of_dicts([{**count_words(text)} for text in texts])
        if list(self.schema.text) != [""]:
            raise TypeError("this model did not learn from texts alone: give it dicts")
        index = self.encoder.hashed.index
        found = hash_texts(*as_bytes(texts), "", index.bits, self.schema.ngrams)
        return self._compressed(found.rows(presence=self.schema.presence))

    def _of_lines(self, lines: list[str]) -> RowMatrix:
        """Lines of VW text, read as the file was that the model learned."""
        text = "\n".join(line.removesuffix("\n") for line in lines)
        block = text.encode("utf-8", "surrogateescape")
        chunk = self._parser.parse(block)
        for problem in chunk.problems:
            raise BadRow(problem.line - 1, problem.what)
        if chunk.lines.size != len(lines) or chunk.n_lines > len(lines):
            wrong = (i for i, line in enumerate(lines) if len(line.splitlines()) != 1)
            raise BadRow(next(wrong, 0), "it is not one line of VW text")
        return self._compressed(chunk.sparse)

    def _compressed(self, rows: Sparse) -> RowMatrix:
        """Rows of hashed columns with the numbers that the model has for them."""
        n = rows.starts.size - 1
        if self.encoder.hashed is not None:
            index = self.encoder.hashed.index
            rows = index.left_out(index.look_up(rows))
        return matrix_of(rows, n, self.n_features)

    @cached_property
    def _parser(self) -> VwParser:
        """What reads VW text as the model's was read."""
        from ..data.formats.vw import VwParser
        from ..data.read_options import ReadOptions

        return VwParser.of(ReadOptions.from_dict(self.reading))

    def _of_dicts(self, rows: Sequence[Fields]) -> RowMatrix:
        if self.reading.get("format") == "vw" and self.schema.interactions:
            raise TypeError(
                "this model multiplies namespaces of VW text: give it lines of it"
            )
        row = EventRow(self.encoder)
        found: list[Entries] = []
        for i, x in enumerate(rows):
            if not (self.plain and row.write(x)):
                row.put(*self.entries(x, i))
            n = int(row.rows.starts[1])
            found.append((row.rows.columns[:n].copy(), row.rows.values[:n].copy()))
        return Compressed(_sparse(found), (len(found), self.n_features))

    def entries(self, x: Fields, i: int = 0) -> tuple[list[int], list[float]]:
        """The columns and values of a row."""
        if self.names is None and any(isinstance(name, str) for name in x):
            raise TypeError(NAMELESS)
        if self.reading.get("format") == "vw" and self.schema.interactions:
            raise TypeError(
                "this model multiplies namespaces of VW text: give it lines of it"
            )
        return self._places(self.encoder.features(x, i))

    @property
    def fields(self) -> FieldReader:
        """What reads the fields of a row."""
        return self.encoder.fields

    def rows(self, found: Sequence[Features]) -> Sparse:
        """Rows of features by name."""
        return _sparse([self._places(self.encoder.ordered(row)) for row in found])

    def _places(self, features: Features) -> tuple[list[int], list[float]]:
        """The columns and values of features; those never met have the next column."""
        known = list(map(self.encoder.numbers.get, features))
        if None not in known:
            return cast("list[int]", known), list(features.values())
        new = [name for name, j in zip(features, known, strict=True) if j is None]
        found = self._columns(new)
        columns: list[int] = []
        values: list[float] = []
        places: dict[int, int] = {}
        for (name, value), own in zip(features.items(), known, strict=True):
            j = found.get(name, -1) if own is None else own
            at = places.setdefault(j, len(columns))
            if 0 <= j < self.n_features and at < len(columns):
                values[at] += value
            else:
                columns.append(j if 0 <= j < self.n_features else self.n_features)
                values.append(value)
        return columns, values

    def _columns(self, new: list[Hashable]) -> dict[Hashable, int]:
        """The columns of features that have no names here, or whose names are new."""
        if self.names is None:
            return {name: name for name in new if isinstance(name, int)}
        if self.encoder.hashed is None:
            return {}
        return dict(zip(new, self.encoder.hashed.find(new), strict=True))


def _sparse(found: Sequence[Entries]) -> Sparse:
    """Rows of these columns and values."""
    columns = [np.asarray(row, np.int32) for row, _ in found]
    values = [np.asarray(row, np.float64) for _, row in found]
    return Sparse(
        np.cumsum([0, *map(len, columns)]),
        np.concatenate([np.zeros(0, np.int32), *columns]),
        np.concatenate([np.zeros(0), *values]),
    )


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
    n = matrix.shape[0]
    if isinstance(matrix, Compressed):
        return matrix.rows, n
    dense = isinstance(matrix, np.ndarray)
    return kernel_rows(matrix if dense else canonical_rows(matrix)), n


def _refuse_width(width: int, n_features: int, *, wider: bool = False) -> None:
    """Refuse rows that have fewer columns than the model, or more."""
    if width < n_features or (width > n_features and not wider):
        raise ValueError(
            f"X has {width} columns, but the model has {n_features} features"
        )


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
