"""What a user asks of ``train``, and what follows from it before a row is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from .grammar import parse_learner
from .options import read_options
from .output_file import check_output
from .usage import UsageError, checking_usage

__all__ = ["Plan", "Request", "check_report", "default_model", "make_plan"]

TASKS = ("auto", "binary", "multiclass", "regression")
FITS = {"binary": "binary", "classes": "multiclass", "real": "regression"}
WRAPPED = ("binary", "multiclass")  # what one-versus-rest makes of it
MODELS = ("validated", "last", "mean", "last-half", "random", "vote")
REMEMBERED = (
    "data",
    "learner",
    "task",
    "delta",
    "features",
    "class_weights",
    "initial_model",
    "passes",
    "holdout",
    "exchangeability",
    "model",
    "reading",
)
"""What a checkpoint keeps of a request: all that decides what is learned and said."""


@dataclass
class Request:
    """The options of ``train``, as they were given."""

    data: list[str]
    learner: str | None = None
    task: str = "auto"
    delta: float = 0.05
    features: int | None = None
    class_weights: dict[str, float] = field(default_factory=dict[str, float])
    initial_model: str | None = None
    passes: int = 1
    holdout: int | None = None
    hindsight: bool = False
    exchangeability: bool | None = None
    output: str | None = None
    model: str | None = None
    predictions: str | None = None
    checkpoint: str | None = None
    every: str = "30s"
    resume: str | None = None
    report: str | None = None
    json: bool = False
    quiet: bool = False
    reading: dict[str, Any] = field(default_factory=dict[str, Any])

    def remembered(self) -> dict[str, Any]:
        """What a checkpoint keeps, as plain data."""
        everything = asdict(self)
        return {name: everything[name] for name in REMEMBERED}

    def recall(self, kept: dict[str, Any]) -> None:
        """Take from a checkpoint what was not given again.

        What was given again must be the same: another learner, or other data, would
        make one model out of two runs.
        """
        fresh = asdict(Request([]))
        for name in REMEMBERED:
            now, then = getattr(self, name), kept.get(name, fresh[name])
            if name == "reading":
                continue
            if now == fresh[name]:
                setattr(self, name, then)
            elif now != then:
                raise ValueError(
                    f"{self.resume}: it was made with {name}={then!r}, not {now!r}: "
                    "give the same, or leave it out"
                )
        self.reading = kept["reading"]


@dataclass(frozen=True)
class Plan:
    """Everything that decides what is learned.

    Attributes
    ----------
    learner : learner
        Who plays.
    options : ReadOptions
        How the files are read.
    task : str
        "binary", "multiclass" or "regression".
    kind : str
        Which model is to be saved.
    kinds : tuple of str
        What is kept on the way.
    initial : model or None
        Where the weights start.
    wrapped : bool
        Whether a binary learner became one-versus-rest, unasked.
    """

    learner: Any
    options: Any
    task: str
    kind: str
    kinds: tuple[str, ...]
    initial: Any = None
    wrapped: bool = False


def make_plan(request: Request) -> Plan:
    """Check the request, look at the first labels, choose the learner."""
    with checking_usage():
        _check(request)
    initial: Any = None
    reading = request.reading
    if request.initial_model is not None:
        from .. import load

        initial = load(request.initial_model)
        given = {name: value for name, value in reading.items() if value is not None}
        reading = {**_inherited(initial), **given}
    with checking_usage():
        options = read_options(**reading)
        learner = None if request.learner is None else parse_learner(request.learner)
    task = _task(request.data, options, request.task, learner)
    if learner is None:
        learner = initial.learner if initial is not None else default_learner(task)
    wrapped = task == "multiclass" and learner.task == "binary"
    if wrapped:
        from .. import OneVersusRest

        learner = OneVersusRest(learner)
    kind = request.model or default_model(learner)
    wanted = {kind} - {"last"} if request.output is not None else set[str]()
    tested = request.exchangeability
    if tested is None:
        tested = request.report is not None or (kind == "validated" and bool(wanted))
    if tested:
        wanted.add("exchangeability")
    kinds = tuple(sorted(wanted))
    wrapped &= request.learner is not None
    return Plan(learner, options, task, kind, kinds, initial, wrapped)


def default_learner(task: str) -> Any:
    """Who plays when nobody is named."""
    from .. import Panel, RegressionPanel

    return RegressionPanel() if task == "regression" else Panel()


def default_model(learner: Any) -> str:
    """Which of a learner's models is saved when nobody says."""
    from .. import RegressionPanel

    if learner.task != "real":
        return "validated"
    return "last" if isinstance(learner, RegressionPanel) else "mean"


def _check(request: Request) -> None:
    if not request.data:
        raise ValueError("which data? give files, globs, URIs, or - for standard input")
    if request.model is not None and request.model not in MODELS:
        raise ValueError(f"--model {request.model}: one of {', '.join(MODELS)}")
    if request.model is not None and request.output is None and not request.resume:
        raise ValueError("--model says which model is saved: give -o FILE too")
    if not 0.0 < request.delta < 1.0:
        raise ValueError(f"--delta {request.delta:g}: it is between 0 and 1")
    for name in ("output", "checkpoint", "predictions"):
        check_output(f"--{name}", getattr(request, name))
    check_report(request)
    if "-" in request.data and (request.passes > 1 or request.holdout is not None):
        raise ValueError("standard input can be read once: give files")


def check_report(request: Request) -> None:
    """Say before the learning, not after it, that no report can be written."""
    if request.report is None:
        return
    check_output("--report", request.report)
    for name in ("output", "checkpoint", "predictions"):
        if getattr(request, name) == request.report:
            raise ValueError(f"--report and --{name} are the same file")
    from ..report import require_plotly

    try:
        require_plotly()
    except ModuleNotFoundError as missing:
        raise ValueError(f"--report: {missing}") from None


def _task(data: Sequence[str], options: Any, wanted: str, learner: Any) -> str:
    """The task: the learner's, or as asked for, or as the first labels suggest."""
    if wanted not in TASKS:
        raise UsageError(f"--task {wanted}: one of {', '.join(TASKS)}")
    fits = None if learner is None else FITS[learner.task]
    if wanted == "auto":
        if fits is None or fits == "binary":
            wanted = _suggested(data, options)
        # A learner of two classes takes many by one-versus-rest, and nothing else.
        return wanted if fits is None or wanted == "multiclass" else fits
    if fits is not None and fits != wanted and (fits, wanted) != WRAPPED:
        raise UsageError(
            f"--task {wanted} does not fit {learner!r}, which is for {fits}"
        )
    return wanted


def _suggested(data: Sequence[str], options: Any) -> str:
    """The task that the first labels suggest; two classes, of standard input."""
    if "-" in data:
        return "binary"
    from ..protocol.fitting import task_of_files

    return task_of_files(list(data), options) or "binary"


def _inherited(model: Any) -> dict[str, Any]:
    """How the data of an earlier model were read."""
    return dict(model.provenance.reading) if model.provenance is not None else {}
