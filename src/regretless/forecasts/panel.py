"""What forecasters said and what happened, as checked arrays with names.

Every complaint names the row (from 0) and the column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ..errors import BadRow
from ..parts.state import Floats
from .scores import about_events, clipped

__all__ = ["Panel", "as_panel"]

TRUTH = object()  # stands for the name of a column that may have any
SUM = 1e-6  # by how much probabilities may miss a sum of one


@dataclass(frozen=True, eq=False)
class Panel:
    """Forecasts and outcomes, in the order of time.

    Attributes
    ----------
    values : ndarray
        Rounds x forecasters, or rounds x forecasters x outcomes; nan where missing.
    y : ndarray
        What happened: 0 or 1, the number of an outcome, or a number.
    names : tuple of str
        The forecasters.
    times : ndarray or None
        When, if that is known.
    """

    values: Floats
    y: Floats
    names: tuple[str, ...]
    times: Any

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(self.y)

    @property
    def missing(self) -> Any:
        """Where there is no forecast: rounds x forecasters."""
        gaps = np.isnan(self.values)
        return gaps if gaps.ndim == 2 else gaps.any(axis=2)


def as_panel(
    forecasts: Any,
    y: Any,
    score: Any,
    *,
    names: Sequence[str] | None = None,
    time: Any = None,
) -> Panel:
    """Check what a user handed over, and make a panel of it.

    Parameters
    ----------
    forecasts : data frame, dict by name, or array
        A column a forecaster; rounds x forecasters x outcomes for several outcomes.
    y : array, or the name of a column of the data frame
        What happened.
    score : a loss
        What forecasts will be compared by: it says what they must look like.
    names : sequence of str or None
        The forecasters, where the data do not name them.
    time : array or None
        When; it must not go backwards.
    """
    if isinstance(y, str):
        forecasts, y = _split(forecasts, y)
    values, found = _matrix(forecasts)
    if values.ndim not in (2, 3):
        raise ValueError(
            f"forecasts have {values.ndim} dimension{'s' * (values.ndim != 1)}: they "
            "need two, rounds and forecasters, or a third one for several outcomes"
        )
    rounds, many = values.shape[:2]
    called = tuple(str(name) for name in names or found or default_names(many))
    if len(called) != many or len(set(called)) < many:
        raise ValueError(f"{many} forecasters need as many different names: {called}")
    if many < 2:
        raise ValueError(f"there must be at least two forecasters, and there is {many}")
    if rounds == 0:
        raise ValueError("there are no rounds")
    truth = _outcomes(y, rounds)
    if about_events(score):
        _check_probabilities(values, called)
        _check_events(truth, values.shape[2] if values.ndim == 3 else 2)
    else:
        if values.ndim == 3:
            raise ValueError(
                f"several outcomes need a score of probabilities, not {score}"
            )
        _check_finite(values, called)
    return Panel(clipped(score, values), truth, called, _times(time, rounds))


def default_names(many: int) -> list[str]:
    """A, B, C..., or numbers where there are more than the alphabet has letters."""
    if many > 26:
        return [str(k) for k in range(many)]
    return [chr(ord("A") + k) for k in range(many)]


def _split(frame: Any, name: str) -> tuple[Any, Any]:
    """A frame without the column of the truth, and that column."""
    columns: list[Any] = list(getattr(frame, "columns", ()))
    if name not in columns:
        known = ", ".join(map(repr, columns)) or "nothing: it is no data frame"
        raise ValueError(f"there is no column {name!r}; there is {known}")
    rest = [column for column in columns if column != name]
    return frame[rest], frame[name]


def _matrix(forecasts: Any) -> tuple[Floats, Sequence[Any] | None]:
    """The numbers, and the names of the columns where there are any."""
    names: Sequence[Any] | None = None
    if hasattr(forecasts, "columns") and hasattr(forecasts, "to_numpy"):
        names = list(forecasts.columns)
        columns = [_numbers(forecasts[name], name) for name in names]
    elif isinstance(forecasts, Mapping):
        given = cast("Mapping[Any, Any]", forecasts)
        names = list(given)
        columns = [_numbers(given[name], name) for name in names]
    else:
        return np.ascontiguousarray(_numbers(forecasts, None)), None
    if len({column.shape for column in columns}) > 1:
        told = ", ".join(
            f"{name!r} has {column.shape[0]:,}"
            for name, column in zip(names, columns, strict=True)
        )
        raise ValueError(f"forecasters must have the same number of rounds: {told}")
    return np.stack(columns, axis=1), names


def _numbers(column: Any, name: Any) -> Floats:
    """Numbers, with nan for what is missing."""
    try:
        if hasattr(column, "cast"):  # polars
            return column.cast(float).to_numpy().astype(np.float64)
        if hasattr(column, "isna") and hasattr(column, "to_numpy"):  # pandas
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(column, np.float64)
    except Exception:  # each library has errors of its own
        where = "forecasts" if name is None else f"column {name!r}"
        where = "the truth" if name is TRUTH else where
        raise ValueError(f"{where}: there are entries that are not numbers") from None


def _outcomes(y: Any, rounds: int) -> Floats:
    truth = _numbers(y, TRUTH)
    if truth.ndim != 1:
        raise ValueError(f"the truth has {truth.ndim} dimensions: it needs one")
    if truth.size != rounds:
        raise ValueError(
            f"there are {rounds:,} rounds of forecasts and {truth.size:,} outcomes"
        )
    bad = ~np.isfinite(truth)
    if bad.any():
        row = int(np.argmax(bad))
        what = "is missing" if np.isnan(truth[row]) else f"is {truth[row]}"
        raise BadRow(row, f"the outcome {what}")
    return truth


def _check_events(y: Floats, outcomes: int) -> None:
    bad = (y != np.floor(y)) | (y < 0) | (y >= outcomes)
    if bad.any():
        row = int(np.argmax(bad))
        allowed = "0 or 1" if outcomes == 2 else f"0, 1, ... {outcomes - 1}"
        raise BadRow(row, f"the outcome {y[row]:g} is not {allowed}")


def _check_probabilities(values: Floats, names: Sequence[str]) -> None:
    with np.errstate(invalid="ignore"):
        bad = (values < 0.0) | (values > 1.0)
    if bad.any():
        row, column, *_ = np.argwhere(bad)[0]
        told = values[tuple(np.argwhere(bad)[0])]
        hint = "; percent? divide by 100" if 1.0 < told <= 100.0 else ""
        raise BadRow(
            int(row), f"column {names[column]!r}: {told:g} is not a probability{hint}"
        )
    if values.ndim == 3:
        off = np.abs(values.sum(axis=2) - 1.0) > SUM
        if off.any():
            row, column = np.argwhere(off)[0]
            total = float(values[row, column].sum())
            raise BadRow(
                int(row),
                f"column {names[column]!r}: probabilities add up to {total:.6g}, not 1",
            )


def _check_finite(values: Floats, names: Sequence[str]) -> None:
    bad = np.isinf(values)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise BadRow(
            int(row), f"column {names[column]!r}: {values[row, column]} is not finite"
        )


def _times(time: Any, rounds: int) -> Any:
    if time is None:
        return None
    times: Any = np.asarray(time)
    if times.shape != (rounds,):
        raise ValueError(f"there are {rounds:,} rounds and {times.size:,} times")
    if times.dtype.kind == "O":
        times = times.astype(str)
    # A missing time (nan, NaT) is not at or after anything, so it is found here too.
    backwards = ~(times[1:] >= times[:-1])
    if backwards.any():
        row = int(np.argmax(backwards)) + 1
        raise BadRow(row, f"time goes backwards, from {times[row - 1]} to {times[row]}")
    return times
