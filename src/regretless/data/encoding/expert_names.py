"""The names of experts: which column is which, fixed by the first row."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from ...errors import BadRow
from ...parts.state import Floats
from .input_kind import is_event


class ExpertNames:
    """Rows of a stream to rows of numbers, one column an expert, nan asleep.

    A row is a sequence, or a dict by the experts' names; an expert that a later dict
    leaves out is asleep. A bad first row leaves nothing behind.
    """

    def __init__(self) -> None:
        self.size: int | None = None
        self.numbers: dict[Hashable, int] | None = None

    @property
    def names(self) -> tuple[Hashable, ...] | None:
        """The experts' names, where rows are dicts."""
        return None if self.numbers is None else tuple(self.numbers)

    def encode(self, x: object, row: int) -> Floats:
        """One row as numbers."""
        if is_event(x):
            return self._encode_dict(x, row)
        values = _numbers(x, row)
        if self.size is None and values.size == 0:
            raise BadRow(row, "there are no experts")
        if self.size is not None and values.size != self.size:
            raise BadRow(
                row, f"it has {values.size} columns, but there are {self.size} experts"
            )
        self.size = values.size
        return values

    def _encode_dict(self, x: Mapping[Hashable, object], row: int) -> Floats:
        numbers = self.numbers
        if numbers is None:
            if self.size is not None:
                raise BadRow(row, "it is a dict, but the rows before it had no names")
            if not x:
                raise BadRow(row, "there are no experts")
            numbers = {name: k for k, name in enumerate(x)}
        values = np.full(len(numbers), np.nan)
        for name, said in x.items():
            if name not in numbers:
                raise BadRow(row, f"expert {name!r} was not in the first row")
            try:
                values[numbers[name]] = np.nan if said is None else said
            except (TypeError, ValueError):
                raise BadRow(
                    row, f"expert {name!r}: {said!r:.40} is not a number"
                ) from None
        self.numbers, self.size = numbers, len(numbers)
        return values


def _numbers(x: object, row: int) -> Floats:
    try:
        values: Floats = np.array(x, np.float64)
    except (TypeError, ValueError):
        raise BadRow(row, f"it is not a row of numbers: {x!r:.60}") from None
    if values.ndim != 1:
        raise BadRow(row, f"it has {values.ndim} dimensions: a row has one")
    return values
