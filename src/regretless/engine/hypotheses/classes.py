"""A weight vector for each of many classes: the largest score wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...parts.multiclass import LANES, Lanes, blocks_for, new_lanes
from ...parts.rows import Biased, Dense, SeenRows
from ...parts.state import Bools, Floats
from ...parts.views import Viewed
from ..storage import Range, Sized, checked_array, checked_float, keep
from .class_probabilities import Slopes, kept_slopes
from .feature_effects import Effects, effects_of_one
from .hypothesis import Hypothesis, Rows
from .matrices import Matrix, known_only, matrix_of, scoring_by

if TYPE_CHECKING:
    from ..players.row_player import Call


NOTHING = np.zeros((0, 0))


def _shift(fresh: object, stored: object) -> float | Floats:
    if not isinstance(stored, np.ndarray):
        return checked_float({"shift": stored}, "shift")
    return checked_array({"shift": stored}, "shift", holds=Range(-np.inf))


class FrozenClasses(Hypothesis, stored_as="classes"):
    """A weight vector a class.

    Parameters
    ----------
    weights : array
        A row a class, the bias first where there is one.
    shift : float or array
        What is added to every score, or to those of each class; -inf for a class that
        had not come, so that it is not predicted.
    bias : bool
        Whether rows have one more feature, always 1.
    slopes : Slopes or None
        What makes probabilities of scores.
    """

    kept = keep(
        "bias", _weights=Sized("classes", "weights"), shift=_shift, slopes=kept_slopes
    )

    many: ClassVar[bool] = True
    weighs = True
    effect_of = "1"
    shows: ClassVar[tuple[str, ...]] = ("biases", "slopes")

    def __init__(
        self,
        weights: Floats = NOTHING,
        shift: float | Floats = 0.0,
        bias: bool = False,
        slopes: Slopes | None = None,
    ) -> None:
        self.slopes = slopes
        self.log_odds = True if slopes is not None else None
        self._weights = weights
        self.shift = shift
        self.bias = bool(bias)
        self.n_classes = len(weights)
        self.n_features = weights.shape[1] - self.bias
        self._lanes: Lanes | None = None

    def check_state(self) -> None:
        """Each class has a shift, or all the same; rows are at least a bias."""
        if np.shape(self.shift) not in ((), (len(self._weights),)):
            raise ValueError("it adds something to the scores of other classes")
        if self._weights.shape[1] < self.bias:
            raise ValueError("it has a bias without a weight")
        self.__init__(self._weights, self.shift, self.bias, self.slopes)

    def weights(self) -> Floats:
        """A row a class, without the bias."""
        return self._weights[:, int(self.bias) :]

    @property
    def biases(self) -> Floats:
        """What is added to the scores of each class."""
        own = self._weights[:, 0] if self.bias else np.zeros(self.n_classes)
        return own + self.shift

    def grow(self, n_features: int) -> None:
        """Features that came later weigh nothing."""
        more = n_features - self.n_features
        if more > 0:
            self._weights = np.pad(self._weights, ((0, 0), (0, more)))
            self.n_features = n_features
            self._lanes = None

    def fitted(self, n_features: int, n_classes: int) -> FrozenClasses:
        """The same for so many features and classes, those to come with a bias of -inf.

        It may have met names of rows after a bad one: their weights are zero.
        """
        self.grow(n_features)
        missing = n_classes - self.n_classes
        weights = np.pad(self.weights()[:, :n_features], ((0, missing), (0, 0)))
        biases = np.pad(self.biases, (0, missing), constant_values=-np.inf)
        return FrozenClasses(weights, biases, False, self.slopes)

    def product(self, matrix: Matrix) -> Floats:
        """The scores of the rows of a matrix, a column a class."""
        return np.asarray(matrix @ self.weights().T) + self.biases

    def scores(self, rows: Rows, n: int) -> Floats:
        """A row a row, a column a class."""
        if np.ndim(self.shift):
            return self.product(matrix_of(rows, n, self.n_features))
        if self._lanes is None:
            self._lanes = self._laid_out()
        if not isinstance(rows, Dense):
            rows = known_only(rows, self.n_features)
        seen = Biased(rows) if self.bias else rows
        return lane_scores(self._lanes, seen, n, self.n_classes, float(self.shift))

    def scoring(self, rows: Rows, out: Floats) -> Call:
        """The machine code that scores `rows` into `out`, and its arguments."""
        if np.ndim(self.shift):
            return scoring_by(self.weights(), self.biases, rows, out)
        return super().scoring(rows, out)

    def effects(self) -> Effects:
        """The weights, a row a class: what 1 of a feature adds to its score."""
        return effects_of_one(self.weights())

    def describe(self) -> str:
        """How many classes, features and weights."""
        return (
            f"{self.n_classes:,} classes, {self.n_features:,} features, "
            f"{int(np.count_nonzero(self.weights())):,} nonzero weights"
        )

    def _laid_out(self) -> Lanes:
        """The weights as the kernel takes them."""
        blocks = blocks_for(self.n_classes)
        lanes = new_lanes(blocks, self._weights.shape[1], statistics=False)
        lanes.weights.reshape(-1, blocks * LANES)[:, : self.n_classes] = self._weights.T
        return lanes


def lane_scores(
    lanes: Lanes,
    seen: SeenRows | Viewed,
    n: int,
    n_classes: int,
    shift: float = 0.0,
    *,
    scaled: bool = False,
) -> Floats:
    """The scores that the first lanes have for `n` rows, as learners see them."""
    out = np.empty((n, n_classes))
    kernel, arguments = lane_scoring(lanes, seen, out, shift, scaled=scaled)
    kernel(*arguments)
    return out


def lane_scoring(
    lanes: Lanes,
    seen: SeenRows | Viewed,
    out: Floats,
    shift: float = 0.0,
    *,
    scaled: bool = False,
) -> Call:
    """What scores rows into `out`; each lane has a scale, or none has."""
    from ..kernels.compiled import entry
    from ..kernels.multiclass import score_classes

    weights = (lanes.weights, lanes.dots, lanes.numbers)
    arguments = (*weights, scaled, float(shift), seen, len(out), out)
    return entry(score_classes, arguments), arguments


def wrong_classes(scores: Floats, targets: Floats) -> Bools:
    """Whether rows with these scores are mistakes; a tie or an unknown class is one."""
    n, known = scores.shape
    if known == 0:
        return np.ones(n, np.bool_)
    labels = targets.astype(np.int64)
    places = np.minimum(labels, known - 1)
    mine, others = scores[np.arange(n), places], scores.copy()
    others[np.arange(n), places] = -np.inf
    return ~((labels < known) & (mine > others.max(axis=1)))
