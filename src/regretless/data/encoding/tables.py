"""Tables of numbers in memory: arrays, lists of lists, data frames, as float64."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from ...errors import BadRow
from ...parts.state import Floats
from ..chunk import Array
from .fault import Fault
from .plain_numbers import checked

DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}( .*)?"
)


def is_plain(X: Any) -> bool:
    """Whether X is an array; or a frame that holds numbers alone, and none missing."""
    if not (hasattr(X, "columns") and hasattr(X, "to_numpy")):
        return True
    columns = [X[name].to_numpy() for name in X.columns]
    return all(
        column.dtype.kind in "bui"
        or (column.dtype.kind == "f" and not np.isnan(column).any())
        for column in columns
    )


def table_of(X: Any) -> tuple[Floats, tuple[Hashable, ...] | None]:
    """The numbers of X, C-contiguous float64, and the names of its columns."""
    if hasattr(X, "collect") and not hasattr(X, "to_numpy"):
        raise TypeError("X is a lazy frame: collect() it first")
    if hasattr(X, "columns") and hasattr(X, "to_numpy"):
        names: tuple[Hashable, ...] = tuple(X.columns)
        for name in names:
            kind = X[name].to_numpy().dtype.kind
            if kind not in "buif":
                raise ValueError(
                    f"column {name!r} holds {X[name].dtype}, not numbers: "
                    "drop it or encode it"
                )
        return numbers_of(X.to_numpy()), names
    return numbers_of(X), None


def numbers_of(values: Any) -> Floats:
    """The same numbers as a C-contiguous array; ``ValueError`` says what is not one."""
    if hasattr(values, "mask") and hasattr(values, "filled"):
        values = values.astype(np.float64).filled(np.nan)
    try:
        array: Array = np.asarray(values)
        if array.dtype.kind not in "buifO":
            raise TypeError
        return np.ascontiguousarray(array, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _what_is_wrong(values) from None


def _what_is_wrong(table: Iterable[Iterable[object]]) -> ValueError:
    """The first row that keeps a table from being one of numbers."""
    width: int | None = None
    i = 0
    try:
        for i, row in enumerate(table):
            entries = list(row)
            width = len(entries) if width is None else width
            if len(entries) != width:
                return BadRow(i, f"it has {len(entries)} columns, those above {width}")
            for j, entry in enumerate(entries):
                checked(f"feature {j}", entry)
    except Fault as fault:
        return BadRow(i, str(fault))
    except TypeError:
        pass
    return ValueError("X is not a table of numbers: it needs rows and columns")
