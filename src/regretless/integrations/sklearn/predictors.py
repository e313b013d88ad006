"""What predicts: weights, or what scores rows by itself and plays on."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ...algorithms.learners.probabilities import NO_PROBABILITIES
from ...parts.state import Floats
from .rows import rows_of

__all__ = ["Linear", "LinearClasses", "LivePanels", "Scorer", "has_probabilities"]


class Linear(NamedTuple):
    """Weights: one number a row, ``X @ weights + intercept``."""

    weights: Floats
    intercept: float

    def scores(self, X: Any) -> Floats:
        """One number a row."""
        return np.asarray(X @ self.weights) + self.intercept


class LinearClasses(NamedTuple):
    """Weights, a row a class; an intercept of -inf where a class has not come."""

    weights: Floats
    intercepts: Floats
    slopes: Any = None  # what makes probabilities of scores

    def scores(self, X: Any) -> Floats:
        """A column a class."""
        return np.asarray(X @ self.weights.T) + self.intercepts

    def one(self, k: int) -> Linear:
        """Class `k` against the rest."""
        return Linear(self.weights[k], float(self.intercepts[k]))

    def difference(self) -> Linear:
        """Of two classes: by how much the second is ahead."""
        shift = float(self.intercepts[1] - self.intercepts[0])
        return Linear(self.weights[1] - self.weights[0], shift)


class Scorer(NamedTuple):
    """A panel or a kernel machine: as it stands, or as it was when it was frozen."""

    whole: Any

    def scores(self, X: Any) -> Floats:
        """The score of the positive class."""
        return self.whole.scores(rows_of(X), X.shape[0])


class OneLivePanel(NamedTuple):
    """One of several panels: that of class number `number`."""

    panels: Any
    number: int

    def scores(self, X: Any) -> Floats:
        """The log-odds of the class."""
        return self.panels.scores(rows_of(X), X.shape[0])[:, self.number]


class LivePanels(NamedTuple):
    """Panels, one for each class that has come: as they stand, or frozen."""

    panels: Any
    places: list[int]
    n_classes: int
    slopes: Any = None  # what makes probabilities of scores

    def scores(self, X: Any) -> Floats:
        """A column a class; -inf where it has not come."""
        out = np.full((X.shape[0], self.n_classes), -np.inf)
        came = self.places[: self.panels.n_classes]
        if came:
            out[:, came] = self.panels.scores(rows_of(X), X.shape[0])
        return out

    def one(self, k: int) -> OneLivePanel:
        """Class `k` against the rest."""
        return OneLivePanel(self.panels, self.places.index(k))


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
