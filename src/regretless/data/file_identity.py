"""Whether files are still those that were being read: names, sizes, times of change."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeAlias

from .input_files import InputFile

Identity: TypeAlias = Sequence[str | int | None]  # its name, size and time of change


def identity(places: Sequence[InputFile]) -> list[Identity]:
    """What tells these files from others, as plain data."""
    return [[place.name, place.size, place.changed] for place in places]


def refuse_others(before: Sequence[Identity], now: Sequence[Identity]) -> None:
    """Raise ValueError unless both are the same; it says which file is not."""
    for old, new in zip_longest(before, now):
        if old != new:
            raise ValueError(
                "the files are not those that were being read: " + _told(old, new)
            )


def _told(old: Identity | None, new: Identity | None) -> str:
    """What happened to a file."""
    if old is None or new is None or old[0] != new[0]:
        return f"{(old or ['nothing'])[0]} was there, {(new or ['nothing'])[0]} is"
    if old[1] == new[1]:
        return f"{old[0]} has been changed since"
    return f"{old[0]} had {old[1]:,} bytes and has {new[1]:,}"
