"""Play a linear learner: batch after batch from the source, until it ends or fails."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import BadRow
from ..learners.kinds import RowLearner
from ..learners.linear import check_features
from ..run import Run
from ..streams import open_source
from .linear_pass import Pass

__all__ = ["play_linear"]


def play_linear(
    learner: RowLearner,
    X: Any,
    y: Any,
    *,
    trace: bool,
    keep: bool,
    n_features: int | None,
    models: Iterable[str] = (),
    length: int | None = None,
    options: Any = None,
) -> Run:
    """Play `learner` over the rows of X, as :func:`regretless.play` says."""
    check_features(n_features)
    declared = n_features if n_features is not None else learner.n_features
    source = open_source(
        X,
        y,
        binary=learner.binary,
        many=learner.task == "classes",
        n_features=declared,
        options=options,
    )
    game = Pass(learner, source, models=models, length=length, trace=trace, keep=keep)
    try:
        for batch in source.batches():
            game.take(batch)
    except BadRow as failure:
        if not source.whole and game.player is not None:
            failure.run = game.run()
        raise
    return game.run()
