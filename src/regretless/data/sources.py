"""Tell what the user handed over, and open it as a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..errors import did_you_mean
from .batch import Source
from .encoding import Labels, label_codec
from .encoding.input_kind import kind_of
from .encoding.tables import is_plain
from .event_source import EventSource
from .read_options import ReadOptions
from .schema import LISTS
from .table_source import TableRows, TableSource, read_array, read_sparse
from .text_source import TextSource

IN_MEMORY = (*LISTS, "interactions", "missing", "bits", "ngrams", "presence")
EXPECTED = (
    "give the name of a file, an array, a sparse matrix, a data frame or a list of "
    "texts X with labels y, or an iterable of (x, y)"
)


def open_source(
    X: object,
    y: object,
    *,
    binary: bool,
    many: bool = False,
    n_features: int | None = None,
    options: ReadOptions | None = None,
    direct: int = 0,
) -> Source:
    """The source for rows in memory that were handed to ``play``.

    Parameters
    ----------
    X : array, sparse matrix, data frame, texts, iterable of (x, y)
        The rows.
    y : array, or the name of a column of the data frame X, or None
        The labels; None for an iterable of pairs.
    binary : bool
        Whether labels are two classes.
    many : bool
        Whether they are any number of classes instead.
    n_features : int or None
        The number of features, where the data do not tell.
    options : ReadOptions or None
        What fields mean.
    direct : int
        Bits of hashes where none are asked for and the columns of hashes are the
        numbers of features; 0: they get their numbers as they come.
    """
    labels = label_codec(binary, many)
    kind, options = kind_of(X), options or ReadOptions()
    if kind == "strings":
        return TextSource(X, y, labels, options, direct=direct)
    _check_options(X, options)
    if y is None or isinstance(X, bytes):
        return _open_pairs(X, labels, n_features, options)
    if isinstance(X, Iterator):
        raise TypeError("an iterator brings its own labels: play(learner, pairs)")
    if kind == "events":
        return EventSource(_pairs(X, y), labels, n_features, options)
    table, column, name = X, y, None
    if isinstance(y, str):
        if not hasattr(X, "columns"):
            raise TypeError(f"y={y!r} names a column, but X is not a data frame")
        frame: Any = X
        column, name = column_of(frame, y), y
        table = frame[[other for other in frame.columns if other != y]]
    rows = _table_rows(table, replace(options, label=name), direct)
    source = TableSource(rows, column, labels)
    if n_features is not None and n_features != source.n_features:
        raise ValueError(
            f"n_features={n_features} was declared, "
            f"but X has {source.n_features} columns"
        )
    return source


def _check_options(X: object, options: ReadOptions) -> None:
    """Refuse what means nothing for rows in memory, rather than ignore it."""
    asked = options.as_dict()
    array = hasattr(X, "shape") and not hasattr(X, "columns")
    for name in () if array else IN_MEMORY:
        asked.pop(name, None)
    if asked:
        name = next(iter(asked))
        what = "an array, whose columns have no names" if array else "rows in memory"
        raise TypeError(f"{name}= says how to read files, and means nothing for {what}")


def _table_rows(X: object, options: ReadOptions, direct: int) -> TableRows:
    """A table in memory as rows."""
    if kind_of(X) == "sparse":
        return read_sparse(X)
    asked = {*options.as_dict()} - {"missing", "label"}
    if not asked and options.missing != "indicator" and is_plain(X):
        return read_array(X)
    from .frames import read_frame

    return read_frame(X, options, direct=direct)


def _open_pairs(
    X: object, labels: Labels, n_features: int | None, options: ReadOptions
) -> Source:
    """An iterable that brings its labels."""
    if isinstance(X, bytes):
        raise TypeError(f"cannot play {X!r:.40}: {EXPECTED}")
    if hasattr(X, "shape") or hasattr(X, "columns"):
        raise TypeError("labels are missing: play(learner, X, y)")
    if not isinstance(X, Iterable):
        raise TypeError(f"cannot play {type(X).__name__}: {EXPECTED}")
    return EventSource(X, labels, n_features, options)  # pyright: ignore[reportUnknownArgumentType]


def _pairs(X: Any, y: Any) -> list[tuple[object, object]]:
    targets = list(y)
    if len(X) != len(targets):
        raise ValueError(f"X has {len(X):,} rows but y has {len(targets):,} labels")
    return list(zip(X, targets, strict=True))


def column_of(frame: Any, name: str) -> Any:
    """A column of a frame; ValueError where there is none of this name."""
    if name not in frame.columns:
        known = ", ".join(repr(column) for column in list(frame.columns)[:8])
        near = did_you_mean(name, frame.columns)
        raise ValueError(f"there is no column {name!r}{near}; the columns are {known}")
    return frame[name]
