"""Labels of any number of classes: numbered as they first come."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import BadRow
from ...parts.state import Floats

__all__ = ["MOST", "ClassIndex", "ClassLabels", "plain_label"]

MOST = 10_000  # classes
FRACTIONS = 100  # labels that are no whole numbers: more than this are amounts


class ClassIndex:
    """The classes so far, in the order in which they came."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}
        self._fractions = 0

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels."""
        return tuple(self.numbers)

    def load(self, classes: Any) -> None:
        """Go on from these classes."""
        self.numbers = {}
        self._fractions = 0
        for label in classes:
            self.number(label)

    def number(self, label: Any) -> int:
        """The number of a label, a new one where it never came.

        Raises ``ValueError`` where there are more labels than there can be classes.
        """
        found = self.numbers.get(label)
        if found is not None:
            return found
        fraction = isinstance(label, float)  # a whole one would be an int
        if fraction and self._fractions == FRACTIONS:
            raise ValueError(
                f"comes after {FRACTIONS} other labels that are not whole numbers: "
                "these are amounts, which a regression learns, not classes"
            )
        if len(self.numbers) == MOST:
            raise ValueError(
                f"comes after {MOST:,} other labels, the most that can be classes: if "
                "they are amounts, use a regression loss"
            )
        self._fractions += fraction
        self.numbers[label] = len(self.numbers)
        return self.numbers[label]

    def forget(self, known: int) -> None:
        """Drop all classes but the first `known`."""
        while len(self.numbers) > known:
            label, _ = self.numbers.popitem()
            self._fractions -= isinstance(label, float)


class ClassLabels:
    """The code between a user's labels and the numbers of classes.

    Labels may be of any kind that can be a key: whole numbers, words, booleans.
    """

    binary = False

    def __init__(self) -> None:
        self.index = ClassIndex()

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels that have come."""
        return self.index.classes

    def state_dict(self) -> dict[str, Any]:
        """The labels met so far, as plain data."""
        return {"classes": list(self.classes)}

    def load_state(self, stored: dict[str, Any]) -> None:
        """Go on with the labels that :meth:`state_dict` named."""
        self.index.load(stored["classes"])

    def encode_one(self, y: Any, row: int) -> float:
        """One label of a stream."""
        label = plain_label(y)
        try:
            if label is None or (label == label) is not True:  # noqa: PLR0124 - nan
                raise ValueError("is missing")
            if isinstance(label, float) and not math.isfinite(label):
                raise ValueError("is not a finite number")
            return float(self.index.number(label))
        except TypeError:
            raise BadRow(row, f"label {y!r:.60} cannot be a class") from None
        except ValueError as error:
            raise BadRow(row, f"label {label!r:.60} {error}") from None

    def encode(self, y: Any) -> Floats:
        """All labels at once."""
        array: Any = np.asarray(y)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise ValueError(f"y has {array.ndim} dimensions: it must have one")
        if array.dtype.kind == "O":
            numbers = [self.encode_one(label, row) for row, label in enumerate(array)]
            return np.array(numbers, np.float64)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            row = int(np.argmin(np.isfinite(array)))
            raise BadRow(row, f"label {array[row]} is not a finite number")
        values, firsts, places = np.unique(
            array, return_index=True, return_inverse=True
        )
        numbers = np.zeros(values.size)
        for place in np.argsort(firsts, kind="stable").tolist():
            numbers[place] = self.encode_one(values[place], int(firsts[place]))
        return numbers[places.reshape(-1)]


def plain_label(value: Any) -> Any:
    """A numpy scalar as the Python object it stands for; 1.0 as 1."""
    item: Any = value.item() if hasattr(value, "item") else value
    return int(item) if isinstance(item, float) and item.is_integer() else item
