"""``train`` with one learner: parse, let the session play, print what it came to."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, nullcontext, redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING

from ..parts.documents import Document
from ..parts.waiting import waiting
from ..runs.finishing import finish_session
from ..runs.opening import OpenedRows, open_rows
from ..runs.resuming import new_session, resumed, saver
from ..runs.session import Session
from ..runs.training_facts import training_facts
from ..runs.watchers import Checkpointer, LatestScores, Watcher
from .conclusion import Conclusion, conclude, unvalidated
from .console import print_json, say, tell
from .grammar import parse_learner
from .interrupt import Interrupt
from .request import Request, kept_kinds
from .seen_columns import SeenColumns
from .usage import checking_usage

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..models.model import Model
    from .predicted_part import PredictionTable


def train_one(request: Request) -> int:
    """Train; return the exit code."""
    began = time.perf_counter()
    checkpoint = resumed(request)
    tagged = request.predictions is not None or request.reading.get("id") is not None
    opened = open_rows(
        request,
        [asked_learner(request)],
        request.data,
        checkpoint=checkpoint,
        tagged=tagged,
    )
    session = new_session(
        opened,
        checkpoint,
        models=kept_kinds(request, opened.choice.learner),
        measure=True,
    )
    latest, ids = LatestScores(), SeenColumns(opened.files)
    begun = None if checkpoint is None else checkpoint.facts["predicted"]
    with ExitStack() as stack:
        predictions = _prediction_file(request, opened, begun)
        if predictions is not None:
            stack.callback(predictions.close)
        watchers: list[Watcher[Session]] = [
            ids,
            *_watchers(request, opened, predictions, stack),
        ]
        if tagged and predictions is None:
            from .row_names import NoIdTwice, RowNames

            watchers.append(NoIdTwice(RowNames(opened.files.options)))
        if request.threshold is not None:
            watchers.append(latest)
        stop = stack.enter_context(Interrupt())
        session.play(watchers, stop.until_asked)
        if session.ended and predictions is not None:
            predictions.commit(opened.source.classes)
    if session.rounds == 0 and session.ended:
        named = ", ".join(request.data)
        raise ValueError(f"{named}: no row has a label to learn from")
    if session.ended:
        finish_session(session, opened, latest)
    run = session.run()
    model: Model | None = None
    if session.ended and (request.output is not None or request.tested):
        with waiting("making the model"):
            try:
                model = run.model(request.model, request.delta)
            except ValueError as problem:
                model = unvalidated(run, request, problem, "last")
    conclusion = conclude(request, opened, session, run, model)
    if model is not None and request.output is not None:
        state = _state(session, opened) if request.resumable else None
        model.save(request.output, state=state)
    seconds = time.perf_counter() - began
    _report(replace(conclusion, ids=ids, seconds=seconds))
    if session.ended and request.report is not None:
        tell()
        with waiting("writing the report"):
            conclusion.write_report(request.report)
    return stop.code


def asked_learner(request: Request) -> RowLearner | None:
    """Who was asked to play."""
    if request.learner is None:
        return None
    with checking_usage():
        return parse_learner(request.learner)


def _prediction_file(
    request: Request, opened: OpenedRows, begun: Document | None
) -> PredictionTable | None:
    """What writes predictions, of which some may have been written already."""
    if request.predictions is None:
        return None
    from .predicted_part import PredictionTable
    from .row_names import RowNames

    named = request.checkpoint is not None or request.resume is not None
    return PredictionTable(
        request.predictions,
        RowNames(opened.files.options),
        named=named,
        begun=begun,
        safe=request.spreadsheet_safe,
    )


def _watchers(
    request: Request,
    opened: OpenedRows,
    predictions: PredictionTable | None,
    stack: ExitStack,
) -> list[Watcher[Session]]:
    found: list[Watcher[Session]] = [] if predictions is None else [predictions]
    if request.checkpoint is not None:
        position = (lambda: predictions.position) if predictions else dict
        found.append(Checkpointer(saver(opened, position), request.every))
    if sys.stderr.isatty() and not request.quiet:
        from .progress import ProgressLine

        found.append(stack.enter_context(ProgressLine(opened.files, request.delta)))
    return found


def _state(session: Session, opened: OpenedRows) -> Document:
    """The state of the learner, for ``train -i`` to go on from."""
    from ..runs.checkpoints import state_of

    assert session.player is not None
    facts = training_facts(session, opened, opened.files.mark)
    return state_of(session.learner, session.player, session.recorder, facts)


def _report(conclusion: Conclusion) -> None:
    request = conclusion.request
    if request.json:
        print_json(conclusion.as_dict())
    elif not request.quiet:
        # Standard output may be taken by predictions.
        screen = request.predictions == "-"
        with redirect_stdout(sys.stderr) if screen else nullcontext():
            _print(conclusion)
    if conclusion.interrupted and not request.json:
        say(conclusion.farewell())


def _print(conclusion: Conclusion) -> None:
    """What it came to, for people: all of it, or a screen."""
    if conclusion.request.in_full:
        from .receipts import print_receipts

        print_receipts(conclusion)
    else:
        from .first_screen import print_first_screen

        print_first_screen(conclusion)
