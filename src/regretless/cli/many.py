"""``train`` with several learners: one pass over the data, a table, the best saved."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import Any

from .console import print_json, say, show
from .interrupt import Interrupt
from .options import read_options
from .request import Request, check_report, kept_kinds
from .usage import UsageError, checking_usage

__all__ = ["report_many", "train_many"]

ALONE = {
    "passes": 1,
    "holdout": None,
    "seal": None,
    "threshold": None,
    "interval": None,
    "initial_model": None,
    "predictions": None,
    "proba": False,
    "plain": False,
    "resumable": False,
    "checkpoint": None,
    "resume": None,
    "hindsight": False,
    "exchangeability": None,
    "task": "auto",
}
"""What goes with one learner only, and what it is when it is not asked for."""


def train_many(request: Request, learners: list[Any]) -> int:
    """Play all learners; save the model of the best one, certified at delta/K."""
    for name, absent in ALONE.items():
        if getattr(request, name) != absent:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} goes with one learner, not with several")
    if not request.data:
        raise UsageError("which data? give files, globs, URIs, or - for standard input")
    from ..data.class_weights import weighted_source
    from ..data.file_source import FileSource
    from ..runs.many_learners import ManyPasses, checked_learners

    with checking_usage():
        check_report(request)
        checked = checked_learners(learners)
        options = read_options(**request.reading)
    files = FileSource(request.data, options, binary=False, n_features=request.features)
    checked = _fitted(files, checked)
    many = checked[0].task == "classes"
    files.code_labels(binary=checked[0].binary, many=many)
    source: Any = files
    if request.class_weights:
        source = weighted_source(source, request.class_weights, many=many)
    kinds = [kept_kinds(request, learner) for learner in checked]
    skip = options.on_bad_rows == "skip"
    game = ManyPasses(checked, source, models=kinds, skip=skip)
    began = time.perf_counter()
    code = _play(request, files, source, game)
    interrupted = code != 0
    runs = game.runs(ended=not interrupted)
    model: Any = None
    if request.output is not None and not interrupted:
        model = runs.model(request.model, request.delta)
        model.save(request.output)
    if request.report is not None and not interrupted:
        _write_page(request, runs, model)
    report_many(request, runs, model, time.perf_counter() - began)
    if interrupted:
        say("interrupted: nothing was saved")
    return code


def _fitted(files: Any, learners: list[Any]) -> list[Any]:
    """The learners, as one-versus-rest where two classes are not enough."""
    from ..algorithms.learners import OneVersusRest
    from ..data import task_of

    if not learners[0].binary or task_of(files.first_labels()) != "multiclass":
        return learners
    return [OneVersusRest(learner) for learner in learners]


def _play(request: Request, files: Any, source: Any, game: Any) -> int:
    with ExitStack() as stack:
        stop = stack.enter_context(Interrupt())
        batches = source.batches()
        stack.callback(batches.close)
        progress: Any = None
        if sys.stderr.isatty() and not request.quiet:
            from .progress import Progress

            delta = request.delta / len(game.passes)
            progress = stack.enter_context(Progress(files, delta))
        for batch in stop.until_asked(batches):
            game.take(batch)
            if progress is not None:
                progress.after(batch, None, game.passes[0])
    return stop.code


def _write_page(request: Request, runs: Any, model: Any) -> None:
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


def report_many(
    request: Request, runs: Any, model: Any, seconds: float, how: str = "in one pass"
) -> None:
    """The table, and what was saved."""
    if request.json:
        document = {
            "command": "train",
            "data": request.data,
            "runs": runs.rows(request.delta),
            "delta_each": request.delta / len(runs),
            "why_not": runs[0].replay,
            "model": None
            if model is None
            else {
                "path": request.output,
                "learner": repr(model.learner),
                "about": model.about,
                "certificate": None
                if model.certificate is None
                else model.certificate.as_dict(),
                "why_not": model.why_not,
            },
            "report": request.report,
            "seconds": seconds,
        }
        print_json(document)
        return
    if request.quiet:
        return
    from .layout import section, table_of, words

    title = f"{len(runs)} learners on {', '.join(request.data)}, {how}"
    note = runs[0].replay or (
        f"Each is certified at delta = {request.delta:g}/{len(runs)}, so that all "
        "certificates hold at once, that of the best one too."
    )
    binary = runs[0].mistakes is not None
    body = [
        table_of(runs.lines()),
        *([words(note)] if binary else []),
    ]
    show(section(title, *body))
    if model is not None:
        text = str(model.certificate) if model.certificate else model.why_not
        show(section(f"saved to {request.output}", words(model.about), words(text)))
