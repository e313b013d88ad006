"""Open the data, and fit the learner to the kind of labels there are.

Of two classes a panel plays; of more, one-versus-rest of panels; of amounts, the panel
for regression. Any learner but a panel is taken as it is. Files are opened once, and
their first rows looked at on the way: what comes through a pipe cannot be read again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..learners import OneVersusRest, Panel, RegressionPanel
from ..streams import FileSource, Source, open_source, task_of

__all__ = ["open_fitted"]


def open_fitted(
    learner: Any,
    X: Any,
    y: Any,
    *,
    n_features: int | None,
    options: Any,
    side: Any = None,
) -> tuple[Any, Source]:
    """The source of X and y, and the learner for it.

    Parameters
    ----------
    learner : RowLearner or None
        Who plays; None: the default for the labels of these files.
    X, y, n_features, options
        As :func:`regretless.play` takes them.
    side : Side or None
        Which side of a seal to read, of files.
    """
    default = learner is None
    learner = Panel() if default else learner
    if isinstance(learner, Panel) and y is not None and _many(X, y):
        learner = OneVersusRest(learner)
    if n_features is None:
        n_features = learner.n_features
    many = learner.task == "classes"
    source = open_source(
        X,
        y,
        binary=learner.binary,
        many=many,
        n_features=n_features,
        options=options,
        side=side,
    )
    if isinstance(source, FileSource) and isinstance(learner, Panel):
        task = task_of(source.first_labels())
        if task == "multiclass":
            learner = OneVersusRest(learner)
        elif default and task == "regression":
            learner = RegressionPanel()
        source.code_labels(binary=learner.binary, many=task == "multiclass")
    return learner, source


def _many(X: Any, y: Any) -> bool:
    """Whether the labels of a table are more than two classes."""
    if isinstance(y, str | int):
        if not hasattr(X, "columns") or y not in X.columns:
            return False
        y = X[y]
    labels: Any = np.asarray(y)
    if labels.dtype.kind == "O" and any(not isinstance(one, str) for one in labels):
        return False
    return labels.ndim == 1 and task_of(labels) == "multiclass"
