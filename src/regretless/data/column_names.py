"""The names of features: of columns, and of words as they turn up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .formats.table_layout import Layout

__all__ = ["Named"]


class Named:
    """Names by feature; where two words share a feature the first one names it.

    Attributes
    ----------
    names : dict
        The name of every feature that has one.
    known : ndarray of uint8
        1 for each feature of words that has its name. Threads may look at an older
        state: they name a feature once more, and nothing changes.
    """

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = dict(names)
        self.known: Any = np.zeros(1, np.uint8)
        self._first = 0

    def begin(self, layout: Layout) -> None:
        """Take the names of the columns, once they are known."""
        self._first = layout.n_numbers
        self.names.update(layout.names())
        if layout.words or layout.texts:
            self.known = np.zeros(2**layout.bits, np.uint8)
            for feature in self.names:
                if feature >= self._first:
                    self.known[feature - self._first] = 1

    def add(self, fresh: Iterable[tuple[int, str]]) -> None:
        """Names that turned up, in the order of the stream."""
        for feature, name in fresh:
            if feature not in self.names:
                self.names[feature] = name
                self.known[feature - self._first] = 1
