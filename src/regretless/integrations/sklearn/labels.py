"""Labels as kernels take them: numbers, two classes, or classes as they first come."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

import numpy as np

from ...data.chunk import Array, Mask
from ...parts.state import Floats

__all__ = ["Code", "ManyClasses", "Numbers", "TwoClasses"]


class Numbers:
    """Labels that are numbers."""

    classes: Array = np.empty(0)
    labels = None

    def check(self, y: Array) -> None:
        """All numbers can be."""

    def encode(self, y: Array) -> Floats:
        """The numbers themselves."""
        return np.ascontiguousarray(y, np.float64)


class TwoClasses:
    """Two labels, both known in advance: the later one in order is +1."""

    def __init__(self, classes: Array) -> None:
        self.classes = classes
        self.labels: tuple[Hashable, ...] = tuple(classes.tolist())

    def check(self, y: Array) -> None:
        """Raise ValueError at a third label."""
        _refuse_unknown(y, ~np.isin(y, self.classes), self.classes)

    def encode(self, y: Array) -> Floats:
        """-1 and +1."""
        return np.where(y == self.classes[1], 1.0, -1.0)


class ManyClasses:
    """Any number of labels, numbered as they first come.

    Parameters
    ----------
    declared : array or None
        All that may come, in order; None where they are not known.
    """

    def __init__(self, declared: Array | None = None) -> None:
        self.declared = declared
        self._numbers: dict[Hashable, int] = {}
        self._come: Array | None = None

    @property
    def classes(self) -> Array:
        """All labels in order: those that were declared, or that have come."""
        found = self._come if self.declared is None else self.declared
        return np.empty(0) if found is None else found

    @property
    def labels(self) -> tuple[Hashable, ...]:
        """Those that have come, as they came."""
        return tuple(self._numbers)

    def places(self) -> list[int]:
        """Where each label that has come stands in :attr:`classes`."""
        return np.searchsorted(self.classes, np.array(list(self._numbers))).tolist()

    def check(self, y: Array) -> None:
        """Raise ValueError at a label that was not declared."""
        if self.declared is not None:
            _refuse_unknown(y, ~np.isin(y, self.declared), self.declared)

    def encode(self, y: Array) -> Floats:
        """The numbers of the classes."""
        values, firsts, inverse = np.unique(y, return_index=True, return_inverse=True)
        numbers = np.zeros(values.size)
        labels = values.tolist()
        for place in np.argsort(firsts, kind="stable").tolist():
            label = labels[place]
            numbers[place] = self._numbers.setdefault(label, len(self._numbers))
        come = values if self._come is None else np.concatenate([self._come, values])
        self._come = np.unique(come)
        return numbers[inverse.reshape(-1)]

    def forget(self, known: int) -> None:
        """Drop all labels but the first `known` that came."""
        while self._come is not None and len(self._numbers) > known:
            label, _ = self._numbers.popitem()
            self._come = self._come[self._come != label]


Code: TypeAlias = Numbers | TwoClasses | ManyClasses


def _refuse_unknown(y: Array, unknown: Mask, classes: Array) -> None:
    if unknown.any():
        row = int(np.argmax(unknown))
        raise ValueError(
            f"row {row}: label {y[row : row + 1].tolist()[0]!r} is none of the classes "
            f"{classes.tolist()!r:.60}; where new ones may come, begin with "
            "partial_fit(X, y) without classes="
        )
