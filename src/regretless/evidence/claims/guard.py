"""The guard: whatever is certified about a run goes through here, or is not said.

A claim about new rows needs rows that were new, and that new ones are like them. What
speaks against that is asked of the run's own record, for every claim alike: rows that
came again, labels that came late, rows that changed on the way, an error that jumped
where another file began, copies that are easier than other rows, and an error on the
last rows that is above the bound.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...errors import NotCertified
from ...parts.documents import Document
from ..certify import Certificate, clopper_pearson
from ..played_run import PlayedRun
from ..snapshots import Recorder, Snapshot
from .change import change_of, evidence_of, last_tenth
from .growth import CLEARLY, PERHAPS, growth_of

UNKNOWN_START = (
    "the model that it started from has learned none of these rows (its file keeps no "
    "sample of its own to compare them with)"
)
COPIES = 0.05  # the share of rows with an earlier copy from which on it is said
ABOVE = 0.05  # the chance that the last rows seem to be above a bound by chance
SOME_LATE = 0.01  # of the events: so many late labels change little
JUMP = 4.0  # standard deviations of an error at a seam
LATE = (
    "Nothing is certified: {late:,} labels came after later events had been asked, so "
    "what was said of them is not what the ledger counts. rg.events.progressive keeps "
    "what was said, and certifies it."
)


class Counted(NamedTuple):
    """Rows that judge a fixed hypothesis: all of them, and those without a copy.

    Attributes
    ----------
    rows, errors : int
        All rows, and how many are errors.
    looked : int
        The rows that were compared with what was learned: all, or a sample.
    alone, alone_errors : int
        Those of them that have no copy there, and how many are errors.
    last, last_errors : int
        About the last tenth of the rows, and its errors; 0 where order is no matter.
    """

    rows: int
    errors: int
    looked: int = 0
    alone: int = 0
    alone_errors: int = 0
    last: int = 0
    last_errors: int = 0

    @classmethod
    def of(cls, snapshot: Snapshot) -> Counted:
        """The rows that a frozen hypothesis has met."""
        return cls(
            snapshot.rounds,
            snapshot.errors,
            snapshot.looked,
            snapshot.alone,
            snapshot.alone_errors,
            *snapshot.course.last(),
        )

    @classmethod
    def online(cls, run: PlayedRun) -> Counted:
        """The rounds of a run, each predicted before it was learned.

        Where labels came late, what was said when they were asked.
        """
        if run.said is not None:
            return run.said
        mistakes = run.mistakes or 0
        last, wrong, _ = last_tenth(run)
        return cls(run.rounds, mistakes, last=last, last_errors=wrong or 0)


def objection(
    run: PlayedRun, recorder: Recorder | None = None, *, units: bool = False
) -> str:
    """Why nothing is certified about a run, in sentences; "" where nothing speaks.

    `units`: what is certified counts groups of rows, which may differ among each
    other: then rows that change from one group to the next are no objection.
    """
    if run.replay:
        return run.replay
    late = 0 if run.record is None or run.said is not None else run.record.late
    if late > SOME_LATE * run.rounds:
        return LATE.format(late=late)
    if units:
        return ""
    change = change_of(run, recorder)
    return _jump(run) or _growth(run, recorder) if change is None else str(change)


def guarded(
    run: PlayedRun,
    found: Certificate,
    counted: Counted | None = None,
    recorder: Recorder | None = None,
    *,
    units: bool = False,
) -> Certificate:
    """The certificate with what it assumes; or :class:`NotCertified`, and why.

    Parameters
    ----------
    run : run
        What was played.
    found : Certificate
        What is to be said.
    counted : Counted or None
        The rows that judge it.
    recorder : Recorder or None
        Who froze hypotheses, where it is not the run's own.
    units : bool
        See :func:`objection`.
    """
    against = objection(run, recorder, units=units)
    if not against and counted is not None and found.loss == "error":
        against = _copies(found, counted) or _drift(found, counted)
    if against:
        raise NotCertified(against)
    cautions = () if counted is None else tuple(_cautions(run, found, counted))
    if not units and growth_of(run, recorder) > PERHAPS:
        cautions = (*cautions, "the error may be growing: look at the last rows")
    known = run.seen is not None and run.seen.earlier > 0
    assumptions = found.assumptions
    if run.warm and not known and UNKNOWN_START not in assumptions:
        assumptions = (*assumptions, UNKNOWN_START)
    evidence = "" if units else evidence_of(run, recorder)
    last = None
    if counted is not None and counted.last and found.loss == "error":
        last = (counted.last, counted.last_errors / counted.last)
    return replace(
        found,
        assumptions=assumptions,
        evidence=evidence,
        cautions=cautions,
        last=last,
    )


def claim(
    run: PlayedRun,
    found: Certificate,
    counted: Counted | None = None,
    recorder: Recorder | None = None,
    *,
    units: bool = False,
) -> Document:
    """The same for a model: its certificate; or None, and why not."""
    try:
        certified = guarded(run, found, counted, recorder, units=units)
    except NotCertified as why:
        return {"certificate": None, "why_not": str(why)}
    return {"certificate": certified, "why_not": ""}


def _copies(found: Certificate, counted: Counted) -> str:
    """That rows with an earlier copy are easier, beyond chance, than the others."""
    if counted.alone == counted.looked:
        return ""
    half = found.delta / 2.0
    above = clopper_pearson(counted.rows, counted.errors, half)
    below = _lower(counted.alone, counted.alone_errors, half)
    if below <= above:
        return ""
    return (
        f"Nothing is certified: {_share(counted)} of the rows are copies of rows that "
        f"were learned before. The error is {counted.errors / counted.rows:.2%} on "
        f"all rows, and {counted.alone_errors / counted.alone:.2%} on those without an "
        "earlier copy: which of them new rows will be like is not known."
    )


def _drift(found: Certificate, counted: Counted) -> str:
    """That the last rows err clearly more often than the bound says."""
    if not counted.last:
        return ""
    level = min(found.delta, ABOVE)
    if _lower(counted.last, counted.last_errors, level) <= found.value:
        return ""
    return (
        "No bound about the future: the error grows. It was "
        f"{counted.last_errors / counted.last:.2%} on the last {counted.last:,} rows, "
        f"clearly above the {found.value:.2%} that all rows together would certify."
    )


def _growth(run: PlayedRun, recorder: Recorder | None) -> str:
    """That errors grow with time."""
    if growth_of(run, recorder) < CLEARLY:
        return ""
    rows, mistakes, loss = last_tenth(run)
    recent = f"mean loss {loss / rows:.6g}"
    if mistakes is not None:
        recent = f"error {mistakes / rows:.2%}"
    return (
        "No bound about the future: the error grows from row to row; on the last "
        f"{rows:,} rows, each predicted before it was learned: {recent}."
    )


def _jump(run: PlayedRun) -> str:
    """That the error jumped exactly where another file began."""
    record, curve = run.record, getattr(run.ledger, "curve", None)
    if record is None or run.mistakes is None or curve is None or len(curve) < 8:
        return ""
    rounds, mistakes = curve[:, 0], curve[:, 1]
    for seam in record.seen.seams:
        width = min(seam / 2.0, run.rounds - seam)
        marks = seam + width * np.arange(-2.0, 2.0)
        at = [int(abs(rounds - mark).argmin()) for mark in marks]
        rows, errors = np.diff(rounds[at]), np.diff(mistakes[at])
        if (rows < 1.0).any():
            continue
        first, before, after = (errors / rows).tolist()
        rates = (errors + 1.0) / (rows + 2.0)
        noise = math.sqrt(float((rates * (1.0 - rates) / rows).sum()))
        usual = max(first - before, 0.0)  # it falls as it learns, ever more slowly
        if abs(after - before) > usual + JUMP * noise:
            return (
                "No bound about the future: the error jumped where another file "
                f"began, after round {seam:,}: from {before:.2%} to {after:.2%}. Rows "
                "that were learned before, or others than before, do that."
            )
    return ""


def _cautions(run: PlayedRun, found: Certificate, counted: Counted) -> list[str]:
    """What should be known beside a bound."""
    said: list[str] = []
    copies = counted.looked - counted.alone if counted.looked else 0
    share = copies / counted.looked if counted.looked else 0.0
    if not counted.looked and run.seen is not None:
        share = run.seen.exact.twins / 2.0  # one of a pair came first
    if share >= COPIES:
        alone = ""
        if counted.alone:
            error = counted.alone_errors / counted.alone
            alone = f"; the error on the others is {error:.2%}"
        said.append(f"{share:.0%} of the rows are copies of rows learned before{alone}")
    if counted.last and found.loss == "error":
        recent = counted.last_errors / counted.last
        noise = math.sqrt(found.value * (1.0 - found.value) / counted.last)
        if recent > found.value + noise:
            said.append(
                f"the error was {recent:.2%} on the last {counted.last:,} rows, above "
                "the bound: it may be growing"
            )
    return said


def _share(counted: Counted) -> str:
    return f"{1.0 - counted.alone / counted.looked:.0%}"


def _lower(rows: int, errors: int, delta: float) -> float:
    """A lower confidence limit of an error rate."""
    return 1.0 - clopper_pearson(rows, rows - errors, delta) if rows else 0.0
