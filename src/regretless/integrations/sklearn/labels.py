"""Labels as kernels take them: numbers, two classes, or classes as they first come.

The code is that of all entrances (:mod:`regretless.data.encoding.labels`). What is
scikit-learn's own is here: classes in order and of their own type, and the classes that
were declared, of which no other may come.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Self

import numpy as np

from ...data.chunk import Array
from ...data.encoding import AmountLabels, ManyClassLabels, TwoClassLabels
from ...data.encoding.label_values import plain_label
from ...data.encoding.labels import Labels
from ...errors import BadRow
from ...parts.state import Floats


class Code:
    """What labels stand for.

    Parameters
    ----------
    labels : Labels
        The code.
    declared : array or None
        All labels that may come, in order; None where they are not known.

    Attributes
    ----------
    classes : ndarray
        All labels in order: those that were declared, or that have come.
    """

    def __init__(self, labels: Labels, declared: Array | None = None) -> None:
        self._labels = labels
        self.declared = declared
        self.classes: Array = np.empty(0) if declared is None else declared

    @classmethod
    def amounts(cls) -> Self:
        """Labels that are numbers."""
        return cls(AmountLabels())

    @classmethod
    def two(cls, classes: Array) -> Self:
        """Two labels, both known in advance: the later one in order is +1."""
        labels = TwoClassLabels()
        labels.restore(classes.tolist())
        return cls(labels, classes)

    @classmethod
    def many(cls, declared: Array | None = None) -> Self:
        """Any number of labels, numbered as they first come."""
        return cls(ManyClassLabels(), declared)

    @property
    def numbered(self) -> bool:
        """Whether labels are numbered as they come."""
        return isinstance(self._labels, ManyClassLabels)

    @property
    def labels(self) -> tuple[Hashable, ...] | None:
        """Both, or those that have come, as they came; None of numbers."""
        return self._labels.classes

    def places(self) -> list[int]:
        """Where each label that has come stands in :attr:`classes`."""
        places = {plain_label(c): k for k, c in enumerate(self.classes.tolist())}
        return [places[label] for label in self.labels or ()]

    def check(self, y: Array) -> None:
        """Raise ValueError at a label that was not declared."""
        unknown = ~np.isin(y, y if self.declared is None else self.declared)
        if unknown.any():
            row = int(np.argmax(unknown))
            raise ValueError(
                f"row {row}: label {y[row : row + 1].tolist()[0]!r} is none of the "
                f"classes {self.classes.tolist()!r:.60}; where new ones may come, "
                "begin with partial_fit(X, y) without classes="
            )

    def encode(self, y: Array) -> Floats:
        """The numbers that they stand for."""
        if self.labels is None:
            return np.ascontiguousarray(y, np.float64)
        values, firsts, places = np.unique(y, return_index=True, return_inverse=True)
        order = np.argsort(firsts, kind="stable")
        found, bad = self._labels.encode_some(values[order])
        if bad:
            raise BadRow(int(firsts[order][bad[0][0]]), bad[0][1])
        if self.declared is None:
            known = [self.classes, values] if self.classes.size else [values]
            self.classes = np.unique(np.concatenate(known))
        targets = np.empty(values.size)
        targets[order] = found
        return targets[places.reshape(-1)]

    def forget(self, known: int) -> None:
        """Drop all labels but the first `known` that came."""
        came = self._labels.state()[:known]
        self._labels.restore(came)
        if self.declared is None:
            kept = [plain_label(label) in came for label in self.classes.tolist()]
            self.classes = self.classes[np.array(kept, np.bool_)]
