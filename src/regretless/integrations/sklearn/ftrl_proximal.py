"""FTRL-Proximal, for scikit-learn."""

from __future__ import annotations

from typing import Any

from ...algorithms.learners import FTRLProximal
from .classifier import OnlineClassifier
from .regressor import OnlineRegressor

__all__ = [
    "FTRLProximalClassifier",
    "FTRLProximalRegressor",
]


class FTRLProximalClassifier(OnlineClassifier):
    """:class:`~regretless.FTRLProximal`: with l1, weights that are exactly zero.

    Parameters
    ----------
    alpha : float
        The step; about the size of the weights to be learned.
    beta : float
        Holds the first steps back.
    l1, l2 : float
        The regularizer l1|w|_1 + (l2/2)|w|^2, in all and not in every round.
    loss : str or a loss
        "hinge", "squared_hinge", "logistic", "exponential", or a loss of regretless,
        your own too. With "logistic" there is ``predict_proba``.
    radius : float or None
        Keep every weight within [-radius, radius].
    scale : "rms", "max" or None
        Divide every entry by the running root mean square, or the running maximum, of
        its column, so that units do not matter.
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
    >>> model = rg.sklearn.FTRLProximalClassifier(alpha=1.0).fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = FTRLProximal

    def __init__(  # noqa: PLR0913 - as many as the learner has
        self,
        *,
        alpha: float = 0.1,
        beta: float = 1.0,
        l1: float = 0.0,
        l2: float = 0.0,
        loss: Any = "logistic",
        radius: float | None = None,
        scale: str | None = None,
        bias: bool = True,
        passes: int = 1,
        model: str = "last",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.l1 = l1
        self.l2 = l2
        self.loss = loss
        self.radius = radius
        self.scale = scale
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class FTRLProximalRegressor(OnlineRegressor):
    """:class:`~regretless.FTRLProximal` on any loss of numbers.

    Parameters
    ----------
    alpha : float
        The step; about the size of the weights to be learned.
    beta : float
        Holds the first steps back.
    l1, l2 : float
        The regularizer l1|w|_1 + (l2/2)|w|^2, in all and not in every round.
    loss : str or a loss
        "squared", "absolute", "epsilon_insensitive", "pinball" (the median), or a loss
        of regretless, your own too.
    radius : float or None
        Keep every weight within [-radius, radius].
    scale : "rms", "max" or None
        Divide every entry by the running root mean square, or the running maximum, of
        its column, so that units do not matter.
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
    >>> model = rg.sklearn.FTRLProximalRegressor().fit(X, y)
    >>> round(model.score(X, y), 1)
    1.0
    """

    learner_class = FTRLProximal
    # scikit-learn's check of the score sets alpha=0.01: a penalty's name elsewhere.
    poor_score = True

    def __init__(  # noqa: PLR0913 - those of the learner
        self,
        *,
        alpha: float = 1.0,
        beta: float = 1.0,
        l1: float = 0.0,
        l2: float = 0.0,
        loss: Any = "squared",
        radius: float | None = None,
        scale: str | None = None,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        level: float | str | None = None,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.l1 = l1
        self.l2 = l2
        self.loss = loss
        self.radius = radius
        self.scale = scale
        self.bias = bias
        self.passes = passes
        self.model = model
        self.level = level
