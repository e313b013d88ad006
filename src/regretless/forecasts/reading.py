"""Forecasts from columns: wide (a column a forecaster) or long (a row a forecast).

Wide: ``time, ann, bob, truth``; of several outcomes ``ann_H, ann_D, ann_A``; of
quantiles ``ann_q0.1, ann_q0.5, ann_q0.9``. Long, as forecast hubs publish: ``time,
location, horizon, forecaster, quantile, forecast, truth``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.chunk import Array
from ..data.file_columns import file_columns
from ..errors import BadRow
from ..parts.rows import Longs
from ..parts.state import Floats
from .columns import (
    FIELDS,
    FORECASTERS,
    FORECASTS,
    LEVELS,
    Columns,
    Roles,
    find_roles,
    first_of,
)
from .ordering import in_order
from .table import Table

KEYS = ("times", "groups", "horizons")  # what tells rows of a long table apart
QUANTILE = re.compile(r"(?:(.+?)[_ .])?q(0?\.\d+)$")


def read_forecasts(
    path: str | Path | Sequence[str | Path],
    truth: str = "truth",
    *,
    forecasters: Sequence[str] | None = None,
    outcomes: Sequence[str] | None = None,
    odds: bool = False,
    time: str | None = None,
    group: str | None = None,
    horizon: str | None = None,
    known_at: str | None = None,
    date_first: str | None = None,
) -> Table:
    """Read a table of forecasts.

    Parameters
    ----------
    path : path, or a list of them
        Files, globs or URIs: CSV, TSV, JSON lines (all of them also compressed),
        Parquet, Arrow; ``-`` for standard input. Several are one table.
    truth : str
        The column with what happened; empty where that is not known yet.
    forecasters : sequence of str or None
        The columns to read, in a wide file; all others if None.
    outcomes : sequence of str or None
        For several outcomes, their names in order: forecaster "ann" has the columns
        ``ann_H``, ``ann_D``... and the truth is one of the names, or its number from 0.
    odds : bool
        The columns hold decimal odds, which become probabilities (:func:`from_odds`).
    time, group, horizon, known_at : str or None
        The columns with the time of the forecast, the place, how many rounds ahead, and
        when the outcome was known. None: by their usual names, if they are there.
    date_first : "day", "month" or None
        Which number of 1/2/2024 is the day, where the column itself does not tell.
    """
    found = file_columns(path)
    columns = Columns(found.table, found.where, f"{found.name}: ")
    asked = {"truth": truth, "time": time, "group": group, "horizon": horizon}
    asked["known_at"] = known_at
    return in_order(
        from_columns(columns, asked, forecasters, outcomes, odds, date_first)
    )


def from_columns(
    columns: Columns,
    asked: Mapping[str, object],
    forecasters: Sequence[str] | None = None,
    outcomes: Sequence[str] | None = None,
    odds: bool = False,
    date_first: str | None = None,
) -> Table:
    """The table that columns hold, rows as they stand."""
    roles = find_roles(columns, asked)
    aside: dict[str, Any] = {}
    for role, name in roles.found.items():
        if role in ("time", "known_at"):
            aside[FIELDS[role]] = columns.times(name, date_first)
        elif role == "group":
            aside["groups"] = np.array(columns.words(name), str)
        elif role == "horizon":
            aside["horizons"] = columns.numbers(name)
    who, said = (first_of(columns.names, names) for names in (FORECASTERS, FORECASTS))
    if who is not None and said is not None:
        if outcomes or forecasters:
            raise ValueError(f"{columns.what}a long table is read as it is")
        return _long(columns, roles, who, said, aside)
    table = _wide(columns, roles, forecasters, outcomes, odds)
    return dataclasses.replace(table, **aside)


def from_odds(odds: npt.ArrayLike) -> Floats:
    """Probabilities from decimal odds: 1/odds, made to add up to one (last axis).

    Examples
    --------
    >>> from regretless.forecasts import from_odds
    >>> from_odds([2.0, 4.0, 4.0])
    array([0.5 , 0.25, 0.25])
    """
    inverse = 1.0 / np.asarray(odds, np.float64)
    if (inverse <= 0.0).any() or (inverse > 1.0).any():
        raise ValueError("decimal odds are 1 or more")
    return inverse / inverse.sum(axis=-1, keepdims=True)


def _wide(
    columns: Columns,
    roles: Roles,
    forecasters: Sequence[str] | None,
    outcomes: Sequence[str] | None,
    odds: bool,
) -> Table:
    left_out = () if forecasters or outcomes else roles.left_out
    notes = (f"not forecasters: {', '.join(left_out)}",) if left_out else ()
    rest = list(forecasters or roles.rest)
    if outcomes:
        ending = f"_{outcomes[0]}"
        every = [*roles.rest, *roles.left_out]
        found = [c.removesuffix(ending) for c in every if c.endswith(ending)]
        groups = {n: [f"{n}_{o}" for o in outcomes] for n in forecasters or found}
        levels = None
    else:
        groups, levels = _by_level(rest)
    for column in (column for group in groups.values() for column in group):
        if column not in columns.names:
            raise ValueError(f"{columns.what}there is no column {column!r}")
    if not groups:
        raise ValueError(f"{columns.what}there are no forecasters")
    blocks = [np.stack([columns.numbers(c) for c in g], 1) for g in groups.values()]
    values = np.stack(blocks, axis=1)
    if odds:
        values = from_odds(values)
    single = not outcomes and levels is None
    values = np.ascontiguousarray(values[:, :, 0] if single else values)
    y = columns.truth(roles.found.get("truth"), outcomes)
    return Table(
        values, y, tuple(groups), levels=levels, notes=notes, place=columns.place
    )


def _by_level(names: Sequence[str]) -> tuple[dict[str, list[str]], Floats | None]:
    """The columns of each forecaster, and the levels where columns are quantiles."""
    found = {name: QUANTILE.fullmatch(name) for name in names}
    if not names or not all(found.values()):
        return {name: [name] for name in names}, None
    groups: dict[str, dict[float, str]] = {}
    for name, match in found.items():
        if match is not None:
            who = match[1] or "forecast"
            groups.setdefault(who, {})[float(match[2])] = name
    levels = sorted(next(iter(groups.values())))
    for who, columns in groups.items():
        if sorted(columns) != levels:
            raise ValueError(f"{who!r} has other quantiles than {next(iter(groups))!r}")
    ordered = {
        who: [columns[level] for level in levels] for who, columns in groups.items()
    }
    return ordered, np.array(levels)


def _long(
    columns: Columns, roles: Roles, who: str, said: str, aside: dict[str, Any]
) -> Table:
    """Gather the forecasts of one thing (time, place, horizon) into a row."""
    if "times" not in aside:
        raise ValueError(f"{columns.what}a long table needs a column with the time")
    keys, times = [aside[name] for name in KEYS if name in aside], aside["times"]
    truth = columns.truth(roles.found.get("truth"))
    forecast, people = columns.numbers(said), np.array(columns.words(who), dtype=str)
    level_name = first_of(columns.names, LEVELS)
    level = columns.numbers(level_name) if level_name else np.zeros(len(times))
    lines = np.flatnonzero(~np.isnan(level))  # hubs have rows of means, too
    levels, at_level = np.unique(level[lines], return_inverse=True)
    names = list(dict.fromkeys(people[lines].tolist()))
    numbers = {name: k for k, name in enumerate(names)}
    column = np.array([numbers[name] for name in people[lines].tolist()])
    codes = [np.unique(key[lines], return_inverse=True)[1] for key in keys]
    _, first, row = np.unique(
        np.stack(codes, axis=1), axis=0, return_index=True, return_inverse=True
    )
    row = row.reshape(-1)
    cells = np.stack([row, column, at_level], axis=1)
    _, once = np.unique(cells, axis=0, return_index=True)
    if once.size < len(row):
        line = int(lines[np.setdiff1d(np.arange(len(row)), once)[0]])
        told = f"{str(people[line])!r:.40} forecasts twice at {times[line]}"
        hint = "; places? say which column has them: --group"
        raise BadRow(line, told + hint, columns.place(line))
    values = np.full((len(first), len(names), levels.size), np.nan)
    values[row, column, at_level] = forecast[lines]
    starts = lines[first]
    return Table(
        values if level_name else np.ascontiguousarray(values[:, :, 0]),
        _one_truth(columns, truth[lines], row, len(first), lines, times),
        tuple(names),
        levels=levels if level_name else None,
        place=lambda i: columns.place(int(starts[i])),
        **{name: array[starts] for name, array in aside.items()},
    )


def _one_truth(
    columns: Columns, truth: Floats, row: Longs, rows: int, lines: Longs, times: Array
) -> Floats:
    """The outcome of every row, which all its lines must agree about."""
    y = np.full(rows, np.nan)
    told = ~np.isnan(truth)
    y[row[told][::-1]] = truth[told][::-1]  # the first line of each row has the say
    other = told & (truth != y[row])
    if other.any():
        at = int(np.argmax(other))
        line = int(lines[at])
        told_twice = f"the truth is {truth[at]:g}, and was {y[row[at]]:g}"
        raise BadRow(
            line, f"{told_twice} before, at {times[line]}", columns.place(line)
        )
    return y
