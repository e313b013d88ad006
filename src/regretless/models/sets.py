"""The prediction sets of a model: as they stood when its training ended, frozen.

While a learner learns, its sets adapt, and how often they miss is bounded on every
sequence. Frozen ones promise nothing about other rows by themselves. If fresh rows are
independent draws from one distribution, their misses are too, and
:func:`certificate_by` bounds the probability of one (Clopper-Pearson).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.prediction_sets import IntervalTracker, SetTracker, Tracker, in_set
from ..data.encoding import label_codec
from ..evidence.certify import Certificate, clopper_pearson
from ..parts.state import Bools, Floats

if TYPE_CHECKING:
    from .model import Model


NONE = (
    "this model has no prediction sets: train with --interval 90% (numbers) or --sets "
    "90% (classes), or play(intervals(learner, 0.9), ...)"
)


def tracker_of(model: Model) -> Tracker:
    """The prediction sets of a model; ``ValueError`` where it has none."""
    found = None if model.provenance is None else model.provenance.sets
    if found is None:
        raise ValueError(NONE)
    return found


def intervals_of(model: Model, scores: Floats) -> Floats:
    """The low and the high end of the interval around each prediction, a row each."""
    tracker = tracker_of(model)
    if not isinstance(tracker, IntervalTracker):
        raise ValueError("it predicts classes: predict_set gives their sets")
    return np.column_stack(tracker.intervals(scores, settled=True))


def sets_of(model: Model, scores: Floats) -> Bools:
    """Which classes are in the set of each row, a column a class."""
    tracker = tracker_of(model)
    if not isinstance(tracker, SetTracker):
        raise ValueError("it predicts numbers: predict_interval gives intervals")
    return in_set(model.probabilities(scores), tracker.least(settled=True))


def missed_by(model: Model, scores: Floats, targets: Floats) -> Bools:
    """Which labels, as learners take them, are outside of their sets.

    A class that the model does not know (nan, or a number beyond its classes) is in
    none of its sets.
    """
    if model.classes is None:
        low, high = intervals_of(model, scores).T
        return ~((low <= targets) & (targets <= high))
    inside = sets_of(model, scores)
    known = targets < inside.shape[1]
    numbers = np.where(known, np.maximum(targets, 0.0), 0.0).astype(np.int64)
    missed = ~inside[np.arange(len(inside)), numbers]
    return missed | ~known


def certificate_by(model: Model, n: int, missed: int, delta: float) -> Certificate:
    """What `n` fresh rows, of which `missed` labels were outside, say about the sets.

    The rows must not have been learned, nor have chosen the model; and their number
    must not depend on what they say.
    """
    tracker = tracker_of(model)
    return Certificate(
        value=clopper_pearson(n, missed, delta),
        delta=delta,
        method="Clopper-Pearson",
        about=f"the frozen {100 * tracker.level:g}% {tracker.of} of this model (a "
        "label outside is an error)",
        n=n,
        total=float(missed),
        scope="one test, made once",
    )


def certify_sets(model: Model, X: object, y: object, delta: float) -> Certificate:
    """The certificate by fresh rows X with labels y, which are read as learners do."""
    labels = label_codec(binary=False, many=model.classes is not None)
    if model.classes is not None:
        labels.restore(model.classes)  # another label is a class beyond these
    targets, scores = labels.encode(y), model.scores(X)
    if len(scores) != len(targets):
        raise ValueError(
            f"X has {len(scores):,} rows but y has {len(targets):,} labels"
        )
    missed = int(missed_by(model, scores, targets).sum())
    return certificate_by(model, targets.size, missed, delta)
