"""Times as people write them: numbers, ISO dates, 31.12.2024, 12/31/2024.

Slashes mean the month first in some countries and the day first in others. A column in
which some number exceeds 12 tells; one in which none does is refused with a hint.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data.chunk import Array

__all__ = ["parse_times"]

DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ T](.+))?$")
SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?:[ T](.+))?$")
ISO = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
ORDERS = (None, "day", "month")


def parse_times(words: Sequence[str], first: str | None = None) -> Array:
    """The times as datetime64 where all are dates, else the words themselves.

    Parameters
    ----------
    words : sequence of str
        What the column says.
    first : "day", "month" or None
        Which number of 1/2/2024 is the day; None: as the column itself tells.
    """
    if first not in ORDERS:
        raise ValueError(f"date order {first!r} is not one of day, month")
    for pattern, day_first in ((DOTTED, True), (SLASHED, None)):
        found = [pattern.match(word.strip()) for word in words[:1]]
        if found and found[0]:
            return _numbered(words, pattern, day_first, first)
    if words and ISO.match(words[0].strip()):
        return _as_dates([word.strip().replace("Z", "") for word in words])
    return np.array(words, dtype=str)


def _numbered(
    words: Sequence[str],
    pattern: re.Pattern[str],
    day_first: bool | None,
    asked: str | None,
) -> Array:
    parts = [pattern.match(word.strip()) for word in words]
    for row, part in enumerate(parts):
        if part is None:
            raise ValueError(
                f"row {row}: {words[row]!r:.40} is not a date like {words[0]!r}"
            )
    told = [part.groups() for part in parts if part is not None]
    if day_first is None:
        day_first = _order(words, told, asked)
    days = [
        f"{year}-{int(two if day_first else one):02d}-"
        f"{int(one if day_first else two):02d}{'T' + rest if rest else ''}"
        for one, two, year, rest in told
    ]
    return _as_dates(days)


def _order(
    words: Sequence[str], told: list[tuple[str | Any, ...]], asked: str | None
) -> bool:
    first = max(int(one) for one, *_ in told) > 12
    second = max(int(two) for _, two, *_ in told) > 12
    if first and second:
        raise ValueError(f"dates like {words[0]!r} mix two orders: write 2024-12-31")
    if asked is not None:
        return asked == "day"
    if not first and not second:
        raise ValueError(
            f"dates like {words[0]!r} may be day/month or month/day: say "
            "date_first='day' or 'month' (--date-first), or write 2024-12-31"
        )
    return first


def _as_dates(words: Sequence[str]) -> Array:
    try:
        return np.array(words, dtype="datetime64[s]")
    except ValueError as error:
        raise ValueError(f"there is a time that is none: {error}") from None
