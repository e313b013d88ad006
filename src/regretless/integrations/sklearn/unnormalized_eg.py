"""Unnormalized exponentiated gradient, for scikit-learn."""

from __future__ import annotations

from typing import Any

from ...algorithms.learners import UnnormalizedEG
from .classifier import OnlineClassifier
from .regressor import OnlineRegressor

__all__ = [
    "UnnormalizedEGClassifier",
    "UnnormalizedEGRegressor",
]


class UnnormalizedEGClassifier(OnlineClassifier):
    """:class:`~regretless.UnnormalizedEG`, on any loss of classes.

    Weights are never negative: give each column a twin with the opposite sign, or take
    :class:`EGClassifier`, where a column may count either way.

    Parameters
    ----------
    loss : str or a loss
        "hinge", "squared_hinge", "logistic", "exponential", or a loss of regretless,
        your own too. With "logistic" there is ``predict_proba``.
    step : float or a step
        A number is a constant step, which is what the theorem is about.
    bias : bool
        Learn an intercept too, which is never negative either.
    passes : int
        How often ``fit`` goes over the rows, always in their order.
    model : "last", "mean", "last-half" or "validated"
        Which hypothesis predicts: see :class:`OnlineClassifier`.
    delta : float
        The probability that ``certificate_`` is wrong.
    seal : float, str or None
        The share of the rows to certify by: see :class:`OnlineClassifier`.
    level : float, str or None
        Of prediction sets, such as 0.95 or "95%": see :meth:`predict_set`.
    class_weight : dict, "balanced" or None
        How much the rows of each class count: see :class:`OnlineClassifier`.

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> y = X @ [2.0, 0.0, 1.0] > 0
    >>> model = rg.sklearn.UnnormalizedEGClassifier().fit(X, y)
    >>> model.score(X, y) > 0.9, bool((model.coef_ > 0).all())
    (True, True)
    """

    learner_class = UnnormalizedEG
    poor_score = True  # no weight can be negative

    def __init__(
        self,
        *,
        loss: Any = "hinge",
        step: Any = 0.1,
        bias: bool = True,
        passes: int = 1,
        model: str = "mean",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.loss = loss
        self.step = step
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class UnnormalizedEGRegressor(OnlineRegressor):
    """:class:`~regretless.UnnormalizedEG`, on any loss of numbers.

    Weights are never negative: give each column a twin with the opposite sign, or take
    :class:`EGRegressor`, where a column may count either way.

    Parameters
    ----------
    loss : str or a loss
        "absolute", "squared", "epsilon_insensitive", "pinball" (the median), or a loss
        of regretless, your own too. Weights grow by the exponential of the gradient:
        "squared" needs labels and entries near one, or a small step.
    step : float or a step
        A number is a constant step, which is what the theorem is about.
    bias : bool
        Learn an intercept too, which is never negative either.
    passes : int
        How often ``fit`` goes over the rows, always in their order.
    model : "last", "mean" or "last-half"
        Which hypothesis predicts: see :class:`OnlineRegressor`.
    level : float, str or None
        Of prediction intervals, such as 0.9 or "90%": see :meth:`predict_interval`.

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> X = np.random.default_rng(0).normal(size=(1000, 3))
    >>> y = X @ [2.0, 0.0, 1.0] + 0.5
    >>> model = rg.sklearn.UnnormalizedEGRegressor().fit(X, y)
    >>> round(model.score(X, y), 1)
    1.0
    """

    learner_class = UnnormalizedEG
    poor_score = True  # no weight can be negative

    def __init__(
        self,
        *,
        loss: Any = "absolute",
        step: Any = 0.05,
        bias: bool = True,
        passes: int = 1,
        model: str = "mean",
        level: float | str | None = None,
    ) -> None:
        self.loss = loss
        self.step = step
        self.bias = bias
        self.passes = passes
        self.model = model
        self.level = level
