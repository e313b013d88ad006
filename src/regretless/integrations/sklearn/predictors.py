"""What predicts: weights, or what scores rows by itself and plays on."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from ...algorithms.learners.probabilities import NO_PROBABILITIES
from ...data.encoding.sparse import Matrix
from ...engine.players.player import Hypothesis, Player
from ...parts.rows import Rows
from ...parts.state import Floats
from .rows import rows_of

__all__ = [
    "Linear",
    "LinearClasses",
    "LivePanels",
    "Predictor",
    "Scorer",
    "has_probabilities",
]


class ScoresClasses(Protocol):
    """A player, or a hypothesis, of many classes: a column a class."""

    def scores(self, rows: Rows, n: int) -> Floats:
        """The scores of `n` rows."""
        ...

    @property
    def n_classes(self) -> int:
        """How many have come."""
        ...


class Linear(NamedTuple):
    """Weights: one number a row, ``X @ weights + intercept``."""

    weights: Floats
    intercept: float

    @property
    def shifts(self) -> Floats:
        """The intercept, as scikit-learn has it."""
        return np.array([self.intercept])

    def scores(self, X: Matrix) -> Floats:
        """One number a row."""
        return np.asarray(X @ self.weights) + self.intercept


class LinearClasses(NamedTuple):
    """Weights, a row a class; an intercept of -inf where a class has not come."""

    weights: Floats
    intercepts: Floats
    slopes: Floats | None = None  # what makes probabilities of scores

    def scores(self, X: Matrix) -> Floats:
        """A column a class."""
        return np.asarray(X @ self.weights.T) + self.intercepts

    @property
    def shifts(self) -> Floats:
        """The intercepts, as scikit-learn has them."""
        return self.intercepts

    def one(self, k: int) -> Linear:
        """Class `k` against the rest."""
        return Linear(self.weights[k], float(self.intercepts[k]))

    def difference(self) -> Linear:
        """Of two classes: by how much the second is ahead."""
        shift = float(self.intercepts[1] - self.intercepts[0])
        return Linear(self.weights[1] - self.weights[0], shift)


class Scorer(NamedTuple):
    """A panel or a kernel machine: as it stands, or as it was when it was frozen."""

    whole: Player | Hypothesis

    def scores(self, X: Matrix) -> Floats:
        """The score of the positive class."""
        return self.whole.scores(rows_of(X), X.shape[0])


class OneLivePanel(NamedTuple):
    """One of several panels: that of class number `number`."""

    panels: ScoresClasses
    number: int

    def scores(self, X: Matrix) -> Floats:
        """The log-odds of the class."""
        return self.panels.scores(rows_of(X), X.shape[0])[:, self.number]


class LivePanels(NamedTuple):
    """Panels, one for each class that has come: as they stand, or frozen."""

    panels: ScoresClasses
    places: list[int]
    n_classes: int
    slopes: Floats | None = None  # what makes probabilities of scores

    def scores(self, X: Matrix) -> Floats:
        """A column a class; -inf where it has not come."""
        out = np.full((X.shape[0], self.n_classes), -np.inf)
        came = self.places[: self.panels.n_classes]
        if came:
            out[:, came] = self.panels.scores(rows_of(X), X.shape[0])
        return out

    def one(self, k: int) -> OneLivePanel:
        """Class `k` against the rest."""
        return OneLivePanel(self.panels, self.places.index(k))


Predictor: TypeAlias = Linear | LinearClasses | Scorer | OneLivePanel | LivePanels


def has_probabilities(estimator: Any) -> bool:
    """Whether scores are log-odds, or are those of one-versus-rest."""
    course, learner = getattr(estimator, "_course", None), None
    if course is not None and estimator.classes_.size > 2:
        learner = course.learner
    else:
        with suppress(ValueError):  # which fit will raise
            learner = estimator._learner()
    if learner is not None and learner.probabilistic:
        return True
    raise AttributeError(NO_PROBABILITIES.format(type(estimator).__name__))
