"""What a user hands over in Python, as one table: frames, dicts, arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack, cast

import numpy as np
import numpy.typing as npt

from ..data.chunk import Array
from ..data.pyarrow_import import ArrowTable, arrow, plain_column
from ..parts.state import Floats
from .columns import FIELDS, USUAL, Columns
from .entries import column_of, numbers, outcome
from .ordering import in_order
from .reading import from_columns
from .table import Table


class ColumnRoles(TypedDict, total=False):
    """What rows are about: arrays, or the names of columns."""

    time: object
    group: object
    horizon: object
    known_at: object


def as_table(
    forecasts: object,
    y: object = None,
    *,
    names: Sequence[str] | None = None,
    levels: npt.ArrayLike | None = None,
    **roles: Unpack[ColumnRoles],
) -> Table:
    """Make a table of what a user handed over.

    Parameters
    ----------
    forecasts : Table, data frame, dict by name, or array
        A column a forecaster; rows x forecasters x outcomes (or quantiles).
    y : array, the name of a column of the data frame, or None
        What happened; nan where that is not known. None: nothing is known yet.
    names : sequence of str or None
        The forecasters, where the data do not name them.
    levels : sequence of float or None
        The levels of the quantiles, where the last axis holds quantiles.
    time, group, horizon, known_at : arrays, or names of columns
        What :func:`~regretless.forecasts.compare` says.
    """
    if isinstance(forecasts, Table):
        return forecasts
    given = {name: value for name, value in roles.items() if value is not None}
    if hasattr(forecasts, "columns") and hasattr(forecasts, "to_numpy"):
        table, given = _from_frame(forecasts, y, given)
    else:
        if isinstance(y, str):
            raise ValueError(
                f"there is no column {y!r}; there is nothing: no data frame"
            )
        table = _from_numbers(forecasts, y, names, levels)
    for role, value in given.items():
        if isinstance(value, str):
            raise ValueError(f"{role}={value!r} names a column, and there is no frame")
        table = dataclasses.replace(
            table, **{FIELDS[role]: _labels(value, len(table.y))}
        )
    if names is not None:
        table = dataclasses.replace(table, names=tuple(str(name) for name in names))
    many = table.values.shape[1]
    if len(table.names) != many or len(set(table.names)) < many:
        raise ValueError(
            f"{many} forecasters need as many different names: {table.names}"
        )
    return in_order(table)


def _from_frame(
    frame: Any, y: object, given: dict[str, object]
) -> tuple[Table, dict[str, object]]:
    """The columns of a frame, and the roles that were given as arrays."""
    columns = Columns(_arrow_of(frame), lambda row: f"row {row}")
    index = getattr(frame, "index", None)
    if index is not None and _is_time(index):
        given = {"time": np.asarray(index), **given}
    found = from_columns(columns, {"truth": y, **given})
    if not (y is None or isinstance(y, str)):
        found = dataclasses.replace(found, y=_outcomes(y, len(columns)))
    return found, {k: v for k, v in given.items() if not isinstance(v, str)}


def _arrow_of(frame: Any) -> ArrowTable:
    """The frame as an Arrow table."""
    if hasattr(frame, "to_arrow"):  # polars
        return frame.to_arrow()
    columns = [plain_column(frame.iloc[:, k]) for k in range(frame.shape[1])]
    names = [str(name) for name in frame.columns]
    return arrow().Table.from_arrays(columns, names=names)


def _is_time(index: object) -> bool:
    """Whether the index of a frame says when."""
    if type(index).__name__ in ("DatetimeIndex", "PeriodIndex"):
        return True
    return str(getattr(index, "name", "")).lower() in USUAL["time"].split()


def _from_numbers(
    forecasts: object,
    y: object,
    names: Sequence[str] | None,
    given_levels: npt.ArrayLike | None,
) -> Table:
    values, found = _matrix(forecasts, names)
    if values.ndim not in (2, 3):
        raise ValueError(
            f"forecasts have {values.ndim} dimension{'s' * (values.ndim != 1)}: they "
            "need two, rounds and forecasters, or a third one for several outcomes"
        )
    rounds, many = values.shape[:2]
    called = tuple(str(name) for name in names or found or default_names(many))
    truth = np.full(rounds, np.nan) if y is None else _outcomes(y, rounds)
    levels = None if given_levels is None else np.asarray(given_levels, np.float64)
    if levels is not None and (values.ndim != 3 or values.shape[2] != levels.size):
        raise ValueError(
            f"{levels.size} levels need rounds x forecasters x {levels.size} "
            f"quantiles, and the shape is {values.shape}"
        )
    return Table(np.ascontiguousarray(values), truth, called, levels=levels)


def default_names(many: int) -> list[str]:
    """A, B, C..., or numbers where there are more than the alphabet has letters."""
    if many > 26:
        return [str(k) for k in range(many)]
    return [chr(ord("A") + k) for k in range(many)]


def _matrix(
    forecasts: object, called: Sequence[str] | None
) -> tuple[Floats, Sequence[object] | None]:
    """The numbers, and the names of the columns where there are any."""
    if not isinstance(forecasts, Mapping):

        def what(column: int) -> str:
            many: int = np.asarray(forecasts, object).shape[1]
            return column_of((called or default_names(many))[column])(column)

        return np.ascontiguousarray(numbers(forecasts, what)), None
    given = cast("Mapping[object, object]", forecasts)
    names = list(given)
    columns = [numbers(given[name], column_of(name)) for name in names]
    if len({column.shape for column in columns}) > 1:
        told = ", ".join(
            f"{name!r} has {column.shape[0]:,}"
            for name, column in zip(names, columns, strict=True)
        )
        raise ValueError(f"forecasters must have the same number of rounds: {told}")
    return np.stack(columns, axis=1), names


def _outcomes(y: object, rounds: int) -> Floats:
    truth = numbers(y, outcome)
    if truth.ndim != 1:
        raise ValueError(f"the truth has {truth.ndim} dimensions: it needs one")
    if truth.size != rounds:
        raise ValueError(
            f"there are {rounds:,} rounds of forecasts and {truth.size:,} outcomes"
        )
    return truth


def _labels(values: object, rows: int) -> Array:
    """Times, places or horizons, as an array that can be compared."""
    found: Array = np.asarray(values)
    if found.shape != (rows,):
        raise ValueError(f"there are {rows:,} rounds and {found.size:,} times")
    return found.astype(str) if found.dtype.kind == "O" else found
