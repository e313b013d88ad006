"""The importance of classes: rows of one label count more, or less, than others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..parts.state import Floats
from .batch import Batch

__all__ = ["WeightedClasses"]


class WeightedClasses:
    """A source whose rows weigh what their label says, times their own weight.

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
        self, source: Any, weights: Mapping[str, float], *, many: bool = False
    ) -> None:
        for label, weight in weights.items():
            if not 0.0 <= weight < np.inf:
                raise ValueError(
                    f"the weight of class {label} must be at least 0 and finite, "
                    f"not {weight:g}"
                )
        self._source = source
        self._many = many
        self._weights = dict(weights)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        for batch in self._source.batches():
            yield batch._replace(weights=self._weigh(batch))
        self._check(self._source.classes or ())

    def _weigh(self, batch: Batch) -> Floats:
        classes = self._source.classes
        if classes is None:
            raise ValueError("class weights are for classes, and labels are numbers")
        weights: Floats = np.array(
            [self._weights.get(str(label), 1.0) for label in classes]
        )
        if self._many:  # of which some may be yet to come
            places: Any = np.nan_to_num(batch.targets, nan=0.0).astype(np.int64)
            factors = weights[places]
        else:
            self._check(classes)
            factors = weights[(batch.targets > 0.0).astype(np.int64)]
        return factors if batch.weights is None else factors * batch.weights

    def _check(self, classes: tuple[Any, ...]) -> None:
        """Raise ValueError where a label is named that is none."""
        known = [str(label) for label in classes]
        for label in self._weights:
            if label not in known:
                shown = " and ".join(known[:2]) if len(known) == 2 else ", ".join(known)
                raise ValueError(
                    f"class weights name {label!r}, but the labels are {shown:.80}"
                )
