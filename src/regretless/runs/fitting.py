"""Open the data, and fit the learner to the kind of labels there are.

Of two classes a panel plays; of more, one-versus-rest of panels; of amounts, the panel
for regression. Any learner but a panel is taken as it is. Whoever asks for a panel has
classes: whole numbers are then never taken for amounts. Files are opened once, and
their first rows looked at on the way: what comes through a pipe cannot be read again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algorithms.learners import OneVersusRest, Panel, RegressionPanel
from ..data import FileSource, Source, open_source, suggested

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
    if isinstance(learner, Panel) and y is not None and _many(X, y, default):
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
        labels = source.first_labels()
        many = _are_classes(labels, default)
        if many:
            learner = OneVersusRest(learner)
        elif default and suggested(labels).task == "regression":
            learner = RegressionPanel()
        source.code_labels(binary=learner.binary, many=many)
    return learner, source


def _many(X: Any, y: Any, default: bool) -> bool:
    """Whether the labels of a table are more than two classes."""
    if isinstance(y, str | int):
        if not hasattr(X, "columns") or y not in X.columns:
            return False
        y = X[y]
    labels: Any = np.asarray(y)
    if labels.dtype.kind == "O" and any(not isinstance(one, str) for one in labels):
        return False
    return labels.ndim == 1 and _are_classes(labels, default)


def _are_classes(labels: Any, default: bool) -> bool:
    """Whether labels are more than two classes, or might be and a panel was asked."""
    found = suggested(labels)
    return found.task == "multiclass" or (not default and found.other == "multiclass")
