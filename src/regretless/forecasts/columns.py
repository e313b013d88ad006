"""Which column is what: the truth, the time, places, horizons, and the forecasters.

A data frame and a file are both columns with names. Roles that are not named are
recognized by the usual names; everything that is left is a forecaster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..data.chunk import Array
from ..data.encoding.spelled import MISSING
from ..data.formats.arrow_numbers import floats_of
from ..data.formats.table_layout import is_words
from ..data.pyarrow_import import ArrowColumn, ArrowTable, arrow
from ..errors import BadRow
from ..parts.state import Floats
from .dates import parse_times
from .entries import column_of, numbers, outcome

USUAL = {
    "truth": "",
    "time": "time date day round datetime timestamp week forecast_date origin_date "
    "reference_date issue_date",
    "group": "group station location place site state region country city county "
    "league div geo_value location_name fips",
    "horizon": "horizon lead lead_time leadtime step",
    "known_at": "known_at available_at",
}
"""What the column of each role is usually called."""
FIELDS = {
    "time": "times",
    "group": "groups",
    "horizon": "horizons",
    "known_at": "known_at",
}
"""Where a Table has them."""
FORECASTERS = ("forecaster", "model", "model_id", "team")
FORECASTS = ("forecast", "prediction", "value")
LEVELS = ("quantile", "quantile_level", "output_type_id")
OTHERS = (
    "latitude longitude lat lon lng elevation altitude type id row index year month "
    "hour minute unnamed:_0 target target_variable output_type target_end_date "
    f"population {USUAL['group']} {USUAL['time']}"
)
HINT = "; if it is no forecaster, say who are: forecasters=, --forecasters a,b"


class Roles(NamedTuple):
    """The columns of roles (truth, time, ...), of forecasts, and those left out."""

    found: dict[str, str]
    rest: tuple[str, ...]
    left_out: tuple[str, ...]


class Columns:
    """Columns by name, as arrays.

    Parameters
    ----------
    table : pyarrow.Table
        Words, where they come from text; else of any types.
    place : callable
        From a row to where it stands.
    what : str
        How messages begin, such as "forecasts.csv: ".
    """

    def __init__(
        self, table: ArrowTable, place: Callable[[int], str], what: str = ""
    ) -> None:
        self._table = table
        self.place = place
        self.what = what
        self.names: list[str] = [str(name) for name in table.column_names]
        for k, name in enumerate(self.names):
            if name in self.names[:k]:
                raise ValueError(f"{what}two columns are named {name!r}")

    def __len__(self) -> int:
        """How many rows there are."""
        return int(self._table.num_rows)

    def truth(self, name: str | None, outcomes: Sequence[str] | None = None) -> Floats:
        """What happened: a number, yes or no, one of the outcomes; nan: not known."""
        if name is None:
            return np.full(len(self), np.nan)
        return self._choices(name, outcomes or ())

    def numbers(self, name: str) -> Floats:
        """A column of numbers (or yes and no), nan where it is empty."""
        return self._read(name, column_of(name), HINT)

    def _read(self, name: str, what: Callable[[int], str], hint: str) -> Floats:
        column = self._table[name].combine_chunks()
        try:
            if is_words(column.type):
                empty = arrow().array(MISSING, column.type)
                gaps = arrow("compute").is_in(column, empty)
                column = arrow("compute").if_else(gaps, None, column)
            return floats_of(column, np.nan)
        except arrow().ArrowException:
            try:
                return numbers(column.to_pylist(), what)
            except BadRow as error:
                told = error.problem + hint * (error.row == 0)
                raise BadRow(error.row, told, self.place(error.row)) from None

    def words(self, name: str) -> list[str]:
        """A column of words."""
        return [str(word).strip() for word in self._full(name).to_pylist()]

    def _full(self, name: str) -> ArrowColumn:
        """A column without gaps."""
        column = self._table[name]
        gaps: list[bool] = []
        if column.null_count or is_words(column.type):
            gaps = [one is None or one == "" for one in column.to_pylist()]
        if True in gaps:
            row = gaps.index(True)
            raise BadRow(row, f"column {name!r} is empty", self.place(row))
        return column

    def _choices(self, name: str, outcomes: Sequence[str]) -> Floats:
        words = [
            None if w in (None, "") else str(w) for w in self._table[name].to_pylist()
        ]
        known = {outcome: float(k) for k, outcome in enumerate(outcomes)}
        if known.keys().isdisjoint(words):
            return self._read(name, outcome, "")
        for row, word in enumerate(words):
            if word is not None and word not in known:
                told = f"column {name!r}: {word!r} is not one of {', '.join(outcomes)}"
                raise BadRow(row, told, self.place(row))
        return np.array([np.nan if word is None else known[word] for word in words])

    def times(self, name: str, first: str | None = None) -> Array:
        """A column of times: numbers, dates, or words."""
        found: Array = self._full(name).to_numpy()
        if found.dtype.kind != "O":
            return found
        try:
            return parse_times([str(word).strip() for word in found], first)
        except BadRow as error:
            told = f"column {name!r}: {error.problem}"
            raise BadRow(error.row, told, self.place(error.row)) from None
        except ValueError as error:
            raise ValueError(f"{self.what}column {name!r}: {error}") from None


def find_roles(columns: Columns, asked: Mapping[str, object]) -> Roles:
    """Who is what; a column that was asked for must be there."""
    found: dict[str, str] = {}
    for role, usual in USUAL.items():
        name = asked.get(role)
        if isinstance(name, str):
            if name not in columns.names:
                known = ", ".join(map(repr, columns.names))
                option = f"--{role.replace('_', '-')} ({role}=)"
                how = f" with the {role}: say {option}, one of"
                raise ValueError(
                    f"{columns.what}there is no column {name!r}"
                    f"{how if columns.what else '; there is'} {known}"
                )
            found[role] = name
            continue
        free = {_plain(n): n for n in columns.names if n not in found.values()}
        if near := first_of(free, usual.split()):
            found[role] = free[near]
    left = [name for name in columns.names if name not in found.values()]
    aside = tuple(name for name in left if _plain(name) in OTHERS.split())
    return Roles(found, tuple(n for n in left if n not in aside), aside)


def first_of(names: Iterable[str], usual: Sequence[str]) -> str | None:
    """The first of the usual names that is there."""
    return next((name for name in usual if name in names), None)


def _plain(name: str) -> str:
    return re.sub(r"[\s.-]+", "_", name.strip().lower())
