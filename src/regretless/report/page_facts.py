"""What a page shows, as data: every number of it is here, and none is made later."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

import numpy as np

from ..evidence.certify import Certificate
from ..evidence.claims import ALARM, Tested, change_of, change_tests
from ..evidence.claims.change import Change
from ..evidence.claims.doubts import why_not
from ..evidence.judged_run import JudgedRun
from ..evidence.metrics import Metrics
from ..evidence.played_run import of_rows
from ..evidence.snapshots import Recorder
from ..evidence.theorems import Theorems, theorems_about
from ..evidence.verdicts import RegretCurve, regret_curves_of
from ..models import Model
from ..models.conversions import model_of
from ..models.provenance import makes_models
from ..parts.documents import Document
from ..parts.notebook_html import Printed
from .bibliography import cited
from .progress import ProgressChart, progress_of
from .receipts import Receipts
from .weights import Bars, bars_of

UNASKED = (
    "The theorems hold for every comparator u; which u is best was not asked. "
    "--hindsight, or report(..., hindsight=True), finds it and evaluates them."
)
ONCE = (
    "The theorems hold for every comparator u; to find the best one the data are read "
    "again, and they were a stream that can be read only once."
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PageFacts(Printed, Receipts):
    """What a page shows: the receipts, and what charts are drawn of.

    Attributes
    ----------
    data : str
        What it was played over, in words.
    progress : ProgressChart
        Mistakes, loss and certificate over time.
    courses : tuple of RegretCurve
        Regret and bounds over time, one for each comparator.
    tests : tuple of Tested
        Of exchangeability.
    bars : tuple of Bars
        Weights by name.
    remarks : tuple of (what, how much)
        More facts of the run.
    replayed : Metrics or None
        How good the predictions were, where that was found by playing again.
    missing : dict
        From what is left out to why, in words.
    change : Change or None
        How the rows changed on the way, if they did.
    """

    data: str = ""
    progress: ProgressChart
    courses: tuple[RegretCurve, ...] = ()
    tests: tuple[Tested, ...] = ()
    bars: tuple[Bars, ...] = ()
    remarks: tuple[tuple[str, str], ...] = ()
    replayed: Metrics | None = None
    missing: dict[str, str] = field(default_factory=dict[str, str])
    change: Change | None = None

    @property
    def metrics(self) -> Metrics | None:
        """How good the predictions were."""
        return self.replayed or self.run.measured

    @property
    def why_not(self) -> str:
        """Why nothing is certified; "" where something is."""
        found = super().why_not
        return self.missing.get("certificate", found) if self.model is None else found

    @property
    def kind(self) -> str:
        """What was played: "rows", "experts" or "numbers"."""
        return self.run.ledger.plays

    @property
    def alarm(self) -> Tested | None:
        """The test that speaks loudest against exchangeability, if it is an alarm."""
        loudest = max(self.tests, key=lambda test: test.evidence, default=None)
        return loudest if loudest is not None and loudest.evidence >= ALARM else None

    @property
    def bibtex(self) -> str:
        """BibTeX of the theorems that apply."""
        if self.theorems is None:
            return ""
        sources = [verdict.theorem.source for verdict in self.theorems.applying]
        return "\n\n".join(str(entry) for entry in cited(sources))

    def __str__(self) -> str:
        """The first screen of the page."""
        from .answer import answer_of

        answer = answer_of(self)
        said = [*answer.sentences, answer.warning]
        body = [textwrap.fill(text, 88) for text in said if text]
        return "\n".join([answer.title, *body])

    def as_dict(self) -> Document:
        """Plain data; what ``train --json`` has too is under the same names."""
        return {
            **super().as_dict(),
            "data": self.data,
            "delta": self.delta,
            "progress": vars(self.progress),
            "courses": [
                {**vars(course), "bounds": [vars(bound) for bound in course.bounds]}
                for course in self.courses
            ],
            "exchangeability": {
                "alarm_at": ALARM,
                "tests": [test._asdict() for test in self.tests],
            },
            "weights": [bars._asdict() for bars in self.bars],
            "bibtex": self.bibtex,
            "missing": self.missing,
        }


def facts(
    run: JudgedRun,
    *,
    delta: float = 0.05,
    data: str = "",
    hindsight: bool = True,
    theorems: Theorems | None = None,
    model: Model | None = None,
    saved: str | None = None,
    held_out: Certificate | None = None,
    remarks: tuple[tuple[str, str], ...] = (),
    runs: int = 1,
) -> PageFacts:
    """Gather what a page about `run` shows.

    Parameters
    ----------
    run : Run
        Of any learner.
    delta : float
        The probability that a certificate is wrong.
    data : str
        What the run was played over, in words.
    hindsight : bool
        Whether to look at the data again, where that is possible: for the comparators
        of theorems, for regret over time, for a validated model and the test of
        exchangeability where they were not kept.
    theorems, model, saved, held_out, remarks
        What is known already: it is not found again.
    runs : int
        How many runs are certified together; each gets delta/runs.
    """
    missing: dict[str, str] = {}
    recorder, model = _recorded(run, delta / runs, hindsight, model, missing)
    certificate: Certificate | None = None
    change = change_of(run, recorder)
    if reason := why_not(run, recorder, delta / runs):
        missing["certificate"] = reason
    else:
        certificate = run.certificate(delta, runs=runs)
    theorems = theorems or _theorems(run, hindsight, missing)
    return PageFacts(
        run=run,
        data=data,
        delta=delta,
        progress=progress_of(run, certificate),
        certificate=certificate,
        model=model,
        saved=saved,
        theorems=theorems,
        courses=_courses(run, theorems, missing),
        tests=_tests(run, recorder, missing),
        bars=_bars(run, model, missing),
        held_out=held_out,
        remarks=remarks,
        replayed=_metrics(run, hindsight),
        missing=missing,
        change=change,
    )


def _metrics(run: JudgedRun, hindsight: bool) -> Metrics | None:
    """The metrics, as kept, or by playing again; None where there are none."""
    if run.measured is None and not hindsight:
        return None
    try:
        return run.metrics
    except ValueError:
        return None


def _recorded(
    run: JudgedRun,
    delta: float,
    hindsight: bool,
    model: Model | None,
    missing: dict[str, str],
) -> tuple[Recorder | None, Model | None]:
    """The recorder with its tests, and a model: as kept, or by playing again."""
    recorder = run.recorder
    kinds = {"validated"} if run.mistakes is not None and model is None else set[str]()
    kept: set[str] = set() if recorder is None else recorder.kinds
    again = hindsight and not run.stopped and not kinds <= kept
    if again and of_rows(run) and run.game is not None:
        recorder = run.game.record(sorted(kinds), run.length)
    found = recorder is not None and "validated" in recorder.kinds
    if model is None and found and makes_models(run):
        try:
            model = model_of(run, "validated", delta, recorder)
        except ValueError as refusal:
            missing["model"] = f"There is no validated model: {refusal}."
    return recorder, model


def _theorems(
    run: JudgedRun, hindsight: bool, missing: dict[str, str]
) -> Theorems | None:
    if not theorems_about(run.learner):
        missing["theorems"] = f"No theorem is known about {run.learner!r}."
        return None
    return run.theorems(hindsight=hindsight)


def _courses(
    run: JudgedRun, theorems: Theorems | None, missing: dict[str, str]
) -> tuple[RegretCurve, ...]:
    """Regret and bounds at the checkpoints of the ledger."""
    if theorems is None or not theorems.compared:
        why = UNASKED if run.game is not None else ONCE
        missing["regret"] = f"Regret needs a comparator. {why}"
        return ()
    stops = np.unique(np.append(run.ledger.curve[:, 0], run.rounds)).astype(int)
    try:
        return tuple(regret_curves_of(run, theorems, stops.tolist()))
    except ValueError as refusal:
        missing["regret"] = f"Regret over time is not shown: {refusal}."
        return ()


def _tests(
    run: JudgedRun, recorder: Recorder | None, missing: dict[str, str]
) -> tuple[Tested, ...]:
    found = tuple(change_tests(run, recorder))
    if not found:
        missing["exchangeability"] = (
            "Exchangeability is not tested: what is promised here holds whatever the "
            "data."
        )
    return found


def _bars(
    run: JudgedRun, model: Model | None, missing: dict[str, str]
) -> tuple[Bars, ...]:
    try:
        return tuple(bars_of(run, model))
    except ValueError as refusal:
        missing["weights"] = f"Weights are not shown: {refusal}."
        return ()
