"""The panel, for scikit-learn: the classifier to begin with."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from ...algorithms.learners import Panel
from ...parts.state import Floats
from .classifier import OnlineClassifier

__all__ = [
    "PanelClassifier",
]


class PanelClassifier(OnlineClassifier):
    """The :class:`~regretless.Panel`: eight members and a stack. Nothing to tune.

    Parameters
    ----------
    members : 8 or 4
        Four keep most of it, at half the time.
    view : "hat" or "linear"
        "linear" takes a third of the memory, and is as good on text.
    forest : bool
        Whether an online forest learns beside them while rows are narrow: fewer errors,
        three times the time.
    passes : int
        How often ``fit`` goes over the rows, always in their order.
    model : "last" or "validated"
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
    >>> import numpy as np, regretless as rg
    >>> X = np.random.default_rng(0).normal(size=(2000, 5)) * [1, 1, 1, 1e6, 1]
    >>> y = np.abs(X[:, 0]) + X[:, 1] > 1.0
    >>> model = rg.sklearn.PanelClassifier().fit(X, y)
    >>> model.score(X, y) > 0.9
    True
    """

    learner_class = Panel
    models: ClassVar[tuple[str, ...]] = ("last", "validated")
    probabilistic = True

    def __init__(
        self,
        *,
        members: int = 8,
        view: Literal["hat", "linear"] = "hat",
        forest: bool = True,
        passes: int = 1,
        model: str = "last",
        delta: float = 0.05,
        seal: float | str | None = None,
        level: float | str | None = None,
        class_weight: dict[Any, float] | str | None = None,
    ) -> None:
        self.members = members
        self.view = view
        self.forest = forest
        self.passes = passes
        self.model = model
        self.delta = delta
        self.seal = seal
        self.level = level
        self.class_weight = class_weight

    @property
    def feature_effects_(self) -> Floats:
        """What each feature does to the score of a typical row: see ``model.effects``.

        One a feature; of more than two classes a row for each of ``classes_``.
        """
        model = self._begun().run.model("last")
        effects = model.effects()
        if not model.many:
            return effects
        places = {label: k for k, label in enumerate(model.classes)}
        return effects[[places[label] for label in self.classes_.tolist()]]
