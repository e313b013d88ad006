"""The importance of classes: rows of one label count more, or less, than others.

Balanced weights let every class count as much as any other, ::

    w_t = t / (K n_t(y_t))

where of the t rows with a label so far, this one among them, n_t(y) have the label y,
and K labels have come. They are known when the row is learned, and converge to those
of the whole data.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping

import numpy as np

from ..parts.rows import Longs
from ..parts.state import Floats
from .batch import Batch, Source, SourceView

BALANCED = "balanced"


def weighted_source(
    source: Source, weights: Mapping[str, float] | str, *, many: bool
) -> WeightedClasses | BalancedClasses:
    """The source with weights for its classes: a mapping, or "balanced"."""
    if isinstance(weights, str):
        return BalancedClasses(source, many=many)
    return WeightedClasses(source, weights, many=many)


class ClassWeights(SourceView, abc.ABC):
    """A source whose rows count as their class does, times the weights they have.

    Parameters
    ----------
    source : Source
        The rows.
    many : bool
        Whether there may be more than two classes.
    """

    n_rows: int | None

    def __init__(self, source: Source, *, many: bool = False) -> None:
        super().__init__(source)
        self._many = many

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        for batch in self._source.batches():
            if self._source.classes is None:
                raise ValueError(
                    "class weights are for classes, and labels are numbers"
                )
            factors = self._factors(batch.targets)
            if batch.weights is not None:
                factors = factors * batch.weights
            yield batch._replace(weights=factors)

    @abc.abstractmethod
    def _factors(self, targets: Floats) -> Floats:
        """The weight of the class of every row."""


class BalancedClasses(ClassWeights):
    """A source whose classes count the same.

    Attributes
    ----------
    counts : list of int
        How many rows of each class have come.
    """

    def __init__(self, source: Source, *, many: bool = False) -> None:
        super().__init__(source, many=many)
        self.counts: list[int] = []
        self._start: list[int] = []

    def go_on(self, counts: list[int]) -> None:
        """Let the next :meth:`batches` count on from here."""
        self._start = list(counts)

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        self.counts, self._start = self._start, []
        yield from super().batches()

    def _factors(self, targets: Floats) -> Floats:
        known = ~np.isnan(targets)
        numbers: Longs = (
            targets[known] if self._many else targets[known] > 0.0
        ).astype(np.int64)
        size = max(int(numbers.max(initial=-1)) + 1, len(self.counts))
        before = np.zeros(size, np.int64)
        before[: len(self.counts)] = self.counts
        total = int(before.sum()) + np.arange(1, numbers.size + 1)
        classes = np.full(numbers.size, int((before > 0).sum()))
        own = np.zeros(numbers.size, np.int64)
        for k in range(size):
            mine = np.flatnonzero(numbers == k)
            own[mine] = before[k] + np.arange(1, mine.size + 1)
            if mine.size and not before[k]:
                classes[mine[0] :] += 1
            before[k] += mine.size
        self.counts = before.tolist()
        factors = np.ones(targets.size)
        factors[known] = total / (classes * own)
        return factors


class WeightedClasses(ClassWeights):
    """A source whose rows weigh what their label says.

    Parameters
    ----------
    source : Source
        The rows.
    weights : mapping
        From a label, as a word, to its importance; labels that are not named keep 1.
    many : bool
        Whether there may be more than two classes.
    """

    def __init__(
        self, source: Source, weights: Mapping[str, float], *, many: bool = False
    ) -> None:
        for label, weight in weights.items():
            if not 0.0 <= weight < np.inf:
                raise ValueError(
                    f"the weight of class {label} must be at least 0 and finite, "
                    f"not {weight:g}"
                )
        super().__init__(source, many=many)
        self._weights = dict(weights)

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        yield from super().batches()
        self._check(self._source.classes or ())

    def _factors(self, targets: Floats) -> Floats:
        classes = self._source.classes or ()
        weights = np.array([self._weights.get(str(label), 1.0) for label in classes])
        if self._many:  # of which some may be yet to come
            return weights[np.nan_to_num(targets, nan=0.0).astype(np.int64)]
        self._check(classes)
        return weights[(targets > 0.0).astype(np.int64)]

    def _check(self, classes: tuple[object, ...]) -> None:
        """Raise ValueError where a label is named that is none."""
        known = [str(label) for label in classes]
        for label in self._weights:
            if label not in known:
                shown = " and ".join(known[:2]) if len(known) == 2 else ", ".join(known)
                raise ValueError(
                    f"class weights name {label!r}, but the labels are {shown:.80}"
                )
