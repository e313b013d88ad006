"""What a user asks of ``train``, and what follows from it before a row is read."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ..algorithms.learners.probabilities import NO_PROBABILITIES
from .console import say
from .continuing import check_state, continued_reading, known_names, start_of
from .coverage import check_level, set_tracker
from .grammar import parse_learner
from .options import read_options
from .output_file import check_output
from .thresholds import check_threshold
from .usage import UsageError, checking_usage

__all__ = ["Plan", "Request", "check_report", "kept_kinds", "make_plan"]

TASKS = ("auto", "binary", "multiclass", "regression")
FITS = {"binary": "binary", "classes": "multiclass", "real": "regression"}
WRAPPED = ("binary", "multiclass")  # what one-versus-rest makes of it
MODELS = ("validated", "last", "mean", "last-half", "random", "vote")
REMEMBERED = (
    "data",
    "learner",
    "task",
    "fast",
    "delta",
    "features",
    "class_weights",
    "initial_model",
    "passes",
    "holdout",
    "seal",
    "threshold",
    "interval",
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
    fast: bool = False
    delta: float = 0.05
    features: int | None = None
    class_weights: dict[str, float] | str = field(default_factory=dict[str, float])
    initial_model: str | None = None
    passes: int = 1
    holdout: int | None = None
    seal: str | None = None
    threshold: str | None = None
    interval: str | None = None
    hindsight: bool = False
    exchangeability: bool | None = None
    output: str | None = None
    model: str | None = None
    predictions: str | None = None
    proba: bool = False
    plain: bool = False
    resumable: bool = False
    checkpoint: str | None = None
    every: str = "30s"
    resume: str | None = None
    report: str | None = None
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    reading: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def in_full(self) -> bool:
        """Whether all receipts go to the screen."""
        return self.verbose or self.hindsight

    @property
    def with_theorems(self) -> bool:
        """Whether theorems are shown anywhere: they may take a second."""
        return self.in_full or self.json or self.report is not None

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
    kind : str or None
        Which model is to be saved; None: the one that has learned every row.
    kinds : tuple of str
        What is kept on the way.
    initial : model or None
        Where the weights start.
    files : FileSource
        The data, opened once: of a pipe nothing can be read twice.
    wrapped : bool
        Whether a binary learner became one-versus-rest, unasked.
    labels : str
        What the first labels were taken for, and why; empty where it was asked for.
    sets : Tracker or None
        What makes prediction sets on the way.
    state : Checkpoint or None
        Where the run goes on: after rows of other files.
    """

    learner: Any
    options: Any
    task: str
    kind: str | None
    kinds: tuple[str, ...]
    files: Any
    initial: Any = None
    wrapped: bool = False
    labels: str = ""
    sets: Any = None
    state: Any = None


def make_plan(request: Request) -> Plan:
    """Check the request, open the data, look at its labels, choose the learner."""
    with checking_usage():
        _check(request)
    initial: Any = None
    state: Any = None
    names: Any = None
    data: Any = request.data
    reading = request.reading
    if request.initial_model is not None:
        state, initial, reading, data = _start(request)
        names = None if state is None else known_names(state)
    with checking_usage():
        options = read_options(**reading)
        learner = None if request.learner is None else parse_learner(request.learner)
    if names is None:
        names = _names_of(initial, options)
    files = _opened(request, data, options, names)
    if state is not None:
        task, labels = FITS[state.learner.task], ""
        learner = learner or state.learner
    else:
        task, labels = _task(files, request.task, learner)
    files.code_labels(binary=task == "binary", many=task == "multiclass")
    if state is not None:
        files.go_on(state.facts["mark"])
    if learner is None:
        learner = initial.learner if initial is not None else default_learner(task)
    if request.fast:
        learner = without_forest(learner)
    wrapped = task == "multiclass" and learner.task == "binary"
    if wrapped:
        from .. import OneVersusRest

        learner = OneVersusRest(learner)
    if request.proba and not learner.probabilistic:
        raise UsageError(f"--proba: {NO_PROBABILITIES.format(repr(learner))}")
    with checking_usage():
        check_threshold(request, task, learner)
    sets = set_tracker(request.interval, learner)
    wrapped &= request.learner is not None
    kinds = kept_kinds(request, learner)
    return Plan(
        learner,
        options,
        task,
        request.model,
        kinds,
        files,
        initial,
        wrapped,
        labels,
        sets,
        state,
    )


def _start(request: Request) -> tuple[Any, Any, dict[str, Any], Any]:
    """The state or the model of ``-i``; how to read the new files; and these, found."""
    from ..data.input_files import find_places

    path = request.initial_model or ""
    state, model = start_of(path)
    if state is not None:
        check_state(request, state)
        kept = dict(state.facts["mark"]["options"])
    else:
        kept = _inherited(model)
    places = find_places(request.data)
    reading = continued_reading(path, request.reading, kept, places[0])
    return state, model, reading, places


def kept_kinds(request: Request, learner: Any) -> tuple[str, ...]:
    """What is kept on the way for the model, its certificate and the report."""
    from ..models.conversions import default_kinds

    wanted: set[str] = set()
    tested = request.holdout is not None or request.seal is not None
    if request.output is not None or tested:
        wanted |= set(default_kinds(learner, request.model))
    if request.report is not None or request.exchangeability:
        wanted.add("exchangeability")
    if request.exchangeability is False:
        wanted.discard("exchangeability")
    return tuple(sorted(wanted))


def default_learner(task: str) -> Any:
    """Who plays when nobody is named."""
    from .. import Panel, RegressionPanel

    return RegressionPanel() if task == "regression" else Panel()


def without_forest(learner: Any) -> Any:
    """The same panel without its forest."""
    if not hasattr(learner, "forest"):
        raise UsageError(f"--fast: {learner!r} has no forest to leave out")
    return replace(learner, forest=False)


def _check(request: Request) -> None:
    if not request.data:
        raise ValueError("which data? give files, globs, URIs, or - for standard input")
    if request.model is not None and request.model not in MODELS:
        raise ValueError(f"--model {request.model}: one of {', '.join(MODELS)}")
    if request.model is not None and request.output is None and not request.resume:
        raise ValueError("--model says which model is saved: give -o FILE too")
    if request.resumable and request.output is None:
        raise ValueError("--resumable says how -o saves: give -o FILE too")
    if request.resumable and request.passes > 1:
        raise ValueError("--resumable goes with one pass: later ones are not online")
    check_level(request.interval)
    _check_format(request.reading.get("format"))
    if request.seal is not None:
        _check_seal(request)
    elif request.reading.get("group") is not None:
        raise ValueError("--group goes with --seal: rows are sealed by group")
    _check_predictions(request)
    if not 0.0 < request.delta < 1.0:
        raise ValueError(f"--delta {request.delta:g}: it is between 0 and 1")
    for name in ("output", "checkpoint"):
        check_output(f"--{name}", getattr(request, name), request.data)
    check_report(request)


def _check_format(form: str | None) -> None:
    from ..data.format_detection import FORMATS

    if form is not None and form not in FORMATS:
        listed = ", ".join(FORMATS)
        why = "(-o FILE saves the model)"
        raise ValueError(f"format={form!r}: it is one of {listed} {why}")


def _check_predictions(request: Request) -> None:
    """Whether predictions can be written there; ``-`` is standard output."""
    if request.predictions is None:
        for name in ("proba", "plain"):
            if getattr(request, name):
                raise ValueError(f"--{name} says what -p writes: give -p FILE too")
        return
    if request.predictions != "-":
        check_output("--predictions", request.predictions, request.data)
        return
    if request.json:
        raise ValueError("--json and -p - both write to standard output: give -p FILE")
    for name in ("checkpoint", "resume", "plain"):
        if getattr(request, name):
            raise ValueError(f"-p - does not go with --{name}: give -p FILE")


def _check_seal(request: Request) -> None:
    from ..data.sealed_rows import checked_share

    checked_share(request.seal)
    if request.holdout is not None:
        raise ValueError("--seal and --holdout both set rows aside: give one of them")
    if request.model in ("validated", "random", "vote"):
        raise ValueError(
            f"--seal certifies the last model, not --model {request.model}"
        )


def check_report(request: Request) -> None:
    """Say before the learning, not after it, that no report can be written."""
    if request.report is None:
        return
    check_output("--report", request.report, request.data)
    for name in ("output", "checkpoint", "predictions"):
        if getattr(request, name) == request.report:
            raise ValueError(f"--report and --{name} are the same file")
    from ..report.charts import converter

    try:
        converter()
    except ModuleNotFoundError as missing:
        raise ValueError(f"--report: {missing}") from None


def _names_of(initial: Any, options: Any) -> dict[int, Any] | None:
    """The names of the initial model, where names are numbered as they come."""
    names = None if initial is None else initial.names
    if names is None or options.format not in (None, "jsonl"):
        return None
    from ..engine.feature_names import numbered

    return dict(numbered(names, 0))


def _opened(
    request: Request, data: Any, options: Any, names: dict[int, Any] | None
) -> Any:
    from ..data.file_source import FileSource
    from ..data.sealed_rows import Seal, Side

    files = FileSource(
        data,
        options,
        binary=False,
        n_features=request.features,
        names=names,
        frozen=False,
        side=None if request.seal is None else Side(Seal(request.seal), reserved=False),
        tagged=request.predictions is not None,
    )
    cached = request.predictions is not None and options.cache
    if cached and files.options.format == "vw" and not request.quiet:
        say("a cache keeps no tags, and -p writes them: the text itself is read")
    twice = {
        "--passes": request.passes > 1,
        "--holdout": request.holdout is not None,
        "--seal": request.seal is not None,
    }
    for place in files.places:
        if any(twice.values()) and not place.again:
            files.close()
            option = next(name for name, given in twice.items() if given)
            raise UsageError(
                f"{place.name}: a pipe can be read once, and {option} reads the rows "
                "again: give files"
            )
    return files


def _task(files: Any, wanted: str, learner: Any) -> tuple[str, str]:
    """The task: the learner's, or as asked for, or as the first labels suggest.

    Then what is to be said of that suggestion: nothing, where there is no doubt.
    """
    said = ""
    if wanted not in TASKS:
        raise UsageError(f"--task {wanted}: one of {', '.join(TASKS)}")
    fits = None if learner is None else FITS[learner.task]
    if wanted == "auto":
        if fits is None or fits == "binary":
            from ..data import suggested

            found = suggested(files.first_labels())
            wanted, said = found.task, "" if found.task == "binary" else found.line()
        # A learner of two classes takes many by one-versus-rest, and nothing else.
        if fits is None or wanted == "multiclass":
            return wanted, said
        return fits, ""
    if fits is not None and fits != wanted and (fits, wanted) != WRAPPED:
        raise UsageError(
            f"--task {wanted} does not fit {learner!r}, which is for {fits}"
        )
    return wanted, said


def _inherited(model: Any) -> dict[str, Any]:
    """How the data of an earlier model were read."""
    return dict(model.provenance.reading) if model.provenance is not None else {}
