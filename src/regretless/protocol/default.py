"""Who plays when nobody is named: a panel for the kind of labels there are."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from ..learners import Panel, RegressionPanel
from ..streams.files import FileSource
from ..streams.options import ReadOptions
from ..streams.targets import task_of

__all__ = ["default_learner"]


def default_learner(data: Any, options: Any = None) -> Any:
    """The learner for these files, by the labels of their first rows."""
    names = [data] if isinstance(data, str | Path) else list(data)
    reading = options if options is not None else ReadOptions()
    with closing(FileSource(names, reading, binary=False)) as source:
        task = task_of(source.first_labels())
    return RegressionPanel() if task == "regression" else Panel()
