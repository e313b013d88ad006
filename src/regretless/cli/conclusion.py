"""What a training came to: the run, its model, its theorems, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.ledger import curve_columns
from ..evidence.hindsight.budget import OverBudget, budget
from ..parts.waiting import waiting
from .coverage import certify_sets
from .request import Plan, Request
from .thresholds import SealedScores, chosen_point, with_point

__all__ = ["Conclusion", "conclude", "data_words", "paid_again"]

SMALL = 4_000_000  # bytes of data whose theorems are evaluated without being asked
FEW = 20_000  # rows, likewise
SECONDS = 1.0  # of work, about, that may go into them
AGAIN = (
    "It is not certified: it saw rows more than once, and only the hypotheses of the "
    "first pass met fresh ones."
)


SCHEMA = 2  # of the document: docs/command-line.md lists its fields
OWN_DELTA = "each certificate holds at its own delta, not all of them jointly"


@dataclass(frozen=True)
class Conclusion:
    """The outcome of a training.

    Attributes
    ----------
    request, plan : Request, Plan
        What was asked, and what followed from it.
    run : Run
        The first pass: the only one that is online.
    model : model or None
        What is saved; None where nothing is.
    certificate : Certificate or None
        Of the randomized hypothesis of the first pass, to be read at any time. None
        where the rows changed on the way.
    theorems : Theorems or None
        Judged with comparators, where that was asked for or is quick; else by what the
        ledger alone can tell. None after Ctrl-C.
    passes : list of dict
        Mistakes and loss of the later passes.
    held_out : Certificate or None
        What the rows held out say about the model.
    set_certificate : Certificate or None
        What they say about its prediction sets.
    ids : tuple of str
        Columns whose numbers are different in every row, as ids are.
    skipped : int
        Bad rows that were skipped.
    problems : list of str
        What was wrong with the first of them.
    unlabeled : int
        Rows that were only predicted.
    interrupted : bool
        Whether Ctrl-C ended it.
    left_out : bool
        Whether comparators were not looked for because that would take long.
    seconds : float
        From the start to the end of the command.
    """

    request: Request
    plan: Plan
    run: Any
    model: Any
    certificate: Any
    theorems: Any
    passes: list[dict[str, Any]]
    held_out: Any
    skipped: int
    problems: list[str]
    unlabeled: int
    interrupted: bool
    left_out: bool = False
    seconds: float = 0.0
    set_certificate: Any = None
    ids: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """The whole as plain data, for JSON."""
        run, model = self.run, self.model
        curve = curve_columns(run.ledger.curve)
        ledger: dict[str, Any] = {**run.ledger.as_dict(), "curve": curve}
        metrics = run.measured
        from .cautions import cautions_of

        return {
            "command": "train",
            "schema": SCHEMA,
            "data": self.request.data,
            "task": self.plan.task,
            "labels": self.plan.labels or None,
            "learner": repr(run.learner),
            "rows": run.rounds,
            "unlabeled": self.unlabeled,
            "skipped": {"count": self.skipped, "first": self.problems},
            "features": int(run.weights.shape[-1]),
            "classes": None if run.classes is None else list(run.classes),
            "ledger": ledger,
            "metrics": None if metrics is None else metrics.as_dict(),
            "rolling": None if metrics is None else metrics.rolling.as_dict(),
            "warnings": cautions_of(self),
            "certificate": _plain(self.certificate),
            "why_not": run.replay,
            "certificates": OWN_DELTA,
            "coverage": None if run.coverage is None else run.coverage.as_dict(),
            "set_certificate": _plain(self.set_certificate),
            "doubts": run.doubts._asdict(),
            "changed": None if run.change is None else run.change.as_dict(),
            "model": None
            if model is None
            else {
                "path": None if self.interrupted else self.request.output,
                "kind": getattr(model, "kind", "vote"),
                "about": model.about,
                "certificate": _plain(model.certificate),
                "why_not": model.why_not,
                "threshold": _plain(model.operating_point),
            },
            "theorems": None if self.theorems is None else self.theorems.as_dicts(),
            "theorems_left_out": self.left_out,
            "report": None if self.interrupted else self.request.report,
            "later_passes": self.passes,
            "held_out": _plain(self.held_out),
            "interrupted": self.interrupted,
            "seconds": self.seconds,
            "seconds_learning": run.seconds,
        }

    def write_report(self, path: str) -> None:
        """The same as a page of HTML."""
        from ..report import write

        remarks: list[tuple[str, str]] = []
        if self.run.doubts.words:
            remarks.append(("doubt", self.run.doubts.words))
        if self.unlabeled:
            remarks.append(("unlabeled", f"{self.unlabeled:,} rows, predicted only"))
        if self.skipped:
            remarks.append(("skipped", f"{self.skipped:,} bad rows"))
        remarks += [(f"pass {each['pass']}", paid_again(each)) for each in self.passes]
        write(
            self.run,
            path,
            delta=self.request.delta,
            data=data_words(self.request.data),
            hindsight=False,
            theorems=self.theorems,
            model=self.model,
            saved=self.request.output,
            held_out=self.held_out,
            remarks=tuple(remarks),
        )

    def farewell(self) -> str:
        """What to say after a signal."""
        kept = self.request.checkpoint
        if kept is None:
            return "interrupted: nothing was saved (--checkpoint FILE would have been)"
        return f"interrupted: go on with regretless train --resume {kept}"


def data_words(data: list[str]) -> str:
    """The data in a title: the names of the first files."""
    names = ["standard input" if one == "-" else Path(one).name for one in data]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def conclude(training: Any, game: Any, run: Any, *, interrupted: bool) -> Conclusion:
    """Make the model and the receipts of what was played."""
    request, plan = training.request, training.plan
    binary = run.mistakes is not None and run.change is None
    # What looks at the data again comes before later passes change the weights.
    theorems, left_out = None, False
    if not interrupted:
        with waiting("evaluating theorems"):
            theorems, left_out = _theorems(training, run)
    passes: list[dict[str, Any]] = []
    model: Any = None
    tested = request.holdout is not None or request.seal is not None
    if not interrupted:
        if request.output is not None or tested:
            with waiting("making the model"):
                model = _model(run, plan.kind, request.delta)
        for number in range(2, request.passes + 1):
            last = number == request.passes
            with waiting(f"pass {number} of {request.passes}"):
                again = _pass_again(training, game, model if last else None)
            passes.append(_paid(again, number))
            if last and request.model is None and model is not None:
                model = _after_all_passes(again, model, request.passes)
    held_out = None
    sealed = request.seal is not None and run.change is None
    claimed = (binary or sealed) and not run.replay
    point: Any = None
    if model is not None and request.threshold is not None:
        point = chosen_point(request.threshold, training.latest, model.probabilistic)
    if model is not None and request.seal is not None and claimed:
        with waiting("scoring the sealed rows"):
            model = _unsealed(training, run, model, point)
        held_out = model.certificate
    elif model is not None and request.holdout is not None and claimed:
        with waiting("scoring the rows held out"):
            held_out = _test(training, model)
        # It is about the saved model itself, however often that saw the other rows.
        model = replace(model, certificate=held_out, why_not="")
    elif point is not None:
        model = with_point(model, request, point, None)
    set_certificate = None if model is None else certify_sets(training, run, model)
    skipped = training.files.skipped
    refused = [str(problem) for problem in game.refused.values()]
    return Conclusion(
        request=request,
        plan=plan,
        run=run,
        model=model if request.output is not None else None,
        certificate=run.certificate(request.delta)
        if binary and not run.replay
        else None,
        theorems=theorems,
        passes=passes,
        held_out=held_out,
        skipped=skipped.count + len(refused),
        problems=[*skipped.messages, *refused][:10],
        unlabeled=game.unlabeled,
        interrupted=interrupted,
        left_out=left_out,
        set_certificate=set_certificate,
        ids=training.ids,
    )


def _theorems(training: Any, run: Any) -> tuple[Any, bool]:
    """The theorems; and whether comparators were left out for their time."""
    if not training.request.with_theorems:
        return None, False
    if run.game is None or training.request.hindsight:
        return run.theorems(hindsight=run.game is not None), False
    _, size = training.files.progress()
    if size is not None and size <= SMALL and run.rounds <= FEW:
        try:
            with budget(SECONDS):
                return run.theorems(), False
        except OverBudget:
            pass
    alone = run.theorems(hindsight=False)
    return alone, bool(alone.waiting)


def _model(run: Any, kind: str | None, delta: float) -> Any:
    """The model of this kind; the last hypothesis where there are too few rows."""
    try:
        return run.model(kind, delta)
    except ValueError as problem:
        if kind != "validated":
            raise
        why = f"Nothing is certified about it: {problem}."
        return replace(run.model("last", delta), why_not=why)


def _pass_again(training: Any, game: Any, model: Any) -> Any:
    """One more pass with the same weights; what it pays is not an online loss.

    If `model` is a mean, that of the pass is kept.
    """
    from ..evidence.snapshots import Recorder
    from ..parts.observers import new_books
    from ..runs.session import Session

    again = Session(game.learner, training.source, skip=game.skip)
    player = again.player = game.player
    player.books = new_books()
    if model is not None and model.kind == "last-half":
        again.recorder = Recorder(player, ("mean",), None)
    for batch in training.source.batches():
        again.take(batch)
    return again


def _paid(again: Any, number: int) -> dict[str, Any]:
    ledger = again.player.ledger()
    return {
        "pass": number,
        "rows": ledger.rounds,
        "mistakes": ledger.mistakes,
        "loss": ledger.loss,
    }


def _after_all_passes(again: Any, model: Any, passes: int) -> Any:
    """What the last pass came to, beside what the first one certifies."""
    mean = model.kind == "last-half"
    last = again.run().model("mean" if mean else "last")
    which = "the mean of the hypotheses of the last" if mean else "the last hypothesis"
    return replace(
        last,
        about=f"{which} of {passes} passes",
        certificate=model.certificate,
        why_not="" if model.certificate else model.why_not or AGAIN,
        provenance=model.provenance,
    )


def _unsealed(training: Any, run: Any, model: Any, point: Any) -> Any:
    """The model with what the sealed rows say about it, whatever it has learned."""
    from ..data.sealed_rows import Seal
    from ..evidence.claims.sealed import by_seal
    from ..runs.sealing import sealed_files

    request = training.request
    seen = _known_before(training.plan)
    seal = Seal(request.seal)
    if training.plan.task != "binary" or request.reading.get("group") is not None:
        sealed = sealed_files(request.data, training.files, seal, seen)
        return replace(model, **by_seal(run, sealed, model, request.delta))
    scores = SealedScores(0.0 if point is None else point.threshold)
    sealed = sealed_files(request.data, training.files, seal, seen, judge=scores.judge)
    found = replace(model, **by_seal(run, sealed, model, request.delta))
    return with_point(found, request, point, scores)


def _known_before(plan: Plan) -> Any:
    """The rows that the model or the state of -i knows: this run has not learned them.

    None where it knows none.
    """
    if plan.state is not None:
        from ..evidence.fingerprints import Fingerprints

        seen = Fingerprints()
        seen.load_state(plan.state.facts["pass"]["seen"])
        return seen.continued()
    provenance = getattr(plan.initial, "provenance", None)
    kept = None if provenance is None else provenance.seen
    return None if kept is None else kept.continued()


def _test(training: Any, model: Any) -> Any:
    """A certificate by the rows held out: Clopper-Pearson, one fixed classifier."""
    from ..data.holdout import HeldOut
    from ..evidence.certify import Certificate, clopper_pearson
    from ..models.batches import scores_of

    wrong = rows = 0
    held = HeldOut(training.files, training.request.holdout, test=True)
    for batch in held.batches():
        labeled = ~np.isnan(batch.targets)
        scores = scores_of(model, batch.rows, batch.targets.size)
        rows += int(labeled.sum())
        wrong += int(_wrong(scores[labeled], batch.targets[labeled]).sum())
    if rows == 0:
        raise ValueError("no row was held out to test on: there are too few")
    delta = training.request.delta
    return Certificate(
        value=clopper_pearson(rows, wrong, delta),
        delta=delta,
        method="Clopper-Pearson",
        about=f"{model.about}, on rows held out",
        n=rows,
        total=float(wrong),
        scope="one test, made once",
    )


def paid_again(later: dict[str, Any]) -> str:
    """What a later pass paid, which is not an online loss."""
    if later["mistakes"] is None:
        return f"loss {later['loss']:,.6g}, on rows seen before"
    return f"{later['mistakes']:,} mistakes, on rows seen before"


def _wrong(scores: Any, targets: Any) -> Any:
    """Which rows are errors; a tie is one."""
    if scores.ndim == 1:
        return ~(scores * targets > 0.0)
    from ..engine.players.classes.frozen import wrong_classes

    return wrong_classes(scores, targets)


def _plain(certificate: Any) -> Any:
    return None if certificate is None else certificate.as_dict()
