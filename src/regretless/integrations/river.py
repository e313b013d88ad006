# pyright: reportMissingTypeStubs=false
"""Learners in River's pipelines, ensembles and evaluations.

An adapter has the manners of River's models: ``clone`` begins anew, and probabilities
are a dict by label, of two classes too. The learner inside is the one that was given:
its ledger, its certificate and ``save`` are at hand as ``model.learner``.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast

from ..algorithms.learners import OGD, VAW, OneVersusRest
from ..algorithms.learners.probabilities import NO_PROBABILITIES
from ..algorithms.learners.row_learner import RowLearner
from ..parts.documents import Document
from ..parts.losses import Logistic

try:
    from river import base
except ImportError as missing:
    raise ImportError(
        "regretless.river needs River from 0.21 on: pip install 'regretless[river]'"
    ) from missing

if TYPE_CHECKING:
    from river.base.typing import ClfTarget

    from ..data.encoding import TwoClassLabels

__all__ = ["Classifier", "Regressor"]

UNKNOWN = (False, True)  # the labels before the first one
Row: TypeAlias = "dict[Hashable, object]"


class _Adapter(base.Estimator):
    """What both do: hand events to a learner, and begin anew when cloned."""

    tasks: ClassVar[tuple[str, ...]]
    """The tasks of the learners that it takes."""
    other: ClassVar[str]
    """The adapter of all other tasks."""

    def __init__(self, learner: RowLearner) -> None:
        task = getattr(learner, "task", None)
        if isinstance(learner, type) or task is None:
            hint = "; did you forget the ()?" if isinstance(learner, type) else ""
            raise TypeError(f"learner={learner!r:.60} is not a learner of rows{hint}")
        if task not in self.tasks:
            raise ValueError(
                f"{learner!r} is not for a {type(self).__name__}: take the {self.other}"
            )
        self.learner = learner
        # Dicts of River have no order, which the forest of a panel goes by.
        self._ordered = (learner.binary_learner or learner).whole
        self._probabilistic = learner.probabilistic

    def learn_one(self, x: Row, y: Hashable, w: float = 1.0) -> None:
        """Learn from one event, whose loss counts `w` times."""
        self.learner.learn_one(_by_name(x) if self._ordered else x, y, w)

    def predict_one(self, x: Row, **kwargs: object):
        """The predicted label, None before the first one came; or the number."""
        return self.learner.predict_one(_by_name(x) if self._ordered else x)

    def _get_params(self) -> Document:
        fresh = copy.copy(self.learner)
        fresh.forget()
        return {"learner": fresh}


class Classifier(_Adapter, base.Classifier):
    """A learner of classes as a classifier of River.

    Parameters
    ----------
    learner : learner
        Of two classes, or of many, such as ``rg.OneVersusRest(rg.Panel())``. It is this
        very object that learns; a clone has one of its own, which has learned nothing.

    Examples
    --------
    >>> import regretless as rg
    >>> from river import preprocessing
    >>> model = preprocessing.StandardScaler() | rg.river.Classifier(rg.Panel())
    >>> for k in range(100):
    ...     model.learn_one({"size": k % 7, "price": k % 3}, k % 3 > 1)
    >>> model.predict_one({"size": 1, "price": 2})
    True
    >>> sorted(model.predict_proba_one({"size": 1, "price": 0}))
    [False, True]
    """

    tasks = ("binary", "classes")
    other = "Regressor"

    def predict_proba_one(self, x: Row, **kwargs: object) -> dict[ClfTarget, float]:
        """The probability of each label that may come.

        A learner of two classes says one number, that of the positive class; this says
        both. Before the first label these are False and True; of many classes, those
        that have come.

        Raises
        ------
        NotImplementedError
            Where the learner has no probabilities.
        """
        learner = self.learner
        if not self._probabilistic:
            raise NotImplementedError(NO_PROBABILITIES.format(repr(learner)))
        found = learner.predict_proba_one(_by_name(x) if self._ordered else x)
        if isinstance(found, dict):
            return cast("dict[ClfTarget, float]", found)
        labels = cast("TwoClassLabels", learner.live.labels)
        negative, positive = labels.negative, labels.positive
        if negative is None or positive is None:
            negative, positive = labels.classes if learner.live.rounds else UNKNOWN
            if negative == positive:  # the other one has not come, and is not known
                found = 1.0
        return cast("dict[ClfTarget, float]", {negative: 1.0 - found, positive: found})

    @property
    def _multiclass(self) -> bool:
        return self.learner.task == "classes"

    @classmethod
    def _unit_test_params(cls) -> Iterator[Document]:
        yield {"learner": OGD(Logistic())}
        yield {"learner": OneVersusRest(OGD(Logistic()))}


class Regressor(_Adapter, base.Regressor):
    """A learner of numbers as a regressor of River.

    Parameters
    ----------
    learner : learner
        Of numbers, such as ``rg.RegressionPanel()``. It is this very object that
        learns; a clone has one of its own, which has learned nothing.

    Examples
    --------
    >>> import regretless as rg
    >>> from river import evaluate, metrics
    >>> stream = [({"size": k % 7}, 2.0 * (k % 7) + 1.0) for k in range(500)]
    >>> model = rg.river.Regressor(rg.RegressionPanel())
    >>> error = evaluate.progressive_val_score(stream, model, metrics.MAE())
    >>> error.get() < 0.5, model.learner.ledger.rounds
    (True, 500)
    """

    tasks = ("real",)
    other = "Classifier"

    @classmethod
    def _unit_test_params(cls) -> Iterator[Document]:
        yield {"learner": VAW()}


def _by_name(x: Row) -> Row:
    """The same event, its features in the order of their names."""
    return {name: x[name] for name in sorted(x, key=str)}
