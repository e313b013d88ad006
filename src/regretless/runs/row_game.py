"""Play learners of rows: open a session, play it to its end, hand over the run."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..algorithms.covered_learner import Covered
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
    import numpy.typing as npt

    from ..algorithms.learners.row_learner import RowLearner


def play_rows(  # noqa: PLR0913 - all but three are options
    learner: RowLearner | Covered | None,
    X: object = None,
    y: object = None,
    *,
    asked: SessionOptions,
    options: ReadOptions | None = None,
    group: object = None,
    trace: bool = False,
    keep: bool = False,
    models: Iterable[str] = (),
    length: int | None = None,
    check: bool = False,
    u: npt.ArrayLike | None = None,
    on_batch: Callable[[Session], object] | None = None,
) -> Run:
    """Play `learner` over the rows of X, as :func:`regretless.play` says.

    None: the default learner for the labels of the files X.
    """
    if isinstance(learner, Covered):
        learner, asked.interval = learner.learner, learner.level
    if check and (learner is None or not learner.linear):
        raise TypeError(f"{type(learner).__name__} does not take check=")
    if X is None:
        raise TypeError("there is nothing to play: play(learner, X, y)")
    asked.check()
    checkpoint = resumed(asked)
    opened = open_rows(
        asked, [learner], X, y, read=options, group=group, checkpoint=checkpoint
    )
    if opened.lost:
        warnings.warn(str(OptionError(opened.lost).in_python()), stacklevel=4)
    keep = keep or trace or check
    source = opened.rows
    once = not (keep or source.rereadable) or opened.initial is not None
    if opened.state is not None and not models:
        models = opened.state.kinds
    elif asked.passes > 1 or (once and not models):
        from ..models.conversions import default_kinds

        # These rows, and the first pass, cannot be looked at again.
        models = {*models, *default_kinds(opened.choice.learner)}
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
    watchers: list[Watcher[Session]] = [] if asked.threshold is None else [latest]
    if asked.checkpoint is not None:
        watchers.append(Checkpointer(saver(opened), asked.every))
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
    run = session.run()
    if check:
        from ..evidence.verdicts.identities import check_linear

        check_linear(run, u)
    return run
