"""Pegasos, for scikit-learn."""

from __future__ import annotations

from typing import Any

from ...algorithms.learners import Pegasos
from .classifier import OnlineClassifier

__all__ = [
    "PegasosClassifier",
]


class PegasosClassifier(OnlineClassifier):
    """:class:`~regretless.Pegasos`: the support vector machine, one row at a time.

    Parameters
    ----------
    strength : float
        The sigma of the penalty (sigma/2)|w|^2.
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
    >>> model = rg.sklearn.PegasosClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = Pegasos

    def __init__(
        self,
        *,
        strength: float = 1e-3,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.strength = strength
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight
