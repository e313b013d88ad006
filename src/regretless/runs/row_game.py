"""Play a linear learner: batch after batch from the source, until it ends or fails."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..algorithms.learners.linear_learner import check_features
from ..algorithms.learners.row_learner import RowLearner
from ..data.sealed_rows import Seal
from ..errors import BadRow
from ..parts.waiting import waiting
from .fitting import open_fitted
from .run import Run
from .session import Session

if TYPE_CHECKING:
    from ..algorithms.prediction_sets import Tracker

__all__ = ["play_linear"]


def play_linear(  # noqa: PLR0913 - all but three are options
    learner: RowLearner | None,
    X: Any,
    y: Any,
    *,
    trace: bool,
    keep: bool,
    n_features: int | None,
    models: tuple[str, ...] = (),
    length: int | None = None,
    options: Any = None,
    seal: Any = None,
    group: Any = None,
    level: float | str | None = None,
) -> Run:
    """Play `learner` over the rows of X, as :func:`regretless.play` says.

    None: the default learner for the labels of the files X.
    """
    from ..models.conversions import default_kinds
    from .sealing import sealed_files, sealed_off

    check_features(n_features)
    side = sealed = None
    rows, labels, coins = X, y, None if seal is None else Seal(seal)
    if coins is None and group is not None:
        raise TypeError("group= goes with seal=: rows are sealed by group")
    if coins is not None:
        rows, labels, sealed, side = sealed_off(X, y, coins, group, options)
    fitted, source = open_fitted(
        learner, rows, labels, n_features=n_features, options=options, side=side
    )
    if side is not None and not source.again:
        raise ValueError("the sealed rows of files are read at the end: no pipes")
    sets: Tracker | None = None
    if level is not None:
        from ..algorithms.prediction_sets import tracker_for

        sets = tracker_for(fitted, level)
    if not (models or keep or source.again):
        models = default_kinds(fitted)  # nobody can look at these rows again
    game = Session(
        fitted,
        source,
        models=models,
        length=length,
        trace=trace,
        keep=keep,
        skip=options is not None and options.on_bad_rows == "skip",
        # Arrays are learned faster than they are measured, and are there to be learned
        # again where somebody asks for the metrics.
        measure=not source.whole,
        sets=sets,
    )
    try:
        with waiting(lambda: f"learning, {game.rounds:,} rows"):
            for batch in source.batches():
                game.take(batch)
    except BadRow as failure:
        if not source.whole and game.player is not None:
            failure.run = game.run()
        raise
    game.ended = True
    if coins is not None and sealed is None:
        sealed = sealed_files(X, source, coins)
    return replace(game.run(), sealed=sealed)
