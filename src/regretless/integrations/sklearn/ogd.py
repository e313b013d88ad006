"""Online gradient descent, for scikit-learn."""

from __future__ import annotations

from typing import Any

from ...algorithms.learners import OGD
from .classifier import OnlineClassifier
from .regressor import OnlineRegressor

__all__ = [
    "OGDClassifier",
    "OGDRegressor",
]


class OGDClassifier(OnlineClassifier):
    """Online gradient descent, :class:`~regretless.OGD`, on any loss of classes.

    Parameters
    ----------
    loss : str or a loss
        "hinge", "squared_hinge", "logistic", "exponential", or a loss of regretless,
        your own too. With "logistic" there is ``predict_proba``.
    step : float, a step, or "theorem"
        A number is a constant step; "theorem" is the step of the regret bound, from
        what is declared below.
    radius : float or None
        Project onto the ball of this radius.
    domain : a domain or None
        Another set to project onto.
    max_norm, horizon : float and int, or None
        What step="theorem" needs: no row is longer, and so many rounds.
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
    >>> X, y = [[1, 0], [0, 1], [2, 1], [1, 3]] * 10, ["ham", "spam"] * 20
    >>> model = rg.sklearn.OGDClassifier(loss="logistic").fit(X, y)
    >>> model.predict_proba([[3, 1], [0, 2]]).round(2)
    array([[0.99, 0.01],
           [0.03, 0.97]])
    """

    learner_class = OGD

    def __init__(  # noqa: PLR0913 - those of the learner, and our own
        self,
        *,
        loss: Any = "hinge",
        step: Any = 0.5,
        radius: float | None = None,
        domain: Any = None,
        max_norm: float | None = None,
        horizon: int | None = None,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.loss = loss
        self.step = step
        self.radius = radius
        self.domain = domain
        self.max_norm = max_norm
        self.horizon = horizon
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class OGDRegressor(OnlineRegressor):
    """Online gradient descent, :class:`~regretless.OGD`, on any loss of numbers.

    Parameters
    ----------
    loss : str or a loss
        "squared", "absolute", "epsilon_insensitive", "pinball" (the median), or a loss
        of regretless, your own too.
    step : float, a step, "theorem" or None
        A number is a constant step; None stands for ``rg.Adaptive(1.0)``, which no
        scale of the data can blow up; "theorem" is the step of the regret bound.
    radius : float or None
        Project onto the ball of this radius.
    domain : a domain or None
        Another set to project onto.
    max_norm, horizon : float and int, or None
        What step="theorem" needs: no row is longer, and so many rounds.
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
    >>> model = rg.sklearn.OGDRegressor().fit(X, y)
    >>> round(model.score(X, y), 1)
    1.0
    """

    learner_class = OGD

    def __init__(
        self,
        *,
        loss: Any = "squared",
        step: Any = None,
        radius: float | None = None,
        domain: Any = None,
        max_norm: float | None = None,
        horizon: int | None = None,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        level: float | str | None = None,
    ) -> None:
        self.loss = loss
        self.step = step
        self.radius = radius
        self.domain = domain
        self.max_norm = max_norm
        self.horizon = horizon
        self.bias = bias
        self.passes = passes
        self.model = model
        self.level = level
