"""A panel takes two classes; where the labels have more, one-versus-rest of panels.

That is the default for more than two classes. Any other learner is taken as it is.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from typing import Any, cast

import numpy as np

from ..learners import OneVersusRest, Panel
from ..streams import FileSource, ReadOptions, task_of

__all__ = ["fitted", "task_of_files"]


def fitted(learner: Any, X: Any, y: Any, options: Any) -> Any:
    """The learner, or one-versus-rest of it if it is a panel and the labels are many.

    Of files the first rows are looked at, of tables all; an iterable is not touched.
    """
    if not isinstance(learner, Panel):
        return learner
    if _are_paths(X):
        reading = options or ReadOptions()
        if isinstance(y, str | int):
            reading = replace(reading, label=y)
        many = task_of_files(X, reading) == "multiclass"
    else:
        many = y is not None and _many(X, y)
    return OneVersusRest(learner) if many else learner


def task_of_files(paths: Any, options: Any) -> str | None:
    """What the first labels suggest; None where they can be read only once."""
    with closing(FileSource(paths, options, binary=False)) as source:
        return task_of(source.first_labels()) if source.again else None


def _many(X: Any, y: Any) -> bool:
    if isinstance(y, str):
        if not hasattr(X, "columns") or y not in X.columns:
            return False
        y = X[y]
    labels: Any = np.asarray(y)
    if labels.dtype.kind == "O" and any(not isinstance(one, str) for one in labels):
        return False
    return labels.ndim == 1 and task_of(labels) == "multiclass"


def _are_paths(X: Any) -> bool:
    if isinstance(X, list | tuple):
        items = cast("list[Any]", X)
        return bool(items) and isinstance(items[0], str | os.PathLike)
    return isinstance(X, str | os.PathLike)
