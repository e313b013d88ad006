"""Which model a run gives by default, and what has to be kept for it on the way.

It is one that has learned every row. A panel or a kernel machine is taken as it is at
the end. Of weights there are two: the last, and the mean of the last half. Both were
frozen on the way and met fresh rows since; the mean is taken at the end, unless the
last weights erred clearly less there. People who validate a choice and then refit do
the same (docs/decisions/0022 has the study). Of numbers it is the mean.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...algorithms.learners.row_learner import RowLearner
    from ...evidence.snapshots import Recorder


def chosen_kind(learner: RowLearner, recorder: Recorder | None) -> str:
    """The kind of model that is given where none was asked for."""
    if not learner.averages:
        return "last"
    held = [] if recorder is None else recorder.snapshots.held
    paired = {one.number for one in held if one.start is not None}
    raw = sum(one.errors for one in held if one.start is None and one.number in paired)
    half = sum(one.errors for one in held if one.start is not None)
    return "last" if raw + 0.5 * math.sqrt(raw) < half else "last-half"


def default_kinds(learner: RowLearner, kind: str | None = None) -> tuple[str, ...]:
    """What is kept for a model of this kind (or the default), and its certificate."""
    default = "last-half" if learner.averages else "last"
    wanted = {default if kind is None else kind}
    if learner.task != "real" and kind is None:
        wanted.add("validated")
    return tuple(sorted(wanted - {"last"}))
