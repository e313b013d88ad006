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
    """

    def __init__(self, source: Any, weights: Mapping[str, float]) -> None:
        for label, weight in weights.items():
            if not 0.0 <= weight < np.inf:
                raise ValueError(
                    f"the weight of class {label} must be at least 0 and finite, "
                    f"not {weight:g}"
                )
        self._source = source
        self._weights = dict(weights)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        for batch in self._source.batches():
            yield batch._replace(weights=self._weigh(batch))

    def _weigh(self, batch: Batch) -> Floats:
        classes = self._source.classes
        if classes is None:
            raise ValueError("class weights are for classes, and labels are numbers")
        known = [str(label) for label in classes]
        for label in self._weights:
            if label not in known:
                raise ValueError(
                    f"class weights name {label!r}, but the labels are "
                    f"{known[0]} and {known[1]}"
                )
        negative, positive = (self._weights.get(label, 1.0) for label in known)
        factors = np.where(batch.targets > 0.0, positive, negative)
        return factors if batch.weights is None else factors * batch.weights
