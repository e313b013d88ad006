"""Vovk, Azoury and Warmuth's forecaster, for scikit-learn."""

from __future__ import annotations

from typing import Literal

from ...algorithms.learners import VAW
from .regressor import OnlineRegressor

__all__ = [
    "VAWRegressor",
]


class VAWRegressor(OnlineRegressor):
    """The :class:`~regretless.VAW` forecaster: ridge regression, one row at a time.

    After any number of rows ``coef_`` is that of ridge regression on all of them, in
    whatever order they came. The theorem, and ``ledger_``, are about what it said on
    the way, when each row had entered its matrix first.

    Parameters
    ----------
    strength : float
        The ridge, in the units of x^2. It holds the intercept back like any weight.
    scale : "rms", "max" or None
        Divide every entry by the running root mean square, or the running maximum, of
        its column, so that units do not matter.
    matrix : "auto", "full" or "diagonal"
        "auto" keeps the full matrix up to 2,000 columns, and else its diagonal, which
        is not ridge regression.
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
    >>> y = X @ [0.5, 1.0, -0.25] + 0.1
    >>> model = rg.sklearn.VAWRegressor().fit(X, y)
    >>> model.coef_.round(2), model.intercept_.round(2)
    (array([ 0.5 ,  1.  , -0.25]), array([0.1]))
    """

    learner_class = VAW

    def __init__(
        self,
        *,
        strength: float = 1.0,
        scale: str | None = None,
        matrix: Literal["auto", "full", "diagonal"] = "auto",
        bias: bool = True,
        passes: int = 1,
        model: str = "last",
        level: float | str | None = None,
    ) -> None:
        self.strength = strength
        self.scale = scale
        self.matrix = matrix
        self.bias = bias
        self.passes = passes
        self.model = model
        self.level = level
