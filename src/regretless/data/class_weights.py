"""The importance of classes: rows of one label count more, or less, than others.

Balanced weights let every class count as much as any other, ::

    w_t = t / (K n_t(y_t))

where of the t rows with a label so far, this one among them, n_t(y) have the label y,
and K labels have come. They are known when the row is learned, and converge to those
of the whole data.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

import numpy as np

from ..parts.rows import Longs
from ..parts.state import Floats
from .batch import Batch, Source, SourceView

BALANCED = "balanced"


class WeightedClasses(SourceView):
    """A source whose rows count as their class does, times the weights they have.

    Parameters
    ----------
    source : Source
        The rows.
    weights : mapping or "balanced"
        From a label, as a word, to its importance; labels that are not named keep 1.
    many : bool
        Whether there may be more than two classes.

    Attributes
    ----------
    counts : list of int or None
        How many rows of each class have come; None where weights are given.
    """

    n_rows: int | None

    def __init__(
        self,
        source: Source,
        weights: Mapping[Hashable, float] | str = BALANCED,
        *,
        many: bool = False,
    ) -> None:
        given = None if isinstance(weights, str) else dict(weights)
        for label, weight in (given or {}).items():
            if not 0.0 <= weight < np.inf:
                raise ValueError(
                    f"the weight of class {label} must be at least 0 and finite, "
                    f"not {weight:g}"
                )
        super().__init__(source)
        self._weights, self._many = given, many
        self.counts: list[int] | None = [] if given is None else None
        self._start: list[int] = []

    def go_on(self, counts: list[int] | None) -> None:
        """Let the next :meth:`batches` count on from here."""
        self._start = list(counts or ())

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        given = self._weights
        self.counts, self._start = self._start if given is None else None, []
        for batch in self._source.batches():
            classes = self._source.classes
            if classes is None:
                raise ValueError(
                    "class weights are for classes, and labels are numbers"
                )
            if given is None:
                factors = self._balanced(batch.targets)
            else:
                factors = self._given(batch.targets, given, classes)
            if batch.weights is not None:
                factors = factors * batch.weights
            yield batch._replace(weights=factors)
        if given is not None:
            _check(given, self._source.classes or ())

    def _balanced(self, targets: Floats) -> Floats:
        """The weights of rows by how often their classes have come."""
        known = ~np.isnan(targets)
        numbers: Longs = (
            targets[known] if self._many else targets[known] > 0.0
        ).astype(np.int64)
        came = self.counts or []
        before = np.zeros(max(int(numbers.max(initial=-1)) + 1, len(came)), np.int64)
        before[: len(came)] = came
        total = int(before.sum()) + np.arange(1, numbers.size + 1)
        classes = np.full(numbers.size, int((before > 0).sum()))
        own = np.zeros(numbers.size, np.int64)
        for k in range(before.size):
            mine = np.flatnonzero(numbers == k)
            own[mine] = before[k] + np.arange(1, mine.size + 1)
            if mine.size and not before[k]:
                classes[mine[0] :] += 1
            before[k] += mine.size
        self.counts = before.tolist()
        factors = np.ones(targets.size)
        factors[known] = total / (classes * own)
        return factors

    def _given(
        self, targets: Floats, given: dict[Hashable, float], classes: tuple[object, ...]
    ) -> Floats:
        """The weights of rows as they were given for their classes."""
        weights = np.array([given.get(str(label), 1.0) for label in classes])
        if self._many:  # of which some may be yet to come
            return weights[np.nan_to_num(targets, nan=0.0).astype(np.int64)]
        _check(given, classes)
        return weights[(targets > 0.0).astype(np.int64)]


def _check(weights: dict[Hashable, float], classes: tuple[object, ...]) -> None:
    """Raise ValueError where a label is named that is none."""
    known = [str(label) for label in classes]
    for label in weights:
        if label not in known:
            shown = " and ".join(known[:2]) if len(known) == 2 else ", ".join(known)
            raise ValueError(
                f"class weights name {label!r}, but the labels are {shown:.80}"
            )
