"""``train`` with several learners: one pass over the data, a table, the best saved."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from .console import print_json, say, show, tell
from .interrupt import Interrupt
from .request import Request, kept_kinds
from .usage import checking_usage

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..models.model import Model
    from ..runs.many_learners import ManyPasses
    from ..runs.many_runs import Runs
    from ..runs.watchers import Watcher


def train_many(request: Request, learners: list[RowLearner]) -> int:
    """Play all learners; save the model of the best one, certified at delta/K."""
    request.refuse_without("several", "goes with one learner, not with several")
    from ..runs.choosing import measure_called
    from ..runs.many_learners import ManyPasses, checked_learners
    from ..runs.opening import open_rows

    with checking_usage():
        checked = checked_learners(learners)
    opened = open_rows(request, checked, request.data)
    checked = checked_learners(opened.learners)
    if request.best_by:
        measure_called(request.best_by, checked)
    kinds = [kept_kinds(request, learner) for learner in checked]
    game = ManyPasses(
        checked, opened.source, models=kinds, skip=opened.skip, measure=True
    )
    began = time.perf_counter()
    with ExitStack() as stack:
        stop = stack.enter_context(Interrupt())
        watchers: list[Watcher[ManyPasses]] = []
        if sys.stderr.isatty() and not request.quiet:
            from .progress import ProgressLine

            delta = request.delta / len(game.passes)
            watchers.append(stack.enter_context(ProgressLine(opened.files, delta)))
        game.play(watchers, stop.until_asked)
    interrupted = stop.code != 0
    runs = replace(game.runs(), best_by=request.best_by)
    model: Model | None = None
    if request.output is not None and not interrupted:
        model = runs.model(request.model, request.delta)
        model.save(request.output)
    report_many(request, runs, model, time.perf_counter() - began)
    if request.report is not None and not interrupted:
        tell()
        _write_page(request, runs, model)
    if interrupted:
        say("interrupted: nothing was saved")
    return stop.code


def _write_page(request: Request, runs: Runs, model: Model | None) -> None:
    from ..report import write
    from .conclusion import data_words

    write(
        runs,
        request.report or "",
        delta=request.delta,
        data=data_words(request.data),
        hindsight=False,
        model=model,
        saved=request.output,
    )


def _beside(runs: Runs) -> str:
    """What the table is to be read beside."""
    from ..evidence.claims.doubts import compared
    from ..parts.reprs import percent, shown

    best = runs.best
    _, without, name = compared(best.ledger)
    if without is None:
        return ""
    what, size = name.partition(" (")[0], max(best.rounds, 1)
    found = f"RMSE {shown(without)}"
    if best.mistakes is not None:
        found = f"error {percent(without / size)}"
        base = {} if best.measured is None else best.measured.baseline()
        if "log_loss" in base:
            found += f"; always answering the shares, log loss {base['log_loss']:.4f}"
    worse = "; the best learner is no better" if best.doubts.better is False else ""
    return f"Without looking, {what} has {found}{worse}."


def report_many(
    request: Request,
    runs: Runs,
    model: Model | None,
    seconds: float,
    how: str = "in one pass",
) -> None:
    """The table, and what was saved."""
    from ..evidence.claims.doubts import why_not
    from ..report.receipts import Receipts, many_document
    from ..runs.choosing import measures_of

    best = Receipts(
        run=runs.best, delta=request.delta, model=model, saved=request.output
    )
    if request.json:
        document = {
            **many_document(runs, best),
            "command": "train",
            "data": request.data,
            "report": request.report,
            "seconds": seconds,
        }
        print_json(document)
        return
    if request.quiet:
        return
    from .layout import section, table_of, words

    title = f"{len(runs)} learners on {', '.join(request.data)}, {how}"
    others = [
        name for name in measures_of(runs[0].learner.task) if name != runs.measure.name
    ]
    kept = ", and its model is saved" if model is not None else ""
    chosen = (
        f"The best by {runs.measure.title} comes first{kept}; --best-by chooses by "
        f"another: {', '.join(others)}."
    )
    note = why_not(runs.best) or (
        f"Each is certified at delta = {request.delta:g}/{len(runs)}, so that all "
        "certificates hold at once, that of the best one too."
    )
    binary = runs[0].mistakes is not None
    body = [
        table_of(runs.lines(request.delta)),
        *(words(line) for line in (chosen, _beside(runs)) if line),
        *([words(note)] if binary else []),
    ]
    show(section(title, *body))
    if model is not None:
        text = best.promise or best.why_not
        show(section(f"saved to {request.output}", words(model.about), words(text)))
