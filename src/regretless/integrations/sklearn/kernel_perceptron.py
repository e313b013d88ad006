"""The kernel Perceptron, for scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar

from ...algorithms.learners import KernelPerceptron
from .classifier import OnlineClassifier

__all__ = [
    "KernelPerceptronClassifier",
]


class KernelPerceptronClassifier(OnlineClassifier):
    """The :class:`~regretless.KernelPerceptron`: it remembers the rows it erred on.

    Of two classes. For more of them take scikit-learn's ``OneVsRestClassifier``.

    Parameters
    ----------
    kernel : str or a kernel
        "rbf", "polynomial", "linear", or a kernel of regretless, your own too:
        ``rg.RBF(0.5)``, ``rg.Polynomial(3)``. There is no intercept: a kernel has its
        own (the `c` of a polynomial).
    budget : int or None
        How many rows to remember at most; None: all, so that a prediction takes ever
        longer.
    passes : int
        How often ``fit`` goes over the rows, always in their order.
    model : "last" or "validated"
        Which hypothesis predicts: see :class:`OnlineClassifier`.
    delta : float
        The probability that ``certificate_`` is wrong.
    seal : float, str or None
        The share of the rows to certify by: see :class:`OnlineClassifier`.
    class_weight : dict, "balanced" or None
        How much the rows of each class count: see :class:`OnlineClassifier`.

    Examples
    --------
    No line separates the corners of a square, taken crosswise:

    >>> import regretless as rg
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], ["even", "even", "odd", "odd"]
    >>> model = rg.sklearn.KernelPerceptronClassifier(passes=2).fit(X, y)
    >>> model.predict(X)
    array(['even', 'even', 'odd', 'odd'], dtype='<U4')
    >>> model.ledger_.supports
    4
    """

    learner_class = KernelPerceptron
    models: ClassVar[tuple[str, ...]] = ("last", "validated")
    many = False

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        budget: int | None = None,
        passes: int = 1,
        model: str = "last",
        delta: float = 0.05,
        seal: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.kernel = kernel
        self.budget = budget
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.class_weight = class_weight
