"""Forecasts and outcomes as one table: rows x forecasters, and when each row was known.

A row is one thing that was forecast: a place at a time, so many steps ahead. A round is
a time. All rows of a round are forecast before any of its outcomes is known, and the
outcome of a row is known at a later round: ``lag`` rounds later, or ``horizon``, or the
first that is not before ``known_at``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..data.chunk import Array, Mask
from ..errors import BadRow
from ..parts.pools import Schedule
from ..parts.rows import Longs
from ..parts.state import Floats


def _row(i: int) -> str:
    return f"row {i}"


@dataclass(frozen=True, eq=False)
class Table:
    """What forecasters said and what happened, in the order of time.

    Attributes
    ----------
    values : ndarray
        Rows x forecasters, or rows x forecasters x outcomes (or quantile levels); nan
        where there is no forecast.
    y : ndarray
        What happened: 0 or 1, the number of an outcome, or a number; nan: not known.
    names : tuple of str
        The forecasters.
    times, groups, horizons, known_at : ndarray or None
        When a row was forecast, which place it is about, how many rounds ahead, and
        when its outcome was known (comparable with `times`).
    levels : ndarray or None
        The levels of the quantiles, where forecasts are quantiles.
    rows : ndarray
        Where each row stood when it was handed over, from 0.
    notes : tuple of str
        What was assumed of the data, in sentences.
    place : callable
        From a row to where it stands: ``file:line``.
    """

    values: Floats
    y: Floats
    names: tuple[str, ...]
    times: Array | None = None
    groups: Array | None = None
    horizons: Array | None = None
    known_at: Array | None = None
    levels: Floats | None = None
    rows: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    notes: tuple[str, ...] = ()
    place: Callable[[int], str] = _row

    @contextmanager
    def located(self) -> Generator[None]:
        """Turn "row 7" into "file:9" in errors raised inside."""
        try:
            yield
        except BadRow as error:
            raise BadRow(error.row, error.problem, self.place(error.row)) from None

    @cached_property
    def missing(self) -> Mask:
        """Where there is no forecast: rows x forecasters."""
        gaps: Mask = np.isnan(self.values)
        return gaps if gaps.ndim == 2 else np.any(gaps, axis=2)

    @cached_property
    def round_of(self) -> Longs:
        """The round of every row, from 0: rows of one time are one round."""
        if self.times is None:
            return np.arange(len(self.y))
        return np.cumsum(np.r_[False, self.times[1:] != self.times[:-1]])

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return int(self.round_of[-1]) + 1 if len(self.y) else 0

    @cached_property
    def round_times(self) -> Array:
        """The time of every round: the user's own, or its number from 1."""
        if self.times is None:
            return np.arange(1, self.rounds + 1)
        return self.times[np.searchsorted(self.round_of, np.arange(self.rounds))]

    def known_rounds(self, lag: int) -> Longs:
        """The round from which on the outcome of each row is known."""
        if self.known_at is not None:
            found = np.searchsorted(self.round_times, self.known_at, side="left")
            return np.maximum(found, self.round_of + 1)
        if self.horizons is not None:
            ahead = np.maximum(np.ceil(self.horizons), 1).astype(np.int64)
            return self.round_of + np.maximum(ahead, lag)
        return self.round_of + lag

    def longest_lag(self, lag: int) -> int:
        """After how many rounds the outcomes of every round are known."""
        known = self.known_rounds(lag)[~np.isnan(self.y)]
        late = known - self.round_of[~np.isnan(self.y)]
        return int(min(late.max(initial=1), max(self.rounds, 1)))

    def schedule(self, lag: int, rows: Longs) -> tuple[Longs, Schedule]:
        """Some rows in the order of forecasting, and when each round is learned.

        Rows of one time whose outcomes come at different times are rounds of their own
        to the one who learns them.
        """
        known, now = self.known_rounds(lag)[rows], self.round_of[rows]
        order = np.lexsort((known, now))
        known, now = known[order], now[order]
        new = np.r_[True, (now[1:] != now[:-1]) | (known[1:] != known[:-1])]
        first = np.flatnonzero(new)
        starts = np.append(first, now.size)
        told = np.logical_or.reduceat(~np.isnan(self.y[rows][order]), first)
        batches = np.flatnonzero(told)
        learned = batches[np.argsort(known[first][batches], kind="stable")]
        ahead = np.searchsorted(known[first][learned], now[first], side="right")
        return rows[order], Schedule(
            starts=starts.astype(np.int64),
            ahead=ahead.astype(np.int64),
            order=learned.astype(np.int64),
            slots=_slots(learned, ahead),
        )

    def take(self, rows: Array) -> Table:
        """Some of the rows."""
        names = ("values", "y", "times", "groups", "horizons", "known_at", "rows")
        columns = {name: getattr(self, name) for name in names}
        some = {name: None if a is None else a[rows] for name, a in columns.items()}
        return dataclasses.replace(self, **some)

    def round_means(self, values: Floats) -> Floats:
        """The mean of `values`, one a row, over the rows of every round; nan aside."""
        if self.rounds == len(values):
            return values
        told = ~np.isnan(values)
        of, size = self.round_of[told], self.rounds
        with np.errstate(invalid="ignore"):  # a round without any row has no mean
            return np.bincount(of, values[told], size) / np.bincount(of, minlength=size)


def _slots(learned: Longs, ahead: Longs) -> int:
    """How far back the oldest round lies that is not learned when one is forecast."""
    if learned.size == 0:
        return 1
    # the least number among the rounds that are still to be learned after p of them
    oldest = np.full(learned.size + 1, ahead.size, np.int64)
    oldest[:-1] = np.minimum.accumulate(learned[::-1])[::-1]
    behind = np.arange(int(ahead.size)) - oldest[ahead]
    return max(int(behind.max()) + 1, 1)
