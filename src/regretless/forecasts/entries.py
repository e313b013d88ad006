"""Entries as numbers: yes and no are 1 and 0, and what is empty is missing.

Files, frames, arrays and live rounds are all read by this, so they refuse alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import BadRow
from ..parts.state import Floats

YES = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0, "y": 1.0, "n": 0.0}


def outcome(column: int) -> str:
    """How a message calls an entry of the truth."""
    return "the outcome"


def column_of(name: object) -> Callable[[int], str]:
    """How a message calls an entry of the forecaster `name`."""
    return lambda column: f"column {name!r}:"


def numbers(entries: Any, what: Callable[[int], str]) -> Floats:
    """Numbers, nan where there is none; BadRow at the first entry that is no number.

    Parameters
    ----------
    entries : array, list, series or number
        The first axis has the rows, the second, if any, the forecasters.
    what : callable
        From the number of a forecaster to how a message calls its entries.
    """
    try:
        if hasattr(entries, "cast"):  # polars
            return entries.cast(float).to_numpy().astype(np.float64)
        if hasattr(entries, "isna") and hasattr(entries, "to_numpy"):  # pandas
            return entries.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(entries, np.float64)
    except Exception:  # each library has errors of its own
        return _one_by_one(np.asarray(entries, object), what)


def _one_by_one(entries: Any, what: Callable[[int], str]) -> Floats:
    out = np.empty(entries.shape)
    for at in np.ndindex(entries.shape):
        entry = entries[at]
        word = ("" if entry is None else str(entry).strip()) or "nan"
        try:
            known = YES.get(word.lower())
            out[at] = float(word) if known is None else known
        except ValueError:
            row, column, *_ = (*at, 0, 0)
            told = f"{what(column)} {str(entry)!r:.40} is not a number"
            raise BadRow(row, told) from None
    return out
