"""What a training came to: the run, its model, its theorems, as data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..evidence.claims.doubts import why_not
from ..evidence.hindsight.budget import OverBudget, budget
from ..evidence.judged_run import JudgedRun
from ..parts.documents import Document
from ..parts.waiting import waiting
from ..report.receipts import Receipts
from .request import Request
from .seen_columns import SeenColumns

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Conclusion(Receipts):
    """The outcome of a training: theorems are None after Ctrl-C.

    Attributes
    ----------
    request : Request
        What was asked.
    choice : Choice
        The task and the learner.
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
    skipped: int = 0
    problems: list[str] = field(default_factory=list[str])
    unlabeled: int = 0
    interrupted: bool = False
    left_out: bool = False
    seconds: float = 0.0
    ids: SeenColumns = field(default_factory=SeenColumns)
    lost: str = ""

    def as_dict(self) -> Document:
        """The whole as plain data, for JSON."""
        from .cautions import cautions_of

        request = self.request
        return {
            **super().as_dict(),
            "command": "train",
            "schema": SCHEMA,
            "data": request.data,
            "task": self.choice.task,
            "labels": self.choice.why or None,
            "unlabeled": self.unlabeled,
            "skipped": {"count": self.skipped, "first": self.problems},
            "warnings": cautions_of(self),
            "certificates": OWN_DELTA,
            "theorems_left_out": self.left_out,
            "report": None if self.interrupted else request.report,
            "interrupted": self.interrupted,
            "seconds": self.seconds,
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
        remarks += later_lines(self.run)
        write(
            self.run,
            path,
            delta=self.delta,
            data=data_words(self.request.data),
            hindsight=False,
            theorems=self.theorems,
            model=self.model,
            saved=self.saved,
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
        delta=request.delta,
        model=model if request.output is not None else None,
        saved=None if interrupted else request.output,
        certificate=None
        if why_not(run, delta=request.delta)
        else run.certificate(request.delta),
        theorems=theorems,
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


def later_lines(run: JudgedRun) -> list[tuple[str, str]]:
    """What later passes paid, which is no online loss."""
    lines: list[tuple[str, str]] = []
    for one in run.later_passes:
        paid = f"loss {one['loss']:,.6g}"
        if one["mistakes"] is not None:
            paid = f"{one['mistakes']:,} mistakes"
        lines.append((f"pass {one['pass']}", f"{paid}, on rows seen before"))
    return lines
