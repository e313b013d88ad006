"""``train`` with one learner: parse, let the session play, print what it came to."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, nullcontext, redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..parts.documents import Document
from ..parts.waiting import silently, waiting
from ..runs.finishing import finish_session
from ..runs.opening import OpenedRows, open_rows
from ..runs.resuming import new_session, resumed, saver, state_facts
from ..runs.session import Session
from ..runs.watchers import Checkpointer, LatestScores, Watcher
from .cautions import IdColumns
from .conclusion import Conclusion, conclude
from .console import print_json, say
from .grammar import parse_learner
from .interrupt import Interrupt
from .predicted_lines import PredictedLines
from .request import Request, kept_kinds
from .usage import checking_usage

if TYPE_CHECKING:
    from .predicted_part import PredictionTable

__all__ = ["open_files", "train_one"]


def train_one(request: Request) -> int:
    """Train; return the exit code."""
    with silently() if request.quiet else nullcontext():
        return _train(request, time.perf_counter())


def open_files(request: Request, checkpoint: Any = None) -> OpenedRows:
    """The files of a request, and who plays."""
    learner: Any = None
    if request.learner is not None:
        with checking_usage():
            learner = parse_learner(request.learner)
    opened = open_rows(
        request,
        [learner],
        request.data,
        checkpoint=checkpoint,
        tagged=request.predictions is not None,
    )
    request.check_learner(opened.choice.learner)
    read = opened.rows.options
    if request.predictions is not None and read.cache and read.format == "vw":
        say("a cache keeps no tags, and -p writes them: the text itself is read")
    return opened


def _train(request: Request, began: float) -> int:
    checkpoint = resumed(request)
    opened = open_files(request, checkpoint)
    session = new_session(
        opened,
        checkpoint,
        models=kept_kinds(request, opened.choice.learner),
        measure=True,
    )
    latest, ids = LatestScores(), IdColumns(opened.rows)
    at = 0 if checkpoint is None else int(checkpoint.facts["predicted"])
    with ExitStack() as stack:
        predictions = _prediction_file(request, at)
        if predictions is not None:
            stack.callback(predictions.close)
        watchers: list[Watcher] = [ids, *_watchers(request, opened, predictions, stack)]
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
    conclusion = conclude(request, opened, session, ids.found)
    if session.ended:
        _save(conclusion, session, opened)
    _report(replace(conclusion, seconds=time.perf_counter() - began))
    return stop.code


def _prediction_file(
    request: Request, at: int
) -> PredictedLines | PredictionTable | None:
    """What writes predictions, of which `at` bytes are written already."""
    if request.predictions is None:
        return None
    if request.plain:
        return PredictedLines(request.predictions, at, request.proba)
    from .predicted_part import PredictionTable

    return PredictionTable(request.predictions, at)


def _watchers(
    request: Request, opened: OpenedRows, predictions: Any, stack: ExitStack
) -> list[Watcher]:
    found: list[Watcher] = [] if predictions is None else [predictions]
    if request.checkpoint is not None:
        position = int if predictions is None else lambda: predictions.position
        found.append(Checkpointer(saver(opened, position), request.every))
    if sys.stderr.isatty() and not request.quiet:
        from .progress import ProgressLine

        found.append(stack.enter_context(ProgressLine(opened.rows, request.delta)))
    return found


def _save(conclusion: Conclusion, session: Session, opened: OpenedRows) -> None:
    request = conclusion.request
    if request.output is not None:
        state: Document | None = None
        if request.resumable:
            from ..runs.checkpoints import state_of

            assert session.player is not None
            facts = state_facts(session, opened, opened.rows.mark)
            state = state_of(session.learner, session.player, session.recorder, facts)
        conclusion.model.save(request.output, state=state)
    if request.report is not None:
        with waiting("writing the report"):
            conclusion.write_report(request.report)


def _report(conclusion: Conclusion) -> None:
    request = conclusion.request
    if request.json:
        print_json(conclusion.document())
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
