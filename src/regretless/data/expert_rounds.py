"""Rounds of experts: tables in memory, or an iterable of rows taken a chunk at a time.

Rows are rounds, columns are experts, nan is asleep.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, TypeAlias, cast

import numpy as np

from ..engine.players.mean import as_number
from ..errors import BadRow
from ..parts.state import Floats
from .encoding.expert_names import ExpertNames
from .encoding.labels import Labels
from .encoding.outcomes import Outcomes

CHUNK = 1024  # rounds turned into one batch, unless that is more than
CHUNK_ENTRIES = 2**20


OutcomeCode: TypeAlias = Outcomes | Labels
"""How outcomes become numbers."""


class RoundBatch(NamedTuple):
    """Some rounds in order, end to end; outcomes are empty where losses are given.

    ``failure`` is set when the row after the last one is bad.
    """

    values: Floats
    outcomes: Floats
    n_experts: int
    failure: BadRow | None = None


def open_rounds(
    rows: object, outcomes: object, code: OutcomeCode | None, what: str
) -> RoundSource:
    """The source for what was handed to ``play``.

    Parameters
    ----------
    rows : array, data frame, or iterable
        What the experts said, or lost; pairs with the outcome where `outcomes` is None
        and there is a `code`.
    outcomes : array or None
        What happened.
    code : Outcomes, Labels or None
        How outcomes become numbers; None where `rows` are losses.
    what : str
        What rows are called in messages.
    """
    if isinstance(rows, str | bytes):
        raise TypeError(f"{what} must be a table or an iterable, not {rows!r:.40}")
    table = hasattr(rows, "shape") or hasattr(rows, "columns")
    pairs = code is not None and outcomes is None
    if pairs and table:
        raise TypeError(f"outcomes are missing: play(learner, {what}, outcomes)")
    if not pairs and (code is not None or table or _is_table(rows)):
        return RoundTable(rows, outcomes, code, what)
    if not isinstance(rows, Iterable):
        raise TypeError(
            f"{what} must be a table or an iterable, not {type(rows).__name__}"
        )
    return RoundEvents(cast("Iterable[object]", rows), code)


def open_numbers(y: object) -> RoundSource:
    """The source of the mean game: a number a round, as if of one expert."""
    whole = hasattr(y, "__len__")
    if isinstance(y, str | bytes) or not (whole or isinstance(y, Iterable)):
        raise TypeError(f"y must be numbers, not {y!r:.40}")
    return NumberTable(y) if whole else NumberEvents(cast("Iterable[object]", y))


RoundSource: TypeAlias = "RoundTable | RoundEvents"
"""Where rounds come from."""


def _is_table(rows: object) -> bool:
    """Whether these are rows of numbers, all at hand."""
    if not isinstance(rows, list | tuple):
        return False
    items = cast("list[object]", rows)
    return not (items and isinstance(items[0], Mapping))


class RoundTable:
    """A two-dimensional array, list of lists, or data frame."""

    whole = True
    rereadable = True
    what = "rounds"

    def __init__(
        self, rows: object, outcomes: object, code: OutcomeCode | None, what: str
    ) -> None:
        table, self.names = _matrix(rows, what)
        if table.ndim != 2:
            raise ValueError(
                f"{what} have {table.ndim} dimension{'s' * (table.ndim != 1)}: "
                "they must have two, a row a round and a column an expert"
            )
        n_rounds, n_experts = table.shape
        if n_rounds == 0:
            raise ValueError("there are no rounds to play")
        if n_experts == 0:
            raise ValueError("there are no experts")
        told = np.zeros(0) if code is None else code.encode(outcomes)
        if code is not None and told.size != n_rounds:
            raise ValueError(
                f"{what} have {n_rounds:,} rows but there are {told.size:,} outcomes"
            )
        self._batch = RoundBatch(table.reshape(-1), told, n_experts)

    def batches(self) -> Iterator[RoundBatch]:
        """Everything in one batch."""
        yield self._batch


class RoundEvents:
    """An iterable of rows, or of pairs (row, outcome)."""

    whole = False
    what = "rounds"

    def __init__(
        self, events: Iterable[object], code: OutcomeCode | None = None
    ) -> None:
        self.rereadable = iter(events) is not events
        self._events = events
        self._code = code
        self._roster = ExpertNames()

    @property
    def names(self) -> tuple[Hashable, ...] | None:
        """The experts' names, where rows are dicts."""
        return self._roster.names

    def batches(self) -> Iterator[RoundBatch]:
        """Chunks of rounds; the last one carries the failure, if there is one."""
        rows: list[Floats] = []
        outcomes: list[float] = []
        limit = CHUNK
        for number, event in enumerate(self._events):
            try:
                row, outcome = self._round(event, number)
            except BadRow as failure:
                yield self._batch(rows, outcomes, failure)
                return
            rows.append(row)
            outcomes += outcome
            limit = max(1, min(CHUNK, CHUNK_ENTRIES // row.size))
            if len(rows) >= limit:
                yield self._batch(rows, outcomes)
                rows, outcomes = [], []
        if rows:
            yield self._batch(rows, outcomes)

    def _round(self, event: Any, number: int) -> tuple[Floats, list[float]]:
        if self._code is None:
            return self._roster.encode(event, number), []
        try:
            x, y = event
        except (TypeError, ValueError):
            raise BadRow(
                number, f"a round is a pair (row, outcome), not {event!r:.60}"
            ) from None
        outcome = self._code.encode_one(y, number)
        return self._roster.encode(x, number), [outcome]

    def _batch(
        self, rows: list[Floats], outcomes: list[float], failure: BadRow | None = None
    ) -> RoundBatch:
        values = np.concatenate(rows) if rows else np.zeros(0)
        n_experts = self._roster.size or 0
        return RoundBatch(values, np.array(outcomes, np.float64), n_experts, failure)


class NumberTable(RoundTable):
    """Numbers that are all at hand."""

    what = "numbers"

    def __init__(self, y: Any) -> None:
        array: Any = np.asarray(y)
        if array.ndim != 1:
            raise ValueError(f"y has {array.ndim} dimensions: it must have one")
        if array.size == 0:
            raise ValueError("there are no numbers to play")
        if array.dtype.kind not in "buif":
            array = np.array([as_number(number, row) for row, number in enumerate(y)])
        numbers = np.ascontiguousarray(array, np.float64)
        self.names = None
        self._batch = RoundBatch(numbers, np.zeros(0), 1)


class NumberEvents(RoundEvents):
    """Numbers of a stream."""

    what = "numbers"

    def _round(self, event: Any, number: int) -> tuple[Floats, list[float]]:
        self._roster.size = 1
        return np.array([as_number(event, number)]), []


def _matrix(rows: Any, what: str) -> tuple[Floats, tuple[Hashable, ...] | None]:
    """The numbers, C-contiguous float64, and the names of the columns."""
    names: tuple[Hashable, ...] | None = None
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):
        names = tuple(rows.columns)
        rows = np.column_stack([_column(rows[name], name) for name in names])
    try:
        return np.ascontiguousarray(rows, np.float64), names
    except (TypeError, ValueError):
        raise ValueError(
            f"{what} are not a table of numbers: every row must have the same number "
            "of columns, and every entry must be a number (nan: asleep)"
        ) from None


def _column(column: Any, name: object) -> Floats:
    """A column of a data frame, missing entries as nan."""
    kind = getattr(column.dtype, "kind", None)
    if kind is None:  # polars
        numeric = column.dtype.is_numeric() or str(column.dtype) == "Boolean"
        return column.cast(float).to_numpy() if numeric else _refuse(column, name)
    if kind not in "buif":
        return _refuse(column, name)
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _refuse(column: Any, name: object) -> NoReturn:
    raise ValueError(
        f"column {name!r} holds {column.dtype}, not numbers: drop it or encode it"
    )
