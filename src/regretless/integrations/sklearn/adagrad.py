"""AdaGrad, for scikit-learn."""

from __future__ import annotations

from typing import Any

from ...algorithms.learners import AdaGrad
from .classifier import OnlineClassifier
from .regressor import OnlineRegressor

__all__ = [
    "AdaGradClassifier",
    "AdaGradRegressor",
]


class AdaGradClassifier(OnlineClassifier):
    """Diagonal :class:`~regretless.AdaGrad`: every column has a step of its own.

    Parameters
    ----------
    loss : str or a loss
        "hinge", "squared_hinge", "logistic", "exponential", or a loss of regretless,
        your own too. With "logistic" there is ``predict_proba``.
    eta : float or None
        The step; None stands for the theorem's in a box, else for 1.
    radius : float or None
        Keep every weight within [-radius, radius].
    domain : Box or None
        Another box.
    implicit : bool
        Implicit updates, which never overshoot.
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
    >>> model = rg.sklearn.AdaGradClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = AdaGrad

    def __init__(  # noqa: PLR0913 - those of the learner, and our own
        self,
        *,
        loss: Any = "hinge",
        eta: float | None = None,
        radius: float | None = None,
        domain: Any = None,
        implicit: bool = False,
        scale: str | None = None,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.loss = loss
        self.eta = eta
        self.radius = radius
        self.domain = domain
        self.implicit = implicit
        self.scale = scale
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class AdaGradRegressor(OnlineRegressor):
    """Diagonal :class:`~regretless.AdaGrad` on any loss of numbers.

    Parameters
    ----------
    loss : str or a loss
        "squared", "absolute", "epsilon_insensitive", "pinball" (the median), or a loss
        of regretless, your own too.
    eta : float or None
        The step; None stands for the theorem's in a box, else for 1.
    radius : float or None
        Keep every weight within [-radius, radius].
    domain : Box or None
        Another box.
    implicit : bool
        Implicit updates, which never overshoot.
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
    >>> model = rg.sklearn.AdaGradRegressor().fit(X, y)
    >>> round(model.score(X, y), 1)
    1.0
    """

    learner_class = AdaGrad

    def __init__(
        self,
        *,
        loss: Any = "squared",
        eta: float | None = None,
        radius: float | None = None,
        domain: Any = None,
        implicit: bool = False,
        scale: str | None = None,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        level: float | str | None = None,
    ) -> None:
        self.loss = loss
        self.eta = eta
        self.radius = radius
        self.domain = domain
        self.implicit = implicit
        self.scale = scale
        self.bias = bias
        self.passes = passes
        self.model = model
        self.level = level
