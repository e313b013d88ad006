"""Dates as numbers: which year, which day of the week, which month, what hour.

A date is four features of its column: ``name`` (years since 2000), ``name weekday`` (1
is Monday), ``name month`` (from 1 on; 3.5 is the middle of March) and ``name hour`` (0
where there is no time). Years go on and on, the others come again: rows of next year
are not new in every way, as they would be with words. A time with an offset from UTC is
taken at UTC, any other as it is written.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

import numpy as np

from ...parts.state import Floats
from ..chunk import Array

ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d(:\d\d.*)?)?")
PARTS = ("", " weekday", " month", " hour")
WIDTH = len(PARTS)
MONDAY = np.datetime64("2000-01-03", "D")
BEGIN = np.datetime64("2000-01-01", "D")
YEAR = 365.2425  # days


def date_names(name: str) -> tuple[str, ...]:
    """What the features of a column of dates are called."""
    return tuple(f"{name}{part}" for part in PARTS)


def date_features(name: str, moment: dt.date | str) -> dict[str, float]:
    """The features of one date, or date and time, those that are not 0."""
    text = moment if isinstance(moment, str) else moment.isoformat()
    numbers = date_numbers(moments_of([text]))[0].tolist()
    pairs = zip(date_names(name), numbers, strict=True)
    return {part: value for part, value in pairs if value}


def date_word(moment: dt.date) -> str:
    """A date as a word, with its time where it has one; at UTC, if it has an offset."""
    if not isinstance(moment, dt.datetime):
        return moment.isoformat()
    if moment.tzinfo is not None:
        moment = moment.astimezone(dt.UTC)
    plain = moment.replace(tzinfo=None)
    return plain.isoformat().removesuffix("T00:00:00")


def is_date(text: str) -> bool:
    """Whether a text is a date as ISO 8601 writes it, with a time or without."""
    return text[4:5] == "-" and _moment(text) is not None


def moments_of(texts: Sequence[str]) -> Array:
    """Texts as moments, to the microsecond; NaT where one is no date."""
    return np.array([_moment(text) for text in texts], "datetime64[us]")


def date_numbers(moments: Array) -> Floats:
    """Four numbers for each moment, a row each; those of NaT are 0."""
    known = np.where(np.isnat(moments), BEGIN.astype("datetime64[us]"), moments)
    day = known.astype("datetime64[D]")
    hours = (known - day) / np.timedelta64(1, "h")
    years = ((day - BEGIN).astype(np.float64) + hours / 24.0) / YEAR
    weekday = (day - MONDAY).astype(np.int64) % 7 + 1.0
    month = day.astype("datetime64[M]")
    months = month.astype(np.int64) % 12 + 1.0 + (day - month).astype(np.float64) / 31.0
    found = np.empty((moments.size, WIDTH))
    for k, numbers in enumerate((years, weekday, months, hours)):
        found[:, k] = numbers
    found[np.isnat(moments)] = 0.0
    return found


def _moment(text: str) -> dt.datetime | None:
    if ISO.fullmatch(text.strip()) is None:
        return None
    try:
        found = dt.datetime.fromisoformat(text.strip())
        if found.tzinfo is not None:
            found = found.astimezone(dt.UTC)
        return found.replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
