"""Second-order learners of classes, for scikit-learn."""

from __future__ import annotations

from typing import Any, Literal

from ...algorithms.learners import AROW, SecondOrderPerceptron
from .classifier import OnlineClassifier

__all__ = [
    "AROWClassifier",
    "SecondOrderPerceptronClassifier",
]


class AROWClassifier(OnlineClassifier):
    """:class:`~regretless.AROW`: confident about what it has met often.

    Parameters
    ----------
    r : float
        How little a single row is trusted, in the units of x^2.
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
    >>> model = rg.sklearn.AROWClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = AROW

    def __init__(
        self,
        *,
        r: float = 1.0,
        matrix: Literal["auto", "full", "diagonal"] = "auto",
        bias: bool = True,
        passes: int = 1,
        model: str = "last",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.r = r
        self.matrix = matrix
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class SecondOrderPerceptronClassifier(OnlineClassifier):
    """The :class:`~regretless.SecondOrderPerceptron`: on rows that are whitened.

    Parameters
    ----------
    a : float
        What the matrix starts with, in the units of x^2; a large one is the Perceptron.
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
    >>> model = rg.sklearn.SecondOrderPerceptronClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = SecondOrderPerceptron

    def __init__(
        self,
        *,
        a: float = 1.0,
        matrix: Literal["auto", "full", "diagonal"] = "auto",
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.a = a
        self.matrix = matrix
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight
