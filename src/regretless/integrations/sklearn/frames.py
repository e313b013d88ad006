"""Frames of more than numbers, read as :func:`regretless.play` reads them.

What the columns mean is declared by a schema, or found in the first frame; later frames
must have the same columns, in any order. A frame of numbers alone, with nothing
declared, is a table like any other, and goes by scikit-learn's rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol, TypeGuard

from ...data import ReadOptions, Schema
from ...data.encoding.input_kind import kind_of
from ...data.encoding.tables import is_plain
from ...data.frames import read_frame
from ...engine.feature_names import Names
from ...models.rows_to_predict import RowMatrix, RowReader
from ...parts.documents import Document
from .rows import Given

NO_FRAMES = {
    "collect": "X is a lazy frame: collect() it first",
    "to_pandas": "X is an Arrow table: X.to_pandas() makes a frame of it",
}
ROLES = ("label", "weight", "group", "id", "columns")


class ReadsRows(Protocol):
    """What takes rows: an estimator, or a transformer."""

    schema: Schema | None
    missing: str | None


class Frame(Protocol):
    """A data frame of pandas or polars, as far as it is looked at here."""

    @property
    def columns(self) -> Iterable[object]:
        """The names of its columns."""
        ...

    def __len__(self) -> int: ...


class FrameColumns:
    """What the columns of frames mean.

    Attributes
    ----------
    declared : dict
        What was declared.
    options : ReadOptions
        What was declared, and as soon as a frame has come, found.
    names : names
        Of the features: numbers, and all words that have come.
    width : int
        How many features there are.
    """

    def __init__(
        self, schema: Schema | None, missing: str | None, direct: int = 0
    ) -> None:
        self.declared = declared(schema)
        self.direct = direct  # bits of hashes, where these are the numbers
        options = ReadOptions().meaning(schema)
        self.options = replace(options, missing=missing) if missing else options
        self.names: Names = ()
        self.width = 0
        self._columns: tuple[str, ...] = ()

    def learn(self, X: object) -> Given:
        """The rows of a frame to learn from, whose words may be new."""
        frame = self._checked(X)
        names = self.names or None
        table = read_frame(frame, self.options, names, direct=self.direct)
        self.options, self.names = table.options or self.options, table.names or ()
        self._columns, self.width = tuple(map(str, frame.columns)), table.n_features
        return Given(table.rows, table.n, self.width)

    def matrix(self, X: object) -> RowMatrix:
        """The rows of a frame, or of a list of dicts, to predict for."""
        if kind_of(X) not in ("event", "events"):
            self._checked(X)
        return RowReader(self.width, self.names, self.options.as_dict()).matrix(X)

    def _checked(self, X: object) -> Frame:
        """X, if it is a frame with the columns of the first one; else ValueError."""
        if not _is_frame(X):
            raise ValueError(
                "X is no frame, and the columns of fit had names and words: give a "
                f"frame with the columns {', '.join(map(repr, self._columns[:8]))}"
            )
        came = [str(name) for name in X.columns]
        for name, _ in self.options.columns or ():
            if name not in came:
                raise ValueError(f"X has no column {name!r}, which was there in fit")
        for name in came:
            if self._columns and name not in self._columns:
                raise ValueError(
                    f"X has a column {name!r} that was not there in fit: drop it"
                )
        return X


def frame_of(estimator: ReadsRows, X: object, direct: int = 0) -> FrameColumns | None:
    """How to read X, which says what columns there are; None: it is all numbers."""
    for other, cure in NO_FRAMES.items():
        if hasattr(X, other) and not hasattr(X, "to_numpy"):
            raise TypeError(cure)
    schema = declared(estimator.schema)
    if not _is_frame(X):
        if schema:
            raise ValueError(
                "schema= says what the columns of a frame mean, and X has no names of "
                "columns: give a frame"
            )
        return None
    if not schema and is_plain(X):
        return None
    return FrameColumns(estimator.schema, estimator.missing, direct)


def declared(schema: Schema | None) -> Document:
    """What a schema says, beyond what holds without one."""
    return {} if schema is None else schema.as_dict()


def checked_schema(schema: object) -> None:
    """Raise an error unless it is a schema of features, or None."""
    if schema is None:
        return
    if not isinstance(schema, Schema):
        raise TypeError(f"schema={schema!r:.60} must be a regretless.Schema, or None")
    for role in ROLES:
        if getattr(schema, role) is not None:
            raise ValueError(
                f"schema: {role}={getattr(schema, role)!r:.60} is for files: give "
                "labels as y, weights as sample_weight, and leave out with ignore="
            )


def _is_frame(X: object) -> TypeGuard[Frame]:
    return hasattr(X, "to_numpy") and hasattr(X, "columns")
