"""What predicts: a hypothesis, or a player as it stands, and where its classes are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ...algorithms.learners.probabilities import NO_PROBABILITIES
from ...engine.hypotheses.linear import LinearHypothesis
from ...models.rows_to_predict import RowMatrix, rows_of
from ...parts.state import Floats


class Predictor(NamedTuple):
    """What predicts.

    Attributes
    ----------
    scorer : Player or Hypothesis
        What scores rows. A player does as it stands, without a copy.
    placed : callable
        From numbers, the last axis of which is classes as they came, to those in order;
        the other argument is the number of a class that has not come.
    """

    scorer: Any
    placed: Callable[[Floats, float], Floats]

    def scores(self, matrix: RowMatrix) -> Floats:
        """One number a row; but of two classes a column a class.

        A class that has not come has -inf.
        """
        product = getattr(self.scorer, "product", None)  # a player has none
        found = None if product is None else product(matrix)
        if found is None:
            found = self.scorer.scores(*rows_of(matrix))
        return self.placed(found, -np.inf)

    @property
    def weights(self) -> Floats:
        """What ``scores`` multiplies: a row, or a row a class."""
        return self.placed(self._linear.weights().T, 0.0).T

    @property
    def shifts(self) -> Floats:
        """What ``scores`` adds, one or one a class."""
        found = self._linear
        if found.many:
            return np.atleast_1d(self.placed(found.biases, -np.inf))
        return np.array([found.bias - found.threshold])

    def as_one(self) -> Predictor:
        """Of weights of many classes, which are two: one vector, to the same bits."""
        one = LinearHypothesis(self.weights, float(self.shifts[0]))
        return Predictor(one, _as_it_is)

    @property
    def linear(self) -> bool:
        """Whether it is weights: what 1 of a feature adds is the same in all rows."""
        return getattr(self.scorer, "effect_of", "") == "1"

    @property
    def _linear(self) -> Any:
        if not self.linear:
            raise AttributeError("what it learns is not linear: it has no coef_")
        return self.scorer


def _as_it_is(found: Floats, fill: float) -> Floats:
    return found


def has_probabilities(estimator: Any) -> bool:
    """Whether scores are log-odds, or are those of one-versus-rest."""
    session, learner = getattr(estimator, "_session", None), None
    if session is not None and estimator.classes_.size > 2:
        learner = session.learner
    else:
        with suppress(ValueError):  # which fit will raise
            learner = estimator._learner()
    if learner is not None and learner.probabilistic:
        return True
    raise AttributeError(NO_PROBABILITIES.format(type(estimator).__name__))
