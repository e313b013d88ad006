"""A frozen regression panel with curves and a forest: it predicts amounts."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...parts.documents import Document
from ...parts.panel.state import MEAN, SPREAD
from ...parts.regression import KNOWN, ROUNDS
from ...parts.rows import Dense
from ...parts.state import Floats
from ..players.regression import RegressionPlayer
from .hypothesis import Hypothesis, Rows

__all__ = ["FrozenRegression"]


class FrozenRegression(Hypothesis, stored_as="regression-panel"):
    """A regression panel that no longer learns.

    Parameters
    ----------
    arrays : mapping
        The state of a player.
    """

    noun: ClassVar[str] = "panel"
    log_odds = False
    weighs: ClassVar[bool] = True
    effect_of: ClassVar[str] = "typical row"

    def __init__(self, arrays: Document) -> None:
        self.panel = RegressionPlayer(forest=True)
        self.panel.load_state(arrays)
        self.n_features = self.panel.n_features

    def scores(self, rows: Rows, n: int) -> Floats:
        """The predicted amounts."""
        return self.panel.scores(rows, n)

    def grow(self, n_features: int) -> None:
        """Features that came later weigh nothing."""
        self.panel.grow(n_features)
        self.n_features = self.panel.n_features

    def weights(self) -> Floats:
        """The weights of the linear panel below the curves and the forest."""
        return self.panel.weights()

    def effects(self) -> Floats:
        """What each feature does to a typical row: all features at their means.

        The prediction with it one deviation above its mean, less that with it one
        below. Where the table is wide: the weights of the linear panel.
        """
        curves, n = self.panel.second_layer.curves, self.n_features
        if not self.panel.second_layer.live:
            return self.weights()
        known = int(curves.numbers[KNOWN])
        order = curves.order[:known]
        rounds = max(float(curves.numbers[ROUNDS]), 1.0)
        deviations = np.sqrt(curves.moments[:known, SPREAD] / rounds)
        rows = np.zeros((2 * known, n))
        rows[:, order] = curves.moments[:known, MEAN]
        rows[np.arange(known), order] += deviations
        rows[known + np.arange(known), order] -= deviations
        scores = self.panel.scores(Dense(rows.ravel(), n), 2 * known)
        found = np.zeros(n)
        found[order] = scores[:known] - scores[known:]
        return found

    def describe(self) -> str:
        """On how many features, and with what."""
        more = " with curves and a forest" if self.panel.second_layer.live else ""
        return f"a regression panel{more} on {self.n_features:,} features"

    def arrays(self) -> Document:
        """The state of the panel; copies."""
        return self.panel.arrays()

    def file_arrays(self) -> Document:
        """The same, without the time that it took."""
        return {"panel": self.arrays() | {"seconds": 0.0}}

    @classmethod
    def from_file(cls, arrays: Document, facts: Document) -> FrozenRegression:
        """The panel that a file has."""
        return cls(arrays["panel"])
