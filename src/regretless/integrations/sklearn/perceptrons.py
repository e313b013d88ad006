"""The Perceptrons, for scikit-learn."""

from __future__ import annotations

from typing import Any

from ...algorithms.learners import MulticlassPerceptron, Perceptron, PNormPerceptron
from .classifier import OnlineClassifier

__all__ = [
    "MulticlassPerceptronClassifier",
    "PNormPerceptronClassifier",
    "PerceptronClassifier",
]


class PerceptronClassifier(OnlineClassifier):
    """Rosenblatt's :class:`~regretless.Perceptron`: it moves on mistakes only.

    Parameters
    ----------
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
    >>> model = rg.sklearn.PerceptronClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = Perceptron

    def __init__(
        self,
        *,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class PNormPerceptronClassifier(OnlineClassifier):
    """The :class:`~regretless.PNormPerceptron`, between the Perceptron and Winnow.

    Parameters
    ----------
    p : float or None
        At least 2; None stands for max(2, 2 ln d).
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
    >>> model = rg.sklearn.PNormPerceptronClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = PNormPerceptron

    def __init__(
        self,
        *,
        p: float | None = None,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.p = p
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class MulticlassPerceptronClassifier(OnlineClassifier):
    """The :class:`~regretless.MulticlassPerceptron`: a mistake moves two classes.

    The other classifiers learn many classes one versus the rest.

    Parameters
    ----------
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
    class_weight : dict, "balanced" or None
        How much the rows of each class count: see :class:`OnlineClassifier`.

    Examples
    --------
    >>> import regretless as rg
    >>> X, y = [[1, 0], [0, 1], [-1, -1], [2, 0], [0, 2]], ["a", "b", "c", "a", "b"]
    >>> model = rg.sklearn.MulticlassPerceptronClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2], [-2, -1]])
    array(['a', 'b', 'c'], dtype='<U1')
    >>> model.coef_.shape
    (3, 2)
    """

    learner_class = MulticlassPerceptron

    def __init__(
        self,
        *,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.class_weight = class_weight
