"""What a training came to: the run, its model, its theorems, as data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.ledger import curve_columns
from ..evidence.claims.doubts import missing_of, too_few, why_not
from ..evidence.hindsight.budget import OverBudget, budget
from ..evidence.summary import features_of
from ..parts.documents import Document
from ..parts.waiting import waiting
from .request import Request
from .seen_columns import SeenColumns

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
    from ..evidence.claims.operating_point import OperatingPoint
    from ..evidence.theorems import Theorems
    from ..models.model import Model
    from ..runs.opening import OpenedRows
    from ..runs.run import Run
    from ..runs.session import Session
    from ..runs.task_choice import Choice


SMALL = 4_000_000  # bytes of data whose theorems are evaluated without being asked
FEW = 20_000  # rows, likewise
SECONDS = 1.0  # of work, about, that may go into them
SCHEMA = 2  # of the document: docs/command-line.md lists its fields
OWN_DELTA = "each certificate holds at its own delta, not all of them jointly"


@dataclass(frozen=True)
class Conclusion:
    """The outcome of a training.

    Attributes
    ----------
    request : Request
        What was asked.
    choice : Choice
        The task and the learner.
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
    ids : SeenColumns
        Which columns look like ids.
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
    lost : str
        A warning of what the model of ``-i`` had and this one does not.
    """

    request: Request
    choice: Choice
    run: Run
    model: Model | None
    certificate: Certificate | None
    theorems: Theorems | None
    passes: list[Document]
    held_out: Certificate | None
    skipped: int
    problems: list[str]
    unlabeled: int
    interrupted: bool
    left_out: bool = False
    seconds: float = 0.0
    set_certificate: Certificate | None = None
    ids: SeenColumns = field(default_factory=SeenColumns)
    lost: str = ""

    @property
    def why_not(self) -> str:
        """Why nothing is certified; "" where something is."""
        if self.model is not None:
            return missing_of(self.model)
        found = self.held_out or self.certificate
        return why_not(self.run) if found is None else too_few(found)

    def document(self) -> Document:
        """The whole as plain data, for JSON."""
        run, model = self.run, self.model
        curve = curve_columns(run.ledger.curve)
        ledger: Document = {**run.ledger.as_dict(), "curve": curve}
        metrics = run.measured
        from .cautions import cautions_of

        return {
            "command": "train",
            "schema": SCHEMA,
            "data": self.request.data,
            "task": self.choice.task,
            "labels": self.choice.why or None,
            "learner": repr(run.learner),
            "rows": run.rounds,
            "unlabeled": self.unlabeled,
            "skipped": {"count": self.skipped, "first": self.problems},
            "features": features_of(run),
            "classes": None if run.classes is None else list(run.classes),
            "ledger": ledger,
            "metrics": None if metrics is None else metrics.as_dict(),
            "today": None if run.today is None else run.today.as_dict(),
            "rolling": None if metrics is None else metrics.rolling.as_dict(),
            "warnings": cautions_of(self),
            "certificate": _plain(self.certificate),
            "why_not": self.why_not,
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


def conclude(
    request: Request,
    opened: OpenedRows,
    session: Session,
    run: Run,
    model: Model | None,
) -> Conclusion:
    """The receipts of what was played."""
    interrupted = not session.ended
    theorems, left_out = None, False
    set_certificate: Certificate | None = None
    if not interrupted:
        with waiting("evaluating theorems"):
            theorems, left_out = _theorems(request, opened, run)
    if model is not None:
        with waiting("scoring rows that were not learned"):
            set_certificate = run.set_certificate(model, request.delta)
    skipped = opened.files.skipped
    refused = [str(problem) for problem in session.refused.values()]
    return Conclusion(
        request=request,
        choice=opened.choice,
        run=run,
        model=model if request.output is not None else None,
        certificate=None
        if why_not(run, delta=request.delta)
        else run.certificate(request.delta),
        theorems=theorems,
        passes=run.later_passes,
        held_out=model.certificate if model is not None and request.tested else None,
        skipped=skipped.count + len(refused),
        problems=[*skipped.messages, *refused][:10],
        unlabeled=session.unlabeled,
        interrupted=interrupted,
        left_out=left_out,
        set_certificate=set_certificate,
        lost=opened.lost,
    )


def _theorems(
    request: Request, opened: OpenedRows, run: Run
) -> tuple[Theorems | None, bool]:
    """The theorems; and whether comparators were left out for their time."""
    if not request.with_theorems:
        return None, False
    if run.game is None or request.hindsight:
        return run.theorems(hindsight=run.game is not None), False
    _, size = opened.files.progress()
    if size is not None and size <= SMALL and run.rounds <= FEW:
        try:
            with budget(SECONDS):
                return run.theorems(), False
        except OverBudget:
            pass
    alone = run.theorems(hindsight=False)
    return alone, bool(alone.waiting)


def unvalidated(run: Run, request: Request, problem: ValueError, other: str) -> Model:
    """The `other` model, where there are too few rows to judge a validated one."""
    if request.model != "validated":
        raise problem
    why = f"Nothing is certified about it: {problem}."
    return replace(run.model(other, request.delta), why_not=why)


def paid_again(later: Document) -> str:
    """What a later pass paid, which is not an online loss."""
    if later["mistakes"] is None:
        return f"loss {later['loss']:,.6g}, on rows seen before"
    return f"{later['mistakes']:,} mistakes, on rows seen before"


def _plain(certificate: Certificate | OperatingPoint | None) -> Document | None:
    return None if certificate is None else certificate.as_dict()


def point_lines(model: Model | None) -> list[str]:
    """What holds at the threshold of a model, where it has one or rows were sealed."""
    if model is None or model.operating_point is None:
        return []
    point = model.operating_point
    if not point.certificates:
        return [model.why_not.partition(". ")[0].removesuffix(".")]
    said = str(point)
    return [f"{said[:1].upper()}{said[1:]}"]
