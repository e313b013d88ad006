"""Times as people write them: numbers, ISO dates, 31.12.2024, 12/31/2024.

Slashes mean the month first in some countries and the day first in others. A column in
which some number exceeds 12 tells; one in which none does is refused with a hint.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from ..data.chunk import Array
from ..data.encoding.dates import moments_of
from ..data.pyarrow_import import arrow
from ..errors import BadRow

NUMBERED = re.compile(r"(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:[ T](.+))?$")
ISO = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
ORDERS = (None, "day", "month")


def parse_times(words: Sequence[str], first: str | None = None) -> Array:
    """The times: numbers where all are, moments where the first is one, else words.

    Parameters
    ----------
    words : sequence of str
        What the column says.
    first : "day", "month" or None
        Which number of 1/2/2024 is the day; None: as the column itself tells.
    """
    if first not in ORDERS:
        raise ValueError(f"date order {first!r} is not one of day, month")
    for kind in (arrow().int64(), arrow().float64(), arrow().timestamp("us")):
        with suppress(arrow().ArrowInvalid):
            return _shortened(arrow().array(words).cast(kind).to_numpy())
    numbered = NUMBERED.match(words[0])
    if numbered is None and not ISO.match(words[0]):
        return np.array(words, dtype=str)
    found = moments_of(words if numbered is None else _as_iso(words, first))
    wrong = np.isnat(found)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise BadRow(row, f"{words[row]!r:.40} is not a date like {words[0]!r}")
    return _shortened(found)


def _shortened(times: Array) -> Array:
    """Moments as days or seconds, where they are such."""
    for unit in ("D", "s") if times.dtype.kind == "M" else ():
        plain: Array = times.astype(f"datetime64[{unit}]")
        if (plain == times).all():
            return plain
    return times


def _as_iso(words: Sequence[str], asked: str | None) -> list[str]:
    """Dates in the order of ISO 8601; "" for what is no date."""
    parts = [m.groups() if (m := NUMBERED.match(word)) else None for word in words]
    known = [part for part in parts if part is not None]
    day_first = known[0][1] == "." or _day_first(words[0], known, asked)
    order = (2, 0) if day_first else (0, 2)
    return [
        f"{part[3]}-{part[order[0]]:0>2}-{part[order[1]]:0>2} {part[4] or ''}"
        if part
        else ""
        for part in parts
    ]


def _day_first(word: str, parts: Sequence[tuple[str, ...]], asked: str | None) -> bool:
    one, two = (max(int(part[k]) for part in parts) > 12 for k in (0, 2))
    if one and two:
        raise ValueError(f"dates like {word!r} mix two orders: write 2024-12-31")
    if asked is None and not one and not two:
        raise ValueError(
            f"dates like {word!r} may be day/month or month/day: say "
            "date_first='day' or 'month' (--date-first), or write 2024-12-31"
        )
    return one if asked is None else asked == "day"
