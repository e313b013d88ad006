"""What a user asks of ``train``: its session, and what is shown of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

from ..declared import Declared, options_of
from ..runs.session_options import SessionOptions, keeping, learning
from . import options as o
from .output_file import check_outputs
from .usage import UsageError

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner

MODELS = ("validated", "last", "mean", "last-half", "random", "vote")
PICTURES = (".pdf", ".png", ".svg")


@dataclass
class Request(SessionOptions):
    """The options of ``train``: those of its session, and what is shown of it."""

    best_by: Annotated[
        str,
        learning(
            text="Of several, the best by: log-loss, auc, error, squared-error, ...",
            hidden=True,
        ),
    ] = ""
    group: Annotated[
        str | None,
        learning(text="Seal by this column: users, days; no feature."),
    ] = None
    hindsight: Annotated[
        bool,
        learning(
            text="Solve for the best comparators: more passes.", goes_with=("cluster",)
        ),
    ] = False
    output: Annotated[
        str | None, keeping("--output", "-o", text="Save the model here.", file=True)
    ] = None
    predictions: Annotated[
        str | None,
        keeping(
            "--predictions",
            "-p",
            text="Write each row's prediction, made before its label is seen.",
            file=True,
            goes_with=(),
        ),
    ] = None
    spreadsheet_safe: o.SpreadsheetSafe = False
    resumable: Annotated[
        bool,
        keeping(text="Save the model with its state, for -i to go on.", goes_with=()),
    ] = False
    report: Annotated[
        str | None,
        keeping(text="Write all receipts as one page of HTML here.", file=True),
    ] = None
    json: o.Json = False
    quiet: o.Quiet = False
    verbose: o.Verbose = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.task = self.task or "auto"

    @property
    def in_full(self) -> bool:
        """Whether all receipts go to the screen."""
        return self.verbose or self.hindsight

    @property
    def with_theorems(self) -> bool:
        """Whether theorems are shown anywhere: they may take a second."""
        return self.in_full or self.json or self.report is not None

    def check(self) -> None:
        """Refuse what does not go together, before anything is read."""
        if not self.data:
            raise UsageError(
                "which data? give files, globs, URIs, or - for standard input"
            )
        self._check_saving()
        if self.interval is not None:
            _check_level(self.interval)
        _check_format(self.reading.get("format"))
        if self.best_by:
            from ..runs.choosing import measure_called

            measure_called(self.best_by)
        super().check()
        self._check_predictions()
        self._check_outputs()
        self._check_report()

    def given(self) -> list[Declared]:
        """The options that are not as they are where none is given."""
        unset = type(self)()
        return [
            one
            for one in options_of(type(self))
            if getattr(self, one.name) != getattr(unset, one.name)
        ]

    def refuse_without(self, company: str, why: str) -> None:
        """Refuse options that do not go with "several" learners, or a "cluster"."""
        for one in self.given():
            if company not in one.goes_with:
                raise UsageError(f"{one.written} {why}")

    def _check_saving(self) -> None:
        if self.model is not None and self.model not in MODELS:
            raise UsageError(f"--model {self.model}: one of {', '.join(MODELS)}")
        if self.output is not None:
            if self.resumable and self.passes > 1:
                raise UsageError(
                    "--resumable goes with one pass: later ones are not online"
                )
            return
        if self.model is not None and not self.resume:
            raise UsageError("--model says which model is saved: give -o FILE too")
        if self.resumable:
            raise UsageError("--resumable says how -o saves: give -o FILE too")
        if self.threshold is not None and self.resume is None:
            raise UsageError("--threshold is part of the model: give -o FILE too")

    def _check_predictions(self) -> None:
        """Whether predictions can be written there; ``-`` is standard output."""
        if self.predictions is None:
            if self.spreadsheet_safe:
                raise UsageError(
                    "--spreadsheet-safe says how -p writes: give -p FILE too"
                )
            return
        if self.predictions != "-":
            return
        if self.json:
            raise UsageError(
                "--json and -p - both write to standard output: give -p FILE"
            )
        for name in ("checkpoint", "resume"):
            if getattr(self, name):
                raise UsageError(f"-p - does not go with --{name}: give -p FILE")

    def _check_outputs(self) -> None:
        """Refuse files that cannot be written, or that would be lost."""
        predictions = None if self.predictions == "-" else self.predictions
        started, again = self.initial_model, self.resume
        beside: dict[str, str] = {}
        if predictions and (self.checkpoint or again):
            beside["the part of --predictions"] = f"{predictions}.part"
        check_outputs(
            {
                "--output": self.output,
                "--checkpoint": self.checkpoint,
                "--predictions": predictions,
                "--report": self.report,
            },
            self.data,
            others={
                "--output": [again],
                "--checkpoint": [started],
                "--predictions": [started, again],
                "--report": [started, again],
            },
            beside=beside,
        )

    def _check_report(self) -> None:
        """Say before the learning, not after it, that no report can be written."""
        if self.report is None:
            return
        suffix = PurePath(self.report).suffix.lower()
        if suffix in PICTURES:
            raise UsageError(
                f"--report {self.report}: the report is a page of HTML: name it .html "
                f"(run.plot().save(...) writes {suffix} in Python)"
            )
        from ..report.charts import converter

        try:
            converter()
        except ModuleNotFoundError as missing:
            raise UsageError(f"--report: {missing}") from None


def kept_kinds(request: Request, learner: RowLearner) -> tuple[str, ...]:
    """What is kept on the way for the model, its certificate and the report."""
    from ..models.conversions import default_kinds

    wanted: set[str] = set()
    if request.output is not None or request.tested:
        wanted |= set(default_kinds(learner, request.model))
    return tuple(sorted(wanted))


def _check_format(form: str | None) -> None:
    from ..data.format_detection import FORMATS

    if form is not None and form not in FORMATS:
        listed = ", ".join(FORMATS)
        why = "(-o FILE saves the model)"
        raise UsageError(f"format={form!r}: it is one of {listed} {why}")


def _check_level(level: float | str) -> None:
    """Refuse what is no level of prediction sets."""
    from ..algorithms.prediction_sets import checked_level

    try:
        checked_level(level)
    except ValueError as problem:
        raise UsageError(f"--interval, --sets: {problem}") from None
