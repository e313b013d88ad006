"""The Winnows, for scikit-learn: ``domain="allow"``, any column is learned from.

Their theorems ask for entries in [0, 1] or [-1, 1]; ``theorems`` says where they do not
apply.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ...algorithms.learners import BalancedWinnow, NormalizedWinnow, Winnow
from .classifier import OnlineClassifier

__all__ = [
    "BalancedWinnowClassifier",
    "NormalizedWinnowClassifier",
    "WinnowClassifier",
]


class WinnowClassifier(OnlineClassifier):
    """Littlestone's :class:`~regretless.Winnow`, whose weights are all positive.

    Parameters
    ----------
    eta : float
        The step.
    threshold : float
        What w.x is compared with.
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
    >>> words = [[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]] * 5
    >>> spam = [True, False, True, False] * 5  # wherever the first word is
    >>> model = rg.sklearn.WinnowClassifier().fit(words, spam)
    >>> model.predict([[1, 1, 1], [0, 1, 1]])
    array([ True, False])
    """

    learner_class = Winnow
    always: ClassVar[dict[str, Any]] = {"domain": "allow"}
    poor_score = True  # no weight can be negative

    def __init__(
        self,
        *,
        eta: float = 0.25,
        threshold: float = 0.5,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.eta = eta
        self.threshold = threshold
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class NormalizedWinnowClassifier(OnlineClassifier):
    """Schapire's :class:`~regretless.NormalizedWinnow`: a vote, on the simplex.

    Parameters
    ----------
    eta : float
        The step.
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
    >>> votes = [[1, 1, -1], [-1, 1, 1], [1, -1, 1], [-1, -1, -1]] * 5
    >>> truth = [1, -1, 1, -1] * 5  # as the first voter says
    >>> model = rg.sklearn.NormalizedWinnowClassifier(eta=0.5).fit(votes, truth)
    >>> model.predict([[1, -1, -1], [-1, 1, 1]])
    array([ 1, -1])
    """

    learner_class = NormalizedWinnow
    always: ClassVar[dict[str, Any]] = {"domain": "allow"}
    poor_score = True  # no weight can be negative

    def __init__(
        self,
        *,
        eta: float = 0.1,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.eta = eta
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight


class BalancedWinnowClassifier(OnlineClassifier):
    """The :class:`~regretless.BalancedWinnow`, for weights of either sign.

    Parameters
    ----------
    eta : float
        The step.
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
    >>> model = rg.sklearn.BalancedWinnowClassifier().fit(X, y)
    >>> model.predict([[3, 1], [0, 2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    learner_class = BalancedWinnow
    always: ClassVar[dict[str, Any]] = {"domain": "allow"}

    def __init__(
        self,
        *,
        eta: float = 0.1,
        bias: bool = True,
        passes: int = 1,
        model: str = "last-half",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.eta = eta
        self.bias = bias
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight
