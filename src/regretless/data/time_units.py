"""Rows of one day, hour, week or month as a group: ``when:day`` of a column of dates.

Where rows change with the hour and the day, single rows are no independent draws, but
whole days may be. A group is then what the dates of its rows have in common.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .chunk import Array
from .encoding.dates import moments_of

UNITS = {"hour": "h", "day": "D", "week": "W", "month": "M"}


def split_unit(group: str) -> tuple[str, str | None]:
    """The column, and the unit of time behind it, if there is one.

    Examples
    --------
    >>> from regretless.data.time_units import split_unit
    >>> split_unit("when:day"), split_unit("user")
    (('when', 'day'), ('user', None))
    """
    column, colon, unit = group.rpartition(":")
    return (column, unit) if colon and unit in UNITS else (group, None)


def in_units(values: Iterable[object], unit: str | None) -> Array:
    """The values of groups; of dates, the unit of time in which each lies.

    Raises
    ------
    ValueError
        Where a value is no date.

    Examples
    --------
    >>> from regretless.data.time_units import in_units
    >>> in_units(["2024-05-01T10:30", "2024-05-01 23:59"], "day").tolist()
    ['2024-05-01', '2024-05-01']
    """
    words = [str(value) for value in values]
    if unit is None:
        return np.array(words, object)
    moments = moments_of(words)
    missing = np.flatnonzero(np.isnat(moments))
    if missing.size:
        raise ValueError(f"--group by {unit}: {words[missing[0]]!r:.40} is no date")
    return np.datetime_as_string(moments.astype(f"datetime64[{UNITS[unit]}]")).astype(
        object
    )
