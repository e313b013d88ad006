"""Which task it is, and who plays: decided here, and nowhere else.

Of two classes a panel plays; of more, one-versus-rest of panels; of amounts, the panel
for regression. A panel that was asked for has classes: whole numbers are then never
taken for amounts. Any other learner of two classes becomes one-versus-rest only where
the task is asked to be found (``task="auto"``) or said to be "multiclass".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..data.task_detection import Suggestion, no_classes, suggested
from ..errors import OptionError

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..data.chunk import Array


TASKS = ("auto", "binary", "multiclass", "regression")
TASK_OF = {"binary": "binary", "classes": "multiclass", "real": "regression"}
"""From what a learner takes to the task."""


class Choice(NamedTuple):
    """Who plays, at which task.

    Attributes
    ----------
    learner : RowLearner
        Who plays.
    task : str
        "binary", "multiclass" or "regression".
    wrapped : bool
        Whether a learner of two classes became one-versus-rest.
    why : str
        What the labels were taken for, and why; empty where there is no doubt.
    """

    learner: RowLearner
    task: str
    wrapped: bool = False
    why: str = ""

    @property
    def many(self) -> bool:
        """Whether labels are any number of classes."""
        return self.task == "multiclass"


def choose_learner(
    learner: RowLearner | None,
    labels: Array,
    task: str | None = None,
    *,
    default: RowLearner | None = None,
    fast: bool = False,
) -> Choice:
    """Choose the task, and the learner where none is given.

    Parameters
    ----------
    learner : RowLearner or None
        Who was asked to play.
    labels : array
        The first labels, or all; empty where :func:`needs_labels` says no.
    task : str or None
        "auto": as the labels suggest; None: that of the learner, as far as it has one.
    default : RowLearner or None
        Who plays where no learner was named; None: a panel for the task.
    fast : bool
        Whether a panel plays without its forest.

    Raises
    ------
    OptionError
        Where the task does not fit the learner, or there is no such task.
    """
    found, why = _task(learner, labels, task)
    if learner is None:
        learner = default or _default(found)
    if fast:
        learner = _without_forest(learner)
    wrapped = found == "multiclass" and learner.task == "binary"
    if wrapped:
        from ..algorithms.learners.one_versus_rest import OneVersusRest

        learner = OneVersusRest(learner)
    return Choice(learner, found, wrapped, why)


def _task(
    learner: RowLearner | None, labels: Array, wanted: str | None
) -> tuple[str, str]:
    """The task, and what is to be said of the labels."""
    if wanted is not None and wanted not in TASKS:
        raise OptionError(f"--task {wanted}: one of {', '.join(TASKS)}")
    own = None if learner is None else TASK_OF[learner.task]
    if wanted not in (None, "auto"):
        if own not in (None, wanted) and (own, wanted) != ("binary", "multiclass"):
            raise OptionError(f"--task {wanted}: {learner!r} is for {own}")
        return str(wanted), ""
    if own is not None and not needs_labels(learner, wanted):
        return own, ""
    widens = learner is not None and learner.one_versus_rest
    found = suggested(labels)
    if found.task == "multiclass" and (why := no_classes(labels)):
        raise OptionError(f"{why} (or --task multiclass, if they are classes)")
    if own is None or found.task == "multiclass":
        return found.task, _line(found)
    return ("multiclass" if widens and found.other == "multiclass" else own), ""


def needs_labels(learner: RowLearner | None, task: str | None) -> bool:
    """Whether the task is found by looking at labels."""
    if task not in (None, "auto") or learner is None:
        return task in (None, "auto")
    return learner.task == "binary" and (learner.one_versus_rest or task is not None)


def _line(found: Suggestion) -> str:
    return "" if found.task == "binary" else found.line()


def _default(task: str) -> RowLearner:
    """Who plays when no learner is named."""
    from ..algorithms.learners import Panel, RegressionPanel

    return RegressionPanel() if task == "regression" else Panel()


def _without_forest(learner: RowLearner) -> RowLearner:
    """The same panel without its forest."""
    if not hasattr(learner, "forest"):
        raise OptionError(f"--fast: {learner!r} has no forest to leave out")
    panel: Any = learner
    return replace(panel, forest=False)


def labels_of(X: Any, y: object) -> Array:
    """The labels of a table as an array, empty where they are not to be told."""
    if isinstance(y, str | int):
        if not hasattr(X, "columns") or y not in X.columns:
            return np.empty(0)
        y = X[y]
    labels: Array = np.asarray(() if y is None else y)
    mixed = labels.dtype.kind == "O" and any(not isinstance(one, str) for one in labels)
    return np.empty(0) if mixed or labels.ndim != 1 else labels
