"""River's learners on the sets of a task: one pass, each row predicted, then learned.

A forest, a tree and a scaled linear model; the best of them, picked afterwards, is what
a panel is compared with. They take milliseconds a row. For amounts trees get scaled
rows, because the linear models in their leaves diverge without, and there is a forest
with means in its leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .figures import SkippedError

__all__ = ["best_of_river"]

NARROW = 200  # columns: zeros are told, or trees take them for missing


def best_of_river(task: str, X: Any, y: Any) -> float:
    """The least progressive error; of amounts, squared and over the variance."""
    rows = X.tocsr()
    narrow = rows.shape[1] <= NARROW
    blank = dict.fromkeys(range(rows.shape[1]), 0.0) if narrow else {}
    found: list[float] = []
    for make in _learners(task):
        learner, wrong = make(), 0.0
        for i, label in enumerate(y.tolist()):
            lo, hi = rows.indptr[i], rows.indptr[i + 1]
            cells = rows.indices[lo:hi].tolist(), rows.data[lo:hi].tolist()
            x = blank | dict(zip(*cells, strict=True))
            said = learner.predict_one(x)
            if task == "amounts":
                wrong += ((said or 0.0) - label) ** 2
            else:
                wrong += said != label
            learner.learn_one(x, label)
        found.append(wrong / len(y))
    least = min(found)
    return least / float(np.var(y)) if task == "amounts" else least


def _learners(task: str) -> list[Callable[[], Any]]:
    try:
        from river import forest, linear_model, multiclass, preprocessing, tree
    except ImportError:
        raise SkippedError("River is not installed") from None

    def scaled(model: Any) -> Any:
        return preprocessing.StandardScaler() | model

    if task == "amounts":
        return [
            lambda: scaled(forest.ARFRegressor(seed=1)),
            lambda: forest.ARFRegressor(seed=1, leaf_prediction="mean"),
            lambda: scaled(tree.HoeffdingAdaptiveTreeRegressor(seed=1)),
            lambda: scaled(linear_model.LinearRegression()),
        ]
    logistic = linear_model.LogisticRegression
    many = task in ("many", "few", "crowd")
    return [
        lambda: forest.ARFClassifier(seed=1),
        tree.HoeffdingAdaptiveTreeClassifier,
        lambda: scaled(
            multiclass.OneVsRestClassifier(logistic()) if many else logistic()
        ),
    ]
