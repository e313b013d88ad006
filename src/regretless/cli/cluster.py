"""``train --cluster``: the same command, played in shards on Ray."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from ..data.read_options import ReadOptions
from ..evidence.claims.doubts import why_not
from ..parts.documents import Document
from ..runs.opening import OpenedRows, open_rows
from .conclusion import Conclusion, unvalidated
from .console import print_json, say, show
from .interrupt import Interrupt
from .many import report_many
from .request import Request, kept_kinds
from .training import asked_learner
from .usage import UsageError, checking_usage

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..integrations.ray.cluster_run import ClusterRun
    from ..integrations.ray.shard_rounds import Progress
    from ..models.model import Model
    from ..runs.task_choice import Choice

KINDS = ("validated", "mean", "last")
SIZE = re.compile(r"(\d+)\s*([kmg]?)b?", re.IGNORECASE)
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def train_on_cluster(
    request: Request, many: list[RowLearner], address: str, spread: Document
) -> int:
    """Train on a cluster; return the exit code."""
    began = time.perf_counter()
    with checking_usage():
        _check(request, many, spread)
        settings = _settings(address, spread)
    if many:
        return _train_many(request, many, settings, began)
    opened, choice, chosen = _opened(request)
    from ..integrations.ray.connection import connected

    # One connection for all that is to be done there, and Ctrl-C not in its middle.
    with Interrupt() as stop:
        try:
            with connected(address, spread["workers"]):
                run = _play(request, opened, choice, settings, stop)
                conclusion = _conclude(request, choice, run)
        except KeyboardInterrupt:
            return _nothing_done(stop, "before the first shard was finished")
    if conclusion.model is not None and request.output is not None:
        conclusion.model.save(request.output)
    _report(replace(conclusion, seconds=time.perf_counter() - began), run, chosen)
    return (stop.code or 130) if run.interrupted else 0


def _nothing_done(stop: Interrupt, when: str) -> int:
    say(f"interrupted {when}: nothing was saved")
    print_json({"interrupted": True})
    return stop.code or 130


def _check(request: Request, many: list[RowLearner], spread: Document) -> None:
    request.refuse_without("cluster", "is for one machine, not for --cluster")
    if "-" in request.data:
        raise ValueError("a cluster reads files, not standard input")
    if request.model is not None and request.model not in KINDS and not many:
        raise ValueError(
            f"--model {request.model}: of a cluster, one of {', '.join(KINDS)}"
        )
    for name in ("shards", "shard_size", "synchronizations"):
        if many and spread[name] is not None:
            option = name.replace("_", "-")
            raise ValueError(
                f"--{option}: several learners play all of the data each, in no shards"
            )


def _settings(address: str, spread: Document) -> Document:
    """The options of ``cluster.play``."""
    settings = {name: value for name, value in spread.items() if value is not None}
    for name in ("shards", "synchronizations", "workers"):
        if settings.get(name, 1) < 1:
            raise ValueError(f"--{name} {settings[name]}: a whole number from 1 on")
    size = settings.get("shard_size")
    if size is not None and size != "file":
        found = SIZE.fullmatch(size.strip())
        if found is None or not int(found[1]):
            raise ValueError(f"--shard-size {size}: write 64MB, 1GB, or file")
        settings["shard_size"] = int(found[1]) * UNITS[found[2].lower()]
    return {**settings, "address": address}


def _opened(request: Request) -> tuple[OpenedRows, Choice, bool]:
    """The files, who plays them; and whether the learner was chosen here."""
    opened = open_rows(request, [asked_learner(request)], request.data)
    opened.files.close()
    if not opened.files.rereadable:
        raise UsageError("a cluster reads files, not pipes")
    choice = opened.choice
    if request.learner is None and choice.task == "binary":
        from .. import AdaGrad, Logistic

        # The panel, which plays otherwise, cannot be averaged.
        choice = choice._replace(learner=AdaGrad(loss=Logistic(), bias=True))
    return opened, choice, request.learner is None


def _play(
    request: Request,
    opened: OpenedRows,
    choice: Choice,
    settings: Document,
    stop: Interrupt,
) -> ClusterRun:
    """Play to the end, or to the first signal."""
    from .. import cluster

    with ExitStack() as stack:
        watch: Callable[[Progress], None] | None = None
        if sys.stderr.isatty() and not request.quiet:
            from .shard_progress import ShardProgress

            watch = stack.enter_context(ShardProgress(request.delta)).after
        run = cluster.play(
            choice.learner,
            request.data,
            n_features=request.n_features,
            options=ReadOptions.of(opened.options.reading),
            watch=watch,
            stop=lambda: stop.asked,
            **settings,
        )
    assert isinstance(run, cluster.ClusterRun)
    return run


def _conclude(request: Request, choice: Choice, run: ClusterRun) -> Conclusion:
    model: Model | None = None
    if request.output is not None:
        try:
            model = run.model(request.model, request.delta)
        except ValueError as problem:
            model = unvalidated(run, request, problem, "mean")
    theorems = run.theorems() if request.hindsight and not run.interrupted else None
    return Conclusion(
        request=request,
        choice=choice,
        run=run,
        delta=request.delta,
        model=model,
        saved=request.output,
        certificate=None
        if why_not(run, delta=request.delta)
        else run.certificate(request.delta),
        theorems=theorems,
        skipped=run.skipped,
        problems=list(run.problems),
        unlabeled=run.unlabeled,
    )


def _report(conclusion: Conclusion, run: ClusterRun, chosen: bool) -> None:
    request = conclusion.request
    if request.json:
        document = conclusion.as_dict()
        document["interrupted"] = run.interrupted
        document["cluster"] = {
            "shards": run.shards,
            "synchronizations": run.synchronizations,
            "seconds_in_tasks": sum(report.seconds for report in run.reports),
        }
        print_json(document)
        return
    if not request.quiet:
        from .layout import words
        from .receipts import print_receipts

        print_receipts(conclusion)
        if chosen:
            text = "no --learner given: this learner can be averaged, a panel cannot"
            show(words(text))
    if run.interrupted:
        saved = "" if conclusion.model is None else f", and saved to {request.output}"
        say(f"interrupted: the {run.shards} shards that had ended are kept{saved}")


def _train_many(
    request: Request, many: list[RowLearner], settings: Document, began: float
) -> int:
    """Several learners, each over all of the data."""
    from .. import cluster
    from ..runs.choosing import measure_called
    from ..runs.many_learners import checked_learners
    from ..runs.many_runs import Runs

    with checking_usage():
        known = checked_learners(many)
        if request.best_by:
            measure_called(request.best_by, known)
        options = ReadOptions.of(request.reading)
    if not request.data:
        raise UsageError("which data? give files, globs or URIs")
    kinds = {kind for one in known for kind in kept_kinds(request, one)}
    with Interrupt() as stop:
        try:
            runs = cluster.play(
                known,
                request.data,
                n_features=request.n_features,
                models=sorted(kinds),
                options=options,
                stop=lambda: stop.asked,
                **settings,
            )
        except KeyboardInterrupt:
            return _nothing_done(stop, "before all learners had played")
    assert isinstance(runs, Runs)
    runs = runs.by(request.best_by) if request.best_by else runs
    model: Model | None = None
    if request.output is not None:
        model = runs.model(request.model, request.delta)
        model.save(request.output)
    passed = time.perf_counter() - began
    report_many(request, runs, model, passed, "on a cluster")
    return 0
