"""Where a session starts, and how it is saved: checkpoints, and the state of ``-i``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import OptionError
from ..parts.documents import Document
from .opening import OpenedRows
from .session import Session
from .session_options import SessionOptions
from .training_facts import check_facts, training_facts

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..algorithms.prediction_sets import Tracker
    from .checkpoints import Checkpoint


def resumed(options: SessionOptions) -> Checkpoint | None:
    """The checkpoint to go on from; `options` take from it what was not given."""
    if options.resume is None:
        return None
    from .checkpoints import read_checkpoint, warn_of_level

    found = read_checkpoint(options.resume)
    check_facts(found)
    options.recall(found.facts["request"])
    warn_of_level(found.path, found.level)
    return found


def new_session(
    opened: OpenedRows, checkpoint: Checkpoint | None = None, **settings: Any
) -> Session:
    """A learner at its start, or where a checkpoint or the state of a file left it.

    Parameters
    ----------
    opened : OpenedRows
        The rows, and who plays them.
    checkpoint : Checkpoint or None
        Where an earlier session over the same files stopped.
    **settings
        Those of :class:`Session`.
    """
    options, earlier = opened.options, checkpoint or opened.state
    learner = opened.choice.learner
    _check_threshold(options, opened)
    if earlier is not None:
        learner = earlier.as_begun(learner)
    session = Session(
        learner,
        opened.source,
        skip=opened.skip,
        initial=opened.initial,
        options=options,
        sets=_tracker(options, learner),
        threads=options.reading.get("threads"),
        **settings,
    )
    if checkpoint is not None:
        from .continuing import known_names

        facts = checkpoint.facts
        opened.files.seek(facts["mark"], known_names(checkpoint))
        restored = checkpoint.restore(learner)
        with checkpoint.refusing():
            session.resume(*restored, facts["pass"])
        opened.count_on(facts.get("counts"))
    elif opened.state is not None:
        _continue(session, opened)
    session.continued = opened.state is not None
    return session


def _check_threshold(options: SessionOptions, opened: OpenedRows) -> None:
    """Refuse a threshold that cannot be, before anything is learned."""
    if options.threshold is None:
        return
    from ..evidence.claims.operating_point import parse_goal

    choice, goal = opened.choice, parse_goal(options.threshold)
    if choice.task != "binary":
        raise OptionError(
            f"--threshold is for two classes, and the task is {choice.task}"
        )
    probable = choice.learner.probabilistic
    if goal.kind == "at" and probable and not 0.0 < goal.value < 1.0:
        raise OptionError(
            f"--threshold {goal}: a probability is between 0 and 1, such as 0.3 or 30%"
        )


def _tracker(options: SessionOptions, learner: RowLearner) -> Tracker | None:
    """What makes the prediction sets; None where none are wanted."""
    if options.interval is None:
        return None
    from ..algorithms.prediction_sets import tracker_for

    try:
        return tracker_for(learner, options.interval)
    except ValueError as problem:
        raise OptionError(f"--sets: {problem}") from None


def _continue(session: Session, opened: OpenedRows) -> None:
    """Let the learner stand where the state of a file left it."""
    from .checkpoints import warn_of_level

    path, state = opened.options.initial_model, opened.state
    assert state is not None
    warn_of_level(state.path, state.level)
    facts = state.facts["pass"]
    player, recorder = state.restore(session.learner)
    kept: set[str] = set() if recorder is None else set(recorder.kinds)
    missing = set(session.models) - kept
    if missing:
        raise ValueError(
            f"{path}: nothing was kept for {', '.join(sorted(missing))}: ask for "
            "the same model in every training"
        )
    with state.refusing():
        session.resume(player, recorder, facts)
    session.today = None if session.metrics is None else session.metrics.blank()
    opened.count_on(state.facts.get("counts"))


def saver(
    opened: OpenedRows, predicted: Callable[[], Document | None] = dict
) -> Callable[[Session, Document | None], None]:
    """What writes the checkpoint of a session after the batch with a mark.

    `predicted` says what is safely in the file of predictions.
    """
    from .checkpoints import write_checkpoint

    path = opened.options.checkpoint
    assert path is not None

    def save(session: Session, mark: Document | None) -> None:
        assert session.player is not None
        write_checkpoint(
            path,
            learner=session.learner,
            player=session.player,
            recorder=session.recorder,
            facts=training_facts(session, opened, mark, predicted()),
        )

    return save
