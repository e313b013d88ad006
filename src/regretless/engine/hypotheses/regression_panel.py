"""A frozen regression panel with curves and a forest: it predicts amounts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...parts.panel.state import MEAN, SPREAD
from ...parts.regression import KNOWN, ROUNDS
from ...parts.rows import Dense, Ints, Sparse, longest_of
from ...parts.state import Floats
from ..players.regression import RegressionPlayer
from ..storage import keep
from .feature_effects import ColumnValues, Effects, effects_of
from .hypothesis import Hypothesis, Rows
from .matrices import in_range

if TYPE_CHECKING:
    from ..players.row_player import Call


GROWING = threading.Lock()  # threads may predict at once; held for a moment
SAME = 1e-9  # of the spread: nonzeros that vary less are equal, but for rounding


class FrozenRegression(Hypothesis, stored_as="regression-panel"):
    """A regression panel that no longer learns.

    Parameters
    ----------
    panel : RegressionPlayer or None
        Whose copy it is, which becomes its own.
    """

    noun: ClassVar[str] = "panel"
    log_odds = False
    weighs = True
    effect_of = "typical row"

    kept = keep("panel")

    def __init__(self, panel: RegressionPlayer | None = None) -> None:
        self.panel = panel or RegressionPlayer(forest=True)
        self.panel.seconds = 0.0
        self.check_state()

    def check_state(self) -> None:
        """It knows what its player knows."""
        self.n_features = self.panel.n_features
        self._spare = 0

    def scores(self, rows: Rows, n: int) -> Floats:
        """The predicted amounts."""
        rows = in_range(rows, self.n_features)
        if not isinstance(rows, Dense) and not self.panel.met.blank:
            # How many features of a row were never met says who predicts it.
            columns = np.zeros_like(rows.columns)
            self._make_room(longest_of(rows))
            told_apart, arguments = self._telling_apart(rows, columns)
            told_apart(*arguments)
            rows = rows._replace(columns=columns)
        return self.panel.scores(rows, n)

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores the row in these buffers into `out`."""
        if isinstance(rows, Dense) or self.panel.met.blank:
            return self.panel.asking(rows, out, apart=True)
        columns = np.zeros_like(rows.columns)
        self._make_room(rows.values.size)
        calls = [self._telling_apart(rows, columns)]
        rows = rows._replace(columns=columns)
        return [*calls, *self.panel.asking(rows, out, apart=True)]

    def _telling_apart(self, rows: Sparse, columns: Ints) -> Call:
        """What gives each feature of a row that was never met a column of its own."""
        from ..kernels.compiled import entry
        from ..kernels.met_columns import tell_apart

        arguments = (rows, self.n_features, columns)
        return entry(tell_apart, arguments), arguments

    def _make_room(self, longest: int) -> None:
        """Make room for so many features that were never met; they weigh nothing."""
        with GROWING:
            if longest > self._spare:
                mark = self.panel.mark()
                self.panel.grow(self.n_features + longest)
                self.panel.return_to(mark)  # the room stays
                self._spare = longest

    def grow(self, n_features: int) -> None:
        """Features that came later weigh nothing."""
        self.panel.grow(n_features)
        self.n_features = self.panel.n_features
        self._spare = 0

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
