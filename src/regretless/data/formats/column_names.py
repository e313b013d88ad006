"""Columns of a table by name or number; errors say which there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...errors import did_you_mean


def find_column(names: Sequence[str], wanted: str | int, role: str, where: str) -> str:
    """The column that a name or a number stands for."""
    if isinstance(wanted, str) and wanted in names:
        return wanted
    number = _whole(wanted)
    if number is not None:
        if -len(names) <= number < len(names):
            return names[number]
        raise ValueError(
            f"{where}: there is no column {number}: there are {len(names)}, from 0"
        )
    what = "column" if role == "column" else f"{role} column"
    near = did_you_mean(wanted, names)
    parts = [part.strip() for part in str(wanted).split(",")]
    if len(parts) > 1 and set(parts) <= set(names):
        near = " (name one column at a time: repeat the option)"
    raise ValueError(
        f"{where}: there is no {what} {wanted!r}{near}; the columns are {listed(names)}"
    )


def find_columns(names: Sequence[str], wanted: Sequence[str], where: str) -> None:
    """Raise ValueError unless there are columns of all these names."""
    known = set(names)
    for name in wanted:
        if name not in known:
            find_column(names, name, "column", where)
            raise ValueError(f"{where}: column {name!r} has another name")


def _whole(wanted: str | int) -> int | None:
    try:
        return int(wanted)
    except ValueError:
        return None


def listed(names: Sequence[str]) -> str:
    """The first names, and how many there are."""
    shown = ", ".join(repr(name) for name in names[:12])
    return shown if len(names) <= 12 else f"{shown}, ... ({len(names)} in all)"


def no_twins(names: list[str], where: str) -> None:
    """Raise ValueError where two columns have one name."""
    twins = [name for name, count in Counter(names).items() if count > 1]
    if twins:
        raise ValueError(f"{where}: two columns are named {min(twins)!r}")
