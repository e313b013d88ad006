"""Forecasts in files: wide (a column a forecaster) or long (a row a forecast).

CSV (also .gz) and Parquet. A wide file has a column with the truth, perhaps one with
the time, and the forecasters; a long one the columns time, forecaster, forecast, truth.
Complaints name the file, the line and the column.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadRow
from ..streams.chunk import Broken
from ..streams.formats import format_of
from ..streams.lines import blocks
from ..streams.places import Place, find_places
from ..streams.quotes import open_mark

__all__ = ["Table", "read_forecasts"]

TIMES = ("time", "date", "day", "round")
LONG = ("forecaster", "forecast")


@dataclass(frozen=True, eq=False)
class Table:
    """Forecasts as read from a file, not checked against any loss yet.

    Attributes
    ----------
    values : ndarray
        Rounds x forecasters (x outcomes); nan where missing.
    y : ndarray
        What happened.
    names : tuple of str
        The forecasters.
    times : ndarray or None
        When.
    place : callable
        From a round to where it stands: ``file:line``.
    """

    values: Any
    y: Any
    names: tuple[str, ...]
    times: Any
    place: Callable[[int], str]

    @contextmanager
    def located(self) -> Any:
        """Turn "row 7" into "file:9" in errors raised inside."""
        try:
            yield
        except BadRow as error:
            place = self.place(error.row)
            raise BadRow(error.row, error.problem, place) from None


def read_forecasts(
    path: str | Path,
    truth: str = "truth",
    *,
    time: str | None = None,
    forecasters: Sequence[str] | None = None,
    outcomes: Sequence[str] | None = None,
) -> Table:
    """Read a table of forecasts.

    Parameters
    ----------
    path : path
        A CSV file (also .csv.gz), or a Parquet file; ``-`` for standard input.
    truth : str
        The column with what happened.
    time : str or None
        The column with the time; "time", "date", "day" or "round" if there is one.
    forecasters : sequence of str or None
        The columns to read, in a wide file; all others if None.
    outcomes : sequence of str or None
        For several outcomes, their names in order: forecaster "ann" has the columns
        "ann_H", "ann_D"... and the truth is one of the names, or its number from 0.
    """
    file = _File(path)
    time = _time_column(file, time)
    if truth not in file.columns:
        raise ValueError(
            f"{file.path}: there is no column {truth!r} with the truth; the columns "
            f"are {', '.join(map(repr, file.columns))}"
        )
    if all(name in file.columns for name in LONG):
        if outcomes or forecasters:
            raise ValueError(f"{file.path}: a long table is read as it is")
        return _long(file, truth, time)
    used = [name for name in file.columns if name not in (truth, time)]
    wanted = list(forecasters) if forecasters else _without_outcome(used, outcomes)
    groups = {name: _columns_of(file, name, outcomes) for name in wanted}
    blocks = [
        np.stack([file.numbers(c) for c in columns]) for columns in groups.values()
    ]
    if not blocks:
        raise ValueError(f"{file.path}: there are no forecasters")
    values = np.stack(blocks, axis=1).transpose(2, 1, 0)
    values = np.ascontiguousarray(values if outcomes else values[:, :, 0])
    y = file.numbers(truth) if not outcomes else file.choices(truth, outcomes)
    times = None if time is None else file.times(time)
    return Table(values, y, tuple(groups), times, file.place)


def _time_column(file: _File, time: str | None) -> str | None:
    if time is None:
        return next((name for name in TIMES if name in file.columns), None)
    if time not in file.columns:
        raise ValueError(f"{file.path}: there is no column {time!r} with the time")
    return time


def _without_outcome(used: Sequence[str], outcomes: Sequence[str] | None) -> list[str]:
    """The forecasters: all columns, or the beginnings of those of the first outcome."""
    if not outcomes:
        return list(used)
    ending = f"_{outcomes[0]}"
    return [name.removesuffix(ending) for name in used if name.endswith(ending)]


def _columns_of(file: _File, name: str, outcomes: Sequence[str] | None) -> list[str]:
    columns = [f"{name}_{outcome}" for outcome in outcomes] if outcomes else [name]
    for column in columns:
        if column not in file.columns:
            raise ValueError(f"{file.path}: there is no column {column!r}")
    return columns


def _long(file: _File, truth: str, time: str | None) -> Table:
    """Gather the rows of every time into a round."""
    if time is None:
        raise ValueError(f"{file.path}: a long table needs a column with the time")
    times, who = file.times(time), file.words("forecaster")
    said, happened = file.numbers("forecast"), file.numbers(truth)
    names = list(dict.fromkeys(who))
    column = {name: k for k, name in enumerate(names)}
    first: list[int] = []  # the row in which each round begins
    rounds: list[list[float]] = []
    for row, name in enumerate(who):
        if row == 0 or times[row] != times[first[-1]]:
            first.append(row)
            rounds.append([math.nan] * len(names))
        k = column[name]
        if not math.isnan(rounds[-1][k]):
            raise BadRow(
                row, f"{name!r} forecasts twice at {times[row]}", file.place(row)
            )
        if happened[row] != happened[first[-1]]:
            told = f"the truth is {happened[row]:g}, and was {happened[first[-1]]:g}"
            raise BadRow(row, f"{told} before, at {times[row]}", file.place(row))
        rounds[-1][k] = float(said[row])
    starts = np.array(first, np.int64)
    return Table(
        np.array(rounds),
        happened[starts],
        tuple(names),
        times[starts],
        lambda i: file.place(first[i]),
    )


class _File:
    """Columns of a file, by name, as arrays."""

    def __init__(self, path: str | Path) -> None:
        (place,) = find_places(path)
        self.path = path = place.name
        try:
            kind = format_of(place, None)
        except ValueError:
            kind = "csv"  # of one column, perhaps: it will be said what is missing
        if kind not in ("csv", "tsv", "parquet"):
            raise ValueError(f"{path}: forecasts are CSV or Parquet, not {kind}")
        self.text = kind != "parquet"
        try:
            if self.text:
                self._table: Any = _read_text(place, "," if kind == "csv" else "\t")
            else:
                self._table = _arrow("parquet").read_table(place.random())
        except _arrow("lib").ArrowInvalid as error:
            told = str(error).splitlines()[0]
            raise ValueError(f"{path}: {told}") from None
        self.columns: list[str] = list(self._table.column_names)
        if self._table.num_rows == 0:
            raise ValueError(f"{path}: there are no rows")

    def place(self, row: int) -> str:
        """Where a row stands. The first line of a CSV file holds the names."""
        return f"{self.path}:{row + 2}" if self.text else f"{self.path}: row {row}"

    def numbers(self, name: str) -> Any:
        """A column of numbers, nan where it is empty."""
        column = self._table[name].combine_chunks()
        types = _arrow("types")
        kind = column.type
        if types.is_boolean(kind):
            column = column.cast("uint8")
        elif types.is_null(kind):
            return np.full(len(column), np.nan)
        elif not (types.is_integer(kind) or types.is_floating(kind)):
            self._complain(name, column.to_pylist())
        return column.cast("float64").to_numpy(zero_copy_only=False)

    def words(self, name: str) -> list[str]:
        """A column of words."""
        found = self._table[name].to_pylist()
        if None in found:
            row = found.index(None)
            raise BadRow(row, f"column {name!r} is empty", self.place(row))
        return [str(word) for word in found]

    def choices(self, name: str, outcomes: Sequence[str]) -> Any:
        """A column that names one of the outcomes, or gives its number."""
        words = self.words(name)
        if not set(words) & set(outcomes):
            return self.numbers(name)
        known = {outcome: float(k) for k, outcome in enumerate(outcomes)}
        for row, word in enumerate(words):
            if word not in known:
                told = f"column {name!r}: {word!r} is not one of {', '.join(outcomes)}"
                raise BadRow(row, told, self.place(row))
        return np.array([known[word] for word in words])

    def times(self, name: str) -> Any:
        """A column of times: numbers, dates, or words."""
        column = self._table[name]
        if column.null_count:
            row = column.to_pylist().index(None)
            raise BadRow(row, f"column {name!r} is empty", self.place(row))
        found: Any = column.to_numpy()
        return found.astype(str) if found.dtype.kind == "O" else found

    def _complain(self, name: str, entries: Sequence[Any]) -> None:
        for row, entry in enumerate(entries):
            try:
                float("nan" if entry is None else entry)
            except (TypeError, ValueError):
                told = f"column {name!r}: {str(entry)!r:.40} is not a number"
                hint = (
                    "; if it is no forecaster, say who are: --forecasters a,b"
                    if row == 0
                    else ""
                )
                raise BadRow(row, told + hint, self.place(row)) from None
        raise ValueError(f"{self.path}: column {name!r} does not hold numbers")


def _read_text(place: Place, delimiter: str) -> Any:
    csv = _arrow("csv")
    quoted = delimiter == ","  # in TSV a quotation mark is a letter like any other
    try:
        with closing(place.open()) as stream:
            text = b"".join(bytes(piece.data) for piece in blocks(stream))
    except Broken as error:
        raise ValueError(f"{place.name}: {error}") from None
    opened = open_mark(text, len(text), delimiter) if quoted else -1
    if opened >= 0:
        line = text.count(b"\n", 0, opened) + 1
        raise ValueError(
            f"{place.name}:{line}: a quotation mark is opened and never closed"
        )
    return csv.read_csv(
        _arrow("lib").BufferReader(text),
        parse_options=csv.ParseOptions(
            delimiter=delimiter,
            quote_char='"' if quoted else False,
            newlines_in_values=quoted,
        ),
    )


def _arrow(module: str) -> Any:
    return importlib.import_module(f"pyarrow.{module}")
