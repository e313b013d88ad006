"""The passive-aggressive learners, for scikit-learn, which is dropping its own."""

from __future__ import annotations

from typing import Any

from ...algorithms.learners import PassiveAggressive
from .classifier import OnlineClassifier
from .regressor import OnlineRegressor

__all__ = [
    "PassiveAggressiveClassifier",
    "PassiveAggressiveRegressor",
]


class PassiveAggressiveClassifier(OnlineClassifier):
    """:class:`~regretless.PassiveAggressive`: PA, PA-I (with C) and PA-II (squared).

    Parameters
    ----------
    C : float or None
        How aggressive: the largest step. None stands for no limit, which trusts every
        label.
    squared : bool
        PA-II: a soft limit in place of a hard one.
    bias : bool
        Learn an intercept too.
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
    >>> import regretless as rg
    >>> X, y = [[1, 0], [0, 1], [2, 1], [1, 3]], ["ham", "spam", "ham", "spam"]
    >>> model = rg.sklearn.PassiveAggressiveClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = PassiveAggressive

    def __init__(
        self,
        *,
        C: float | None = 1.0,
        squared: bool = False,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.C = C
        self.squared = squared
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class PassiveAggressiveRegressor(OnlineRegressor):
    """:class:`~regretless.PassiveAggressive`, for numbers.

    Parameters
    ----------
    C : float or None
        How aggressive: the largest step. None stands for no limit, which trusts every
        label.
    epsilon : float
        A prediction within epsilon of the truth costs nothing.
    bias : bool
        Learn an intercept too.
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
    >>> y = X @ [0.5, 0.0, -0.25] + 0.1
    >>> model = rg.sklearn.PassiveAggressiveRegressor().fit(X, y)
    >>> round(model.score(X, y), 1)
    1.0
    """

    learner_class = PassiveAggressive

    def __init__(
        self,
        *,
        C: float | None = 1.0,
        epsilon: float = 0.1,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        level: float | str | None = None,
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.bias = bias
        self.passes = passes
        self.model = model
        self.level = level
