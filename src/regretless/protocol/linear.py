"""Play a linear learner: batch after batch from the source, until it ends or fails."""

from __future__ import annotations

from typing import Any

from ..batch import default_kinds
from ..errors import BadRow
from ..learners.kinds import RowLearner
from ..learners.linear import check_features
from ..run import Run
from .fitting import open_fitted
from .linear_pass import Pass

__all__ = ["play_linear"]


def play_linear(
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
) -> Run:
    """Play `learner` over the rows of X, as :func:`regretless.play` says.

    None: the default learner for the labels of the files X.
    """
    check_features(n_features)
    fitted, source = open_fitted(learner, X, y, n_features=n_features, options=options)
    if not (models or keep or source.again):
        models = default_kinds(fitted)  # nobody can look at these rows again
    game = Pass(
        fitted,
        source,
        models=models,
        length=length,
        trace=trace,
        keep=keep,
        skip=options is not None and options.on_bad_rows == "skip",
    )
    try:
        for batch in source.batches():
            game.take(batch)
    except BadRow as failure:
        if not source.whole and game.player is not None:
            failure.run = game.run()
        raise
    game.ended = True
    return game.run()
