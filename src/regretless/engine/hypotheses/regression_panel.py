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
from .feature_effects import ColumnValues, Effects, effects_of
from .hypothesis import Hypothesis, Rows
from .matrices import in_range, told_apart

SAME = 1e-9  # of the spread: nonzeros that vary less are equal, but for rounding


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
        self._wider = self.panel

    def scores(self, rows: Rows, n: int) -> Floats:
        """The predicted amounts."""
        rows, panel = in_range(rows, self.n_features), self.panel
        if not isinstance(rows, Dense) and not panel.met.blank:
            # How many features of a row were never met says who predicts it.
            rows = told_apart(rows, self.n_features)
            panel = self._knowing(int(rows.columns.max(initial=-1)) + 1)
        return panel.scores(rows, n)

    def _knowing(self, n_features: int) -> RegressionPlayer:
        """The panel with so many features; what came after it weighs nothing."""
        if n_features > self._wider.n_features:
            wider = RegressionPlayer(forest=True)
            wider.load_state(self.arrays())
            wider.grow(2 * n_features)
            self._wider = wider
        return self._wider if n_features > self.n_features else self.panel

    def grow(self, n_features: int) -> None:
        """Features that came later weigh nothing."""
        self.panel.grow(n_features)
        self.n_features = self.panel.n_features
        self._wider = self.panel

    def weights(self) -> Floats:
        """The weights of the linear panel below the curves and the forest."""
        return self.panel.weights()

    def effects(self) -> Effects:
        """What each feature does to the prediction of a typical row.

        Where the table is wide, only the sizes of values are known: the two values of a
        feature are 0 and its usual size, and a typical row is empty.
        """
        curved = self.panel.second_layer.live
        columns = self._on_curves() if curved else self._sizes()
        return effects_of(self.panel.scores, columns, self.n_features)

    def _sizes(self) -> ColumnValues:
        counts, squares = self._seen()
        columns, numbers = self.panel.met.numbers()
        came = numbers[counts[numbers] > 0.0]
        sizes = np.sqrt(squares[came] / counts[came])
        columns, zeros = columns[counts[numbers] > 0.0], np.zeros(came.size)
        return ColumnValues(columns, sizes, zeros, zeros)

    def _on_curves(self) -> ColumnValues:
        """From moments of all rows, zeros included, to those of nonzeros."""
        curves, counts = self.panel.second_layer.curves, self._seen()[0]
        known = int(curves.numbers[KNOWN])
        order = curves.order[:known].astype(np.int64)
        rounds, counts = float(curves.numbers[ROUNDS]), np.maximum(counts[order], 1.0)
        shares = np.minimum(counts / max(rounds, 1.0), 1.0)
        means = curves.moments[:known, MEAN] / shares
        spreads = curves.moments[:known, SPREAD] / counts
        squared = spreads - (1.0 - shares) * means**2
        deviations = np.sqrt(np.where(squared > SAME * spreads, squared, 0.0))
        order = self.panel.met.columns[order].astype(np.int64)
        return ColumnValues(order, means, deviations, shares)

    def _seen(self) -> tuple[Floats, Floats]:
        """How many nonzeros each feature had, and the sums of their squares."""
        seen = self.panel.members[0].state.seen.reshape(-1, 2)
        counts, squares = seen[1:].T
        return counts, squares

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
