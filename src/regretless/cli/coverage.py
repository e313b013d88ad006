"""``--interval`` and ``--sets``: their level, and what fresh rows say about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .usage import UsageError

if TYPE_CHECKING:
    from ..algorithms.prediction_sets import Tracker

__all__ = ["certify_sets", "check_level", "set_tracker", "with_sets"]


def check_level(level: str | None) -> None:
    """Raise ValueError unless `level` is None or a level."""
    if level is None:
        return
    from ..algorithms.prediction_sets import checked_level

    try:
        checked_level(level)
    except ValueError as problem:
        raise ValueError(f"--interval, --sets: {problem}") from None


def set_tracker(level: str | None, learner: Any) -> Tracker | None:
    """What makes the prediction sets of a training; None where none are wanted."""
    if level is None:
        return None
    from ..algorithms.prediction_sets import tracker_for

    try:
        return tracker_for(learner, level)
    except ValueError as problem:
        raise UsageError(f"--sets: {problem}") from None


def certify_sets(training: Any, run: Any, model: Any) -> Any:
    """A certificate of the model's frozen sets, by rows that nobody has learned.

    None where no rows were held out or sealed, or where they are not fresh draws.
    """
    from ..models.sets import certificate_by

    request = training.request
    if run.sets is None or run.change is not None or run.replay:
        return None
    if request.holdout is not None:
        rows, missed = _held_out(training, model)
    elif request.seal is not None and request.reading.get("group") is None:
        rows, missed = _sealed(training, model)
    else:
        return None
    return certificate_by(model, rows, missed, request.delta) if rows else None


def with_sets(rows: list[Any], model: Any, scores: Any) -> list[dict[str, Any]]:
    """Predictions as objects, with the sets of a model that has any."""
    if model.coverage is None:
        return rows
    from ..models.sets import intervals_of, sets_of

    if model.classes is None:
        ends = intervals_of(model, scores).tolist()
        more = [{"low": low, "high": high} for low, high in ends]
    else:
        more = [
            {
                "set": [
                    label
                    for label, is_in in zip(model.classes, row, strict=True)
                    if is_in
                ]
            }
            for row in sets_of(model, scores).tolist()
        ]
    return [row | sets for row, sets in zip(rows, more, strict=True)]


def _held_out(training: Any, model: Any) -> tuple[int, int]:
    from ..data.holdout import HeldOut
    from ..models.batches import scores_of
    from ..models.sets import missed_by

    rows = missed = 0
    held = HeldOut(training.files, training.request.holdout, test=True)
    for batch in held.batches():
        labeled = ~np.isnan(batch.targets)
        scores = scores_of(model, batch.rows, batch.targets.size)
        rows += int(labeled.sum())
        missed += int(missed_by(model, scores[labeled], batch.targets[labeled]).sum())
    return rows, missed


def _sealed(training: Any, model: Any) -> tuple[int, int]:
    from ..data.sealed_rows import Seal
    from ..models.sets import missed_by
    from ..runs.sealing import sealed_files

    request = training.request
    seal = Seal(request.seal)
    sealed = sealed_files(request.data, training.files, seal, judge=missed_by)
    rows, missed, _ = sealed.judged(model)
    return rows, missed
