"""Play learners of rows: open a session, play it to its end, hand over the run."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..data import ReadOptions
from ..errors import BadRow, OptionError
from ..parts.waiting import waiting
from .finishing import finish_session
from .opening import open_rows
from .resuming import new_session, resumed, saver
from .run import Run
from .session import Session
from .session_options import SessionOptions
from .watchers import Checkpointer, LatestScores, OnBatch, Watcher

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner


def play_rows(  # noqa: PLR0913 - all but four are options
    options: SessionOptions,
    learner: RowLearner | None,
    X: object,
    y: object,
    *,
    read: ReadOptions | None = None,
    group: object = None,
    trace: bool = False,
    keep: bool = False,
    models: tuple[str, ...] = (),
    length: int | None = None,
    on_batch: Callable[[Session], object] | None = None,
) -> Run:
    """Play `learner` over the rows of X, as :func:`regretless.play` says.

    None: the default learner for the labels of the files X.
    """
    options.check()
    checkpoint = resumed(options)
    opened = open_rows(
        options, [learner], X, y, read=read, group=group, checkpoint=checkpoint
    )
    if opened.lost:
        warnings.warn(str(OptionError(opened.lost).in_python()), stacklevel=4)
    source = opened.rows
    once = not (keep or source.again) or opened.initial is not None
    if opened.state is not None and not models:
        models = opened.state.kinds
    elif options.passes > 1 or (once and not models):
        from ..models.conversions import default_kinds

        # These rows, and the first pass, cannot be looked at again.
        models = tuple({*models, *default_kinds(opened.choice.learner)})
    session = new_session(
        opened,
        checkpoint,
        models=tuple(sorted(models)),
        length=length,
        trace=trace,
        keep=keep,
        # Arrays are learned faster than they are measured, and are there to be learned
        # again where the metrics are asked for.
        measure=not source.whole,
    )
    latest = LatestScores()
    watchers: list[Watcher[Session]] = [] if options.threshold is None else [latest]
    if options.checkpoint is not None:
        watchers.append(Checkpointer(saver(opened), options.every))
    if on_batch is not None:
        watchers.append(OnBatch(on_batch))
    try:
        with waiting(lambda: f"learning, {session.rounds:,} rows"):
            session.play(watchers)
    except BadRow as failure:
        if not source.whole and session.player is not None:
            failure.run = session.run()
        raise
    finish_session(session, opened, latest)
    return session.run()
