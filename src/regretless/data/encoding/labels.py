"""Labels: two values of any kind become -1 and +1; real ones must be finite."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import BadRow
from ...parts.state import Floats

__all__ = ["Labels"]

MORE = "OneVersusRest(...) and MulticlassPerceptron() take more"
ALLOWED = f"labels are -1/+1, 0/1 or False/True here; {MORE}, and words"


class Labels:
    """The code between a user's labels and the kernels'.

    Arrays may hold any two values: the smaller becomes -1. A stream cannot be seen in
    advance, so its labels must be -1/+1, 0/1 or booleans.
    """

    def __init__(self, binary: bool) -> None:
        self.binary = binary
        self.negative: Any = None
        self.positive: Any = None

    @property
    def classes(self) -> tuple[Any, Any] | None:
        """The user's labels for -1 and +1, as far as they are known."""
        if not self.binary:
            return None
        negative, positive = self.negative, self.positive
        if negative is None:
            negative = type(positive)(0) if isinstance(positive, bool) else -1
        if positive is None:
            positive = type(negative)(1) if isinstance(negative, bool) else 1
        return negative, positive

    def state_dict(self) -> dict[str, Any]:
        """The labels met so far, as plain data."""
        return {"negative": self.negative, "positive": self.positive}

    def load_state(self, stored: dict[str, Any]) -> None:
        """Go on with the labels that :meth:`state_dict` named."""
        self.negative, self.positive = stored["negative"], stored["positive"]

    def encode_one(self, y: Any, row: int) -> float:
        """One label of a stream."""
        if not self.binary:
            return _real(y, row)
        if y == 1:
            if self.positive is None:
                self.positive = _plain(y)
            return 1.0
        if self.negative is not None and y == self.negative:
            return -1.0
        if y not in (-1, 0):
            raise BadRow(row, f"label {y!r}: {ALLOWED}")
        if self.negative is not None:
            raise BadRow(
                row, f"label {y!r}, but {self.negative!r} came before: two values only"
            )
        self.negative = _plain(y)
        return -1.0

    def encode(self, y: Any) -> Floats:
        """All labels at once."""
        array: Any = np.asarray(y)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise ValueError(f"y has {array.ndim} dimensions: it must have one")
        if not self.binary:
            return _reals(array)
        if array.dtype == bool:
            self.negative, self.positive = False, True
            return np.where(array, 1.0, -1.0)
        _refuse_missing(array)
        values = _few_values(array)
        if set(values) <= {-1, 1}:
            self.negative, self.positive = -1, 1
            return np.ascontiguousarray(array, np.float64)
        if set(values) <= {0, 1}:
            self.negative, self.positive = 0, 1
            return np.where(array == 1, 1.0, -1.0)
        if len(values) == 1:
            raise ValueError(
                f"y holds one value only, {values[0]!r}: which class is it? "
                "Use -1/+1 or 0/1"
            )
        if len(values) > 2:
            row = int(np.argmax((array != values[0]) & (array != values[1])))
            raise BadRow(
                row,
                f"label {_plain(array[row])!r} is a third value after "
                f"{values[0]!r} and {values[1]!r}: "
                f"a binary learner takes two, {MORE}",
            )
        try:
            self.negative, self.positive = sorted(values)
        except TypeError:
            raise ValueError(
                f"labels {values[0]!r} and {values[1]!r} cannot be put in order: "
                "which is the positive class? Use -1/+1 or 0/1"
            ) from None
        return np.where(array == self.positive, 1.0, -1.0)


def _few_values(array: Any) -> list[Any]:
    """The distinct values, or the first three of them, in order of appearance."""
    values: list[Any] = []
    rest: Any = np.ones(array.size, bool)
    while len(values) < 3 and rest.any():
        found = array[int(np.argmax(rest))]
        values.append(_plain(found))
        rest &= array != found
    return values


def _plain(value: Any) -> Any:
    """A numpy scalar as the Python object it stands for; 1.0 as 1."""
    item: Any = value.item() if hasattr(value, "item") else value
    return int(item) if isinstance(item, float) and item.is_integer() else item


def _refuse_missing(array: Any) -> None:
    """Refuse nan and infinity, and None and pandas' NA among objects."""
    if array.dtype.kind == "f":
        bad: Any = ~np.isfinite(array)
        if bad.any():
            row = int(np.argmax(bad))
            raise BadRow(row, f"label {array[row]} is not a finite number")
    elif array.dtype.kind == "O":
        for row, y in enumerate(array):
            if y is None or (y == y) is not True:  # noqa: PLR0124 - nan is not itself
                raise BadRow(row, f"label {y!r} is missing")


def _real(y: Any, row: int) -> float:
    try:
        if isinstance(y, str | bytes | complex):
            raise TypeError
        number = float(y)
    except (TypeError, ValueError, OverflowError):
        raise BadRow(row, f"label {_plain(y)!r} is not a number") from None
    if not math.isfinite(number):
        raise BadRow(row, f"label {number} is not a finite number")
    return number


def _reals(array: Any) -> Floats:
    if array.dtype.kind not in "buif":
        for row, y in enumerate(array):
            _real(y, row)
    numbers = np.ascontiguousarray(array, np.float64)
    _refuse_missing(numbers)
    return numbers
