"""The multiclass Perceptron in the middle of a game."""

from __future__ import annotations

import math

import numpy as np

from ....parts.documents import Document
from ....parts.multiclass import LANES, Lanes, blocks_for, new_lanes, on_a_line, widened
from ....parts.rows import Biased, Rows, SeenRows
from ....parts.state import Floats
from ...hypotheses.classes import FrozenClasses, lane_scores, lane_scoring
from ...memory import refuse_size
from ...storage import SIZES, checked_array, checked_float, checked_int
from ..row_player import Call, Mark
from .class_player import ClassPiece, ClassPlayer


class ClassPerceptronPlayer(ClassPlayer):
    """A weight vector a class, of which two move on a mistake.

    Parameters
    ----------
    n_features : int
        Features that have appeared.
    bias : bool
        Whether every row has one more feature, first, with value 1.
    """

    fixed = False
    advice = ""

    def __init__(self, n_features: int, *, bias: bool = False) -> None:
        super().__init__()
        self.bias = bool(bias)
        self._classes = 0
        self._features = n_features
        self._lanes: Lanes = new_lanes(1, n_features + self.bias, statistics=False)

    @property
    def n_classes(self) -> int:
        """How many classes have come."""
        return self._classes

    @property
    def n_features(self) -> int:
        """How many features have come."""
        return self._features

    @n_features.setter
    def n_features(self, known: int) -> None:
        self._features = known

    @property
    def allowed(self) -> tuple[float, float]:
        """Rows may have any finite entry."""
        return -math.inf, math.inf

    def admit(self, n_classes: int) -> None:
        """Let there be so many classes, of weight zero."""
        lanes = self._lanes.scores.size
        if n_classes > lanes:
            blocks = max(blocks_for(n_classes), 2 * lanes // LANES)
            size = self._lanes.weights.nbytes / lanes * blocks * LANES
            refuse_size(size, n_classes, self._features)
            self._lanes = widened(self._lanes, 0, blocks, statistics=False)
        self._classes = n_classes

    def mark(self) -> Mark:
        """What :meth:`return_to` undoes growth to, before anything is learned."""
        return self._features, self._classes

    def return_to(self, mark: Mark) -> None:
        """Undo growth of features and classes; the room stays."""
        self._features, self._classes = mark

    def playing(self, piece: ClassPiece) -> list[Call]:
        """What plays it."""
        from ...kernels.compiled import entry
        from ...kernels.multiclass import play_class_perceptron

        arguments = (
            self._lanes,
            self.statistics,
            self.confusion,
            piece.trace,
            self._seen(piece.rows),
            piece.targets,
            piece.importance,
            piece.known,
        )
        return [(entry(play_class_perceptron, arguments), arguments)]

    def asking(self, rows: Rows, out: Floats) -> list[Call]:
        """What scores one row."""
        return [lane_scoring(self._lanes, self._seen(rows), out)]

    def held(self) -> tuple[object, ...]:
        """The lanes."""
        return self._classes, self._lanes

    def scores(self, rows: Rows, n: int) -> Floats:
        """What would be said of `n` rows now, a column a class, learning nothing."""
        return lane_scores(self._lanes, self._seen(rows), n, self._classes)

    def _seen(self, rows: Rows) -> SeenRows:
        return Biased(rows) if self.bias else rows

    def grow(self, n_features: int) -> None:
        """Make room for more features; the arrays double."""
        if n_features <= self._features:
            return
        size, lanes = n_features + self.bias, self._lanes.scores.size
        if size * lanes > self._lanes.weights.size:
            room = max(size, 2 * self._lanes.weights.size // lanes)
            refuse_size(8.0 * room * lanes, self._classes, n_features)
            self._lanes = widened(self._lanes, room, lanes // LANES, statistics=False)
        self._features = n_features

    def make_tile(self, longest: int) -> None:
        """There is nothing to be made."""

    def all_weights(self) -> Floats:
        """A row a class, the bias first where there is one."""
        return self._table(self._lanes.weights)

    def hypothesis(self) -> FrozenClasses:
        """What predicts now, to be kept."""
        return self.averaged(self.all_weights())

    def averaged(self, weights: Floats) -> FrozenClasses:
        """A mean of hypotheses as a hypothesis."""
        return FrozenClasses(weights, 0.0, self.bias)

    def keep_mean(self) -> None:
        """From now on, keep what the sum of all hypotheses needs.

        A step of round t is in the hypotheses t + 1 to T, so with D_t the step they sum
        to T W - sum_t t D_t.
        """
        self.keeps_mean = True
        self._lanes = self._lanes._replace(means=on_a_line(self._lanes.weights.size))

    def summed(self) -> Floats:
        """The sum of all hypotheses, a row a class, and a last one for the rest: 0."""
        rounds = float(self._lanes.sums[0, 0])
        total = rounds * self.all_weights() - self._table(self._lanes.means)
        return np.pad(total, ((0, 1), (0, 0)))

    def unscaled(self, own: Floats) -> Floats:
        """Rows are seen as they come."""
        return own[: self._classes]

    def state_dict(self) -> Document:
        """The weights, and what a mean needs."""
        means = self._lanes.means
        kept = self._table(means) if means.size else np.zeros((self._classes, 0))
        rounds = float(self._lanes.sums[0, 0])
        own = {"weights": self.all_weights(), "means": kept, "steps": rounds}
        return super().state_dict() | own

    def prepare_state(self, stored: Document, /) -> None:
        """Restore from `stored`; raise ValueError if it is invalid."""
        weights = checked_array(stored, "weights", shape=(None, None))
        known = checked_int(stored, "n_classes", 0, len(weights))
        features = checked_int(stored, "n_features", 0, weights.shape[1])
        if weights.shape != (known, features + self.bias):
            raise ValueError(f"{weights.shape} weights cannot be those of the game")
        keeps = stored["keeps_mean"] is True
        width = weights.shape[1] if keeps else 0
        means = checked_array(stored, "means", shape=(known, width))
        self._classes, self._features = known, features
        lanes = new_lanes(blocks_for(known), features + self.bias, statistics=False)
        lanes.weights.reshape(-1, lanes.scores.size)[:, :known] = weights.T
        self.keeps_mean = keeps
        if keeps:
            lanes = lanes._replace(means=on_a_line(lanes.weights.size))
            lanes.means.reshape(-1, lanes.scores.size)[:, :known] = means.T
        lanes.sums[0, 0] = checked_float(stored, "steps", SIZES)
        self._lanes = lanes

    def _table(self, lanes: Floats) -> Floats:
        """Weights in lanes as a row a class."""
        size = self._features + self.bias
        table = lanes.reshape(-1, self._lanes.scores.size)
        return np.ascontiguousarray(table[:size, : self._classes].T)
