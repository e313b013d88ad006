"""What was given: one rule for ``play``, ``predict`` and estimators alike.

======================================= ============================================
a str or a Path                         the name of a file
a list of Paths                         names of files
a list, an array or a series of strings texts; where no labels come with them, files
a dict, or a list of dicts              events: features by name
an array or a table of Arrow with names events, a row each
a scipy sparse matrix                   a table of numbers
all else that has a length              a table of numbers
======================================= ============================================
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, TypeGuard

from ...errors import BadRow

Kind: TypeAlias = Literal[
    "file", "files", "strings", "event", "events", "sparse", "table", "other"
]
LOOKED_AT = 1000  # items of a column that may be missing


def is_event(x: object) -> TypeGuard[Mapping[Hashable, object]]:
    """Whether it holds features, or experts, by name."""
    return isinstance(x, Mapping)


def kind_of(X: object) -> Kind:
    """What X is, by its type and that of its first item that is not missing."""
    if isinstance(X, str | os.PathLike):
        return "file"
    if hasattr(X, "tocsr"):  # also one that is a dict of keys
        return "sparse"
    if isinstance(X, Mapping):
        return "event"
    if not hasattr(X, "__len__") or isinstance(X, bytes):
        return "other"
    whole = hasattr(X, "columns") or getattr(X, "ndim", 1) != 1
    return "table" if whole else _kind_by(_first(X))


def rows_by_name(X: Any) -> object:
    """A structured array, or a table of Arrow, as dicts; all else as it is."""
    names = getattr(getattr(X, "dtype", None), "names", None)
    if names:
        return [dict(zip(names, row, strict=True)) for row in X.tolist()]
    return X.to_pylist() if hasattr(X, "to_pylist") and hasattr(X, "schema") else X


def are_files(X: object, y: object) -> bool:
    """Whether X names files, where `y` is given: labels, or the name of a column."""
    kind = kind_of(X)
    if kind == "strings":  # texts come with labels, files bring their own
        return y is None or isinstance(y, str | int)
    return kind in ("file", "files")


def _kind_by(first: object) -> Kind:
    """What a list is, by its first item."""
    if isinstance(first, str):
        return "strings"
    if isinstance(first, os.PathLike):
        return "files"
    return "events" if isinstance(first, Mapping) else "table"


def _first(X: object) -> object:
    """The first item that is not missing."""
    try:
        items = _items(X, LOOKED_AT)
        return next((each for each in items if not _missing(each)), None)
    except TypeError:  # it has a length, and no items
        return None


def _items(X: Any, most: int | None = None) -> Iterable[object]:
    """What it holds; of a column of Arrow, `most` items or all, as Python has them."""
    return X[:most].to_pylist() if hasattr(X, "to_pylist") else X


def strings_of(texts: object) -> list[str]:
    """The texts as a list of strings; a missing one has no words."""
    found: list[str] = []
    for i, text in enumerate(_items(texts)):
        if isinstance(text, str):
            found.append(str(text))
        elif _missing(text):
            found.append("")
        else:
            raise BadRow(i, f"it is not a text: {text!r:.40}")
    return found


def _missing(item: object) -> bool:
    """Whether it is None, nan, or what frames have in their place."""
    try:
        return item is None or bool(item != item)  # noqa: PLR0124 - nan is not itself
    except (TypeError, ValueError):  # pandas.NA will not say; an array has many answers
        return type(item).__name__ == "NAType"
