"""The online Newton step, for scikit-learn."""

from __future__ import annotations

from typing import Any, Literal

from ...algorithms.learners import ONS
from .classifier import OnlineClassifier
from .regressor import OnlineRegressor

__all__ = [
    "ONSClassifier",
    "ONSRegressor",
]


class ONSClassifier(OnlineClassifier):
    """The online Newton step, :class:`~regretless.ONS`, on the logistic loss.

    Parameters
    ----------
    loss : str or a loss
        "logistic", with which there is ``predict_proba``; another one needs `gamma`.
    reach : float
        While it learns, scores are kept within [-reach, reach].
    eps : float or None
        What the matrix starts with; None stands for 1/(gamma reach)^2.
    gamma : float or None
        How much the loss bends; None stands for the one that is proven.
    matrix : "auto", "full" or "diagonal"
        "auto" keeps the full matrix up to 2,000 columns, and else its diagonal.
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
    >>> model = rg.sklearn.ONSClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = ONS

    def __init__(  # noqa: PLR0913 - those of the learner, and our own
        self,
        *,
        loss: Any = "logistic",
        reach: float = 1.0,
        eps: float | None = None,
        gamma: float | None = None,
        matrix: Literal["auto", "full", "diagonal"] = "auto",
        bias: bool = True,
        passes: int = 1,
        model: str = "last",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.loss = loss
        self.reach = reach
        self.eps = eps
        self.gamma = gamma
        self.matrix = matrix
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class ONSRegressor(OnlineRegressor):
    """The online Newton step, :class:`~regretless.ONS`, on the squared loss.

    Parameters
    ----------
    loss : str or a loss
        "squared"; another one needs `gamma`.
    reach : float
        While it learns, predictions are kept within [-reach, reach]: where numbers y
        are larger, say so.
    eps : float or None
        What the matrix starts with; None stands for 1/(gamma reach)^2.
    gamma : float or None
        How much the loss bends; None stands for the one that is proven.
    matrix : "auto", "full" or "diagonal"
        "auto" keeps the full matrix up to 2,000 columns, and else its diagonal.
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
    >>> model = rg.sklearn.ONSRegressor(reach=2.0).fit(X, y)
    >>> round(model.score(X, y), 1)
    1.0
    """

    learner_class = ONS

    def __init__(
        self,
        *,
        loss: Any = "squared",
        reach: float = 1.0,
        eps: float | None = None,
        gamma: float | None = None,
        matrix: Literal["auto", "full", "diagonal"] = "auto",
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        level: float | str | None = None,
    ) -> None:
        self.loss = loss
        self.reach = reach
        self.eps = eps
        self.gamma = gamma
        self.matrix = matrix
        self.bias = bias
        self.passes = passes
        self.model = model
        self.level = level
