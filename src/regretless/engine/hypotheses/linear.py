"""One vector of weights: score = w.x + bias - threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...parts.state import Floats
from ..storage import Sized, keep
from .feature_effects import Effects, effects_of_one
from .hypothesis import Hypothesis, Rows
from .matrices import Matrix, matrix_of, scoring_by

if TYPE_CHECKING:
    from ..players.row_player import Call


NOTHING = np.zeros(0)


class LinearHypothesis(Hypothesis, stored_as="linear"):
    """Weights that predict.

    Parameters
    ----------
    weights : array
        One a feature.
    bias, threshold : float
        The score is w.x + bias - threshold.
    """

    kept = keep("bias", "threshold", _weights=Sized("weights"))

    weighs = True
    effect_of = "1"
    shows: ClassVar[tuple[str, ...]] = ("bias", "threshold")

    def __init__(
        self, weights: Floats = NOTHING, bias: float = 0.0, threshold: float = 0.0
    ) -> None:
        self._weights = weights
        self.n_features = weights.size
        self.bias = bias
        self.threshold = threshold

    def check_state(self) -> None:
        """It knows as many features as it has weights."""
        self.n_features = self._weights.size

    @classmethod
    def of_all(
        cls, weights: Floats, threshold: float, *, bias: bool
    ) -> LinearHypothesis:
        """From all weights, that of the bias first where there is one."""
        shift = float(weights[0]) if bias else 0.0
        return cls(weights[int(bias) :], shift, threshold)

    def weights(self) -> Floats:
        """One a feature."""
        return self._weights

    def product(self, matrix: Matrix) -> Floats:
        """The scores of the rows of a matrix."""
        return np.asarray(matrix @ self._weights) + (self.bias - self.threshold)

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows."""
        return self.product(matrix_of(rows, n, self._weights.size))

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments."""
        return scoring_by(self._weights, self.bias - self.threshold, rows, out)

    def grow(self, n_features: int) -> None:
        """Features that came later weigh nothing."""
        self.n_features = max(self.n_features, n_features)
        self._weights = _of_size(self._weights, self.n_features)

    def fitted(self, n_features: int, n_classes: int) -> LinearHypothesis:
        """The same for so many features.

        It may have met names of rows after a bad one: their weights are zero.
        """
        return LinearHypothesis(
            _of_size(self._weights, n_features), self.bias, self.threshold
        )

    def effects(self) -> Effects:
        """The weights: what 1 of a feature, rather than 0, adds to the score."""
        return effects_of_one(self._weights)

    def describe(self) -> str:
        """How many weights."""
        nonzero = int(np.count_nonzero(self._weights))
        return f"{self._weights.size:,} weights, {nonzero:,} nonzero"


def _of_size(weights: Floats, size: int) -> Floats:
    if weights.size == size:
        return weights
    out = np.zeros(size)
    out[: weights.size] = weights[:size]
    return out
