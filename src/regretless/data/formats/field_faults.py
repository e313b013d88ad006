"""What keeps a row of delimited text from being converted, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..encoding.spelled import MISSING, is_number

FLAGS = ("true", "false", "1", "0")


def row_fault(
    row: Sequence[str],
    names: Sequence[str],
    kinds: Mapping[str, str],
    label: str | int | None,
    *,
    labelled: bool,
) -> str | None:
    """What is wrong with a row, of columns of these names and kinds; None: nothing."""
    if len(row) != len(names):
        return wrong_length(names, row)
    for name, field in zip(names, row, strict=True):
        kind = kinds.get(name)
        if kind in ("word", "text") and not is_text(field):
            return f"column {name!r} is not UTF-8 text"
        if kind == "number" and not is_number(field):
            if name == label:
                return f"label {field!r:.40} is not a number"
            hint = f" (or --categorical {name})" if labelled else ""
            return f"column {name!r}: {field!r:.40} is not a number{hint}"
        if kind == "flag" and field.lower() not in FLAGS and field not in MISSING:
            return f"column {name!r}: {field!r:.40} is neither true nor false"
    return None


def wrong_length(names: Sequence[str], row: Sequence[str]) -> str:
    """What is said of a row that has not one field a column."""
    return f"it has {len(row)} fields, but there are {len(names)} columns"


def is_text(field: str) -> bool:
    """Whether all of a field was UTF-8."""
    try:
        field.encode()
    except UnicodeEncodeError:
        return False
    return True
