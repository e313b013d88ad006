"""The regression panel, for scikit-learn: the regressor to begin with."""

from __future__ import annotations

from typing import ClassVar

from ...algorithms.learners import RegressionPanel
from .regressor import OnlineRegressor

__all__ = [
    "RegressionPanelRegressor",
]


class RegressionPanelRegressor(OnlineRegressor):
    """The :class:`~regretless.RegressionPanel`: five members, a stack, no tuning.

    Without its curves and its forest, what it says is at every moment a linear function
    of a row, ``coef_``.

    Parameters
    ----------
    forest : bool
        Whether there are curves and a forest on narrow tables.
    passes : int
        How often ``fit`` goes over the rows, always in their order.
    model : "last"
        What predicts: the panel as it stands.
    level : float, str or None
        Of prediction intervals, such as 0.9 or "90%": see :meth:`predict_interval`.

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> X = np.random.default_rng(0).normal(size=(1000, 3)) * [1, 1e3, 1e6]
    >>> y = X @ [0.5, 0.0, -1e-6] + 0.1
    >>> model = rg.sklearn.RegressionPanelRegressor().fit(X, y)
    >>> model.score(X, y) > 0.99
    True
    """

    learner_class = RegressionPanel
    models: ClassVar[tuple[str, ...]] = ("last",)

    def __init__(
        self,
        *,
        forest: bool = True,
        passes: int = 1,
        model: str = "last",
        level: float | str | None = None,
    ) -> None:
        self.forest = forest
        self.passes = passes
        self.model = model
        self.level = level
