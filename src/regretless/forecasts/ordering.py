"""Rows in the order of time, and what is said about rows that share one."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..errors import BadRow
from .table import Table

LOOK = 10_000  # rows that are looked at for copies


def in_order(table: Table) -> Table:
    """The table with its rows in the order of time, and notes on shared times.

    Rows of many places may come place by place, and are sorted. Else time that goes
    backwards is refused.
    """
    table = dataclasses.replace(table, rows=np.arange(len(table.y)))
    if table.times is None:
        return _noted(table)
    times = table.times
    if times.shape != (len(table.y),):
        raise ValueError(f"there are {len(table.y):,} rounds and {times.size:,} times")
    backwards = ~(times[1:] >= times[:-1])  # a missing time is not after anything
    if backwards.any():
        row = int(np.argmax(backwards)) + 1
        missing = np.array([time != time for time in times])  # noqa: PLR0124 - nan, NaT
        if missing.any():
            raise BadRow(int(np.argmax(missing)), "the time is missing")
        if table.groups is None:
            told = f"time goes backwards, from {times[row - 1]} to {times[row]}"
            raise BadRow(row, told, table.place(row))
        order = np.argsort(times, kind="stable")
        place = table.place

        def sorted_place(i: int) -> str:
            return place(int(order[i]))

        table = dataclasses.replace(table.take(order), place=sorted_place)
    return _noted(table)


def _noted(table: Table) -> Table:
    notes = list(table.notes)
    rows = len(table.y)
    if table.times is not None and table.rounds < rows:
        notes.append(
            f"{rows:,} rows are {table.rounds:,} times: a round is a time, and none of "
            "its outcomes is known before all its rows are forecast"
        )
    elif table.times is None:
        notes += _many_places(table)
    return dataclasses.replace(table, notes=tuple(notes))


def _many_places(table: Table) -> list[str]:
    """What is said where rows may share a time that was not given."""
    rows = len(table.y)
    if table.groups is not None:
        places = np.unique(table.groups).size
        if places < rows:
            told = (
                f"there are {places:,} places and no time, so every row is taken for a "
                "round; if rows share times, say which column has them (time=, --time)"
            )
            return [told]
    values, y = table.values[:LOOK], table.y[:LOOK]
    if rows <= 20:
        return []
    same = (values[1:] == values[:-1]).reshape(len(y) - 1, -1).all(axis=1)
    copies = same & (y[1:] == y[:-1])
    if copies.mean() > 0.5 and not same.all():
        told = (
            f"{copies.mean():.0%} of the rows repeat the row before; if they share "
            "times, say so (time=, --time)"
        )
        return [told]
    return []
