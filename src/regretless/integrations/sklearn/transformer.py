"""Frames and dicts as matrices, for pipelines with other people's models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from ...data import EventSource, ReadOptions, Schema
from ...data.encoding import AmountLabels
from ...data.encoding.input_kind import kind_of
from ...engine.hypotheses.matrices import Compressed
from ...models.rows_to_predict import RowReader
from .frames import FrameColumns, checked_schema, frame_of
from .library import (
    BaseEstimator,
    OneToOneFeatureMixin,
    TransformerMixin,
    check_is_fitted,
    feature_names,
)
from .rows import first_rows, given_matrix

if TYPE_CHECKING:
    from ...data.chunk import Array
    from ...engine.feature_names import Names
    from ...engine.hypotheses.matrices import Csr


class SchemaTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Make a sparse matrix of a frame, or of a list of dicts, for any model.

    A column is a feature that has come in ``fit``: a number is itself, each word that a
    column has is one, and dates are some numbers. Words that come later are left out.
    Tables of numbers pass as they are.

    Parameters
    ----------
    schema : Schema or None
        What the fields mean. None: what :func:`regretless.play` takes them for.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        How many columns a table has, and their names. Dicts have none.

    Examples
    --------
    >>> import regretless as rg
    >>> rows = [{"town": "Rome", "size": 2.0}, {"town": "Oslo"}]
    >>> transformer = rg.sklearn.SchemaTransformer().fit(rows)
    >>> transformer.get_feature_names_out()
    array(['town=Rome', 'size', 'town=Oslo'], dtype=object)
    >>> transformer.transform([{"town": "Oslo", "size": 3}, {"town": "Bonn"}]).toarray()
    array([[0., 3., 1.],
           [0., 0., 0.]])
    """

    missing: str | None = None  # a schema says what gaps are
    _frame: FrameColumns | None = None

    def __init__(self, schema: Schema | None = None) -> None:
        self.schema = schema

    def fit(self, X: object, y: object = None) -> Self:
        """Find out which features there are, and give each a column."""
        checked_schema(self.schema)
        self._events = kind_of(X) == "events"
        if self._events:
            self._frame, self._names = None, self._names_in(X)
            return self
        self._frame = frame_of(self, X)
        first_rows(self, X, self._frame)
        self._names = () if self._frame is None else self._frame.names
        return self

    def transform(self, X: object) -> Csr:
        """The rows as a sparse matrix, with a column for each feature of ``fit``."""
        check_is_fitted(self)
        if self._events:
            if kind_of(X) != "events":
                raise TypeError("X is no list of dicts, as it was in fit")
            found = RowReader(len(self._names), self._names, self._read).matrix(X)
            return cast("Compressed", found).as_scipy()
        matrix = given_matrix(self, X, self._frame)
        if isinstance(matrix, Compressed):
            found = matrix.as_scipy()
        else:
            from scipy.sparse import csr_array

            found = csr_array(matrix)
        return found

    def get_feature_names_out(self, input_features: object = None) -> Array:
        """The names of the columns: of fields, or ``field=word``."""
        check_is_fitted(self)
        if self._frame is None and not self._events:
            return feature_names(self, input_features)
        return np.array([*self._names], object)

    def _names_in(self, rows: object) -> Names:
        """The names of the features of dicts, in the order in which they come."""
        options = ReadOptions().meaning(self.schema)
        events = [(row, 0.0) for row in cast("Sequence[object]", rows)]
        source = EventSource(events, AmountLabels(), None, options)
        for batch in source.batches():
            if batch.failure is not None:
                raise batch.failure
        self._read = source.options.as_dict()
        return source.names or ()

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_names")

    def __sklearn_tags__(self):
        tags = cast("Any", super().__sklearn_tags__())
        tags.input_tags.sparse = True
        return tags
