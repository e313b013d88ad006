"""The guard: whatever is certified about a run goes through here, or is not said.

A claim about new rows needs rows that were new, and that new ones are like them. What
speaks against that is asked of the run's own record, for every claim alike: rows that
came again, labels that came late, rows that changed on the way, neighbors that are
alike, an error that jumped where another file began, that grows or comes in blocks,
rows that were multiplied, copies that are easier than other rows, and an error on the
last rows that is above the bound.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...errors import NotCertified
from ...parts.documents import Document
from ...parts.rows import Longs
from ..certify import Certificate, clopper_pearson
from ..played_run import PlayedRun
from ..snapshots import Recorder, Snapshot
from .change import change_of, evidence_of, last_tenth
from .growth import (
    CLEARLY,
    PERHAPS,
    UNEVEN,
    dispersion_of,
    growth_of,
    unevenness_of,
)

UNKNOWN_START = (
    "the model that it started from has learned none of these rows (its file keeps no "
    "sample of its own to compare them with)"
)
FEW_COPIES = 0.01  # the share of copies that sealed rows are not silent about
COPIES = 0.05  # the share of rows with an earlier copy from which on it is said
ABOVE = 0.05  # the chance that the last rows seem to be above a bound by chance
SHUFFLED = (
    "the rows were shuffled, so whether they change with time was not tested "
    "(shuffle=False tests it)"
)
SOME_LATE = 0.01  # of the events: so many late labels change little
DEPENDENT = 6.0  # standard deviations of the number of equal neighbors
JUMP = 4.0  # standard deviations of an error at a seam
LATE = (
    "Nothing is certified: {late:,} labels came after later events had been asked, so "
    "what was said of them is not what the ledger counts. rg.events.progressive keeps "
    "what was said, and certifies it."
)


class ComparedRows(NamedTuple):
    """Rows that were compared, and those without a copy, with the errors of each."""

    looked: int
    errors: int
    alone: int
    alone_errors: int


class Counted(NamedTuple):
    """Rows that judge a fixed hypothesis: all of them, and those without a copy.

    Attributes
    ----------
    rows, errors : int
        All rows, and how many are errors.
    sides : tuple of ComparedRows
        The rows that were compared with what was learned, all or a sample, by their
        label where there are two.
    last, last_errors : int
        About the last tenth of the rows, and its errors; 0 where order is no matter.
    sealed : bool
        Whether copies of these rows are among them, and none among those learned.
    """

    rows: int
    errors: int
    sides: tuple[ComparedRows, ...] = ()
    last: int = 0
    last_errors: int = 0
    sealed: bool = False

    @classmethod
    def of(cls, snapshot: Snapshot) -> Counted:
        """The rows that a frozen hypothesis has met."""
        return cls(
            snapshot.rounds,
            snapshot.errors,
            sides_of(snapshot.sides),
            *snapshot.course.last(),
        )

    @property
    def compared(self) -> ComparedRows:
        """All rows that were compared."""
        return ComparedRows(
            *(
                sum(column)
                for column in zip(ComparedRows(0, 0, 0, 0), *self.sides, strict=True)
            )
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


def sides_of(numbers: Longs) -> tuple[ComparedRows, ...]:
    """The sides that an array of their numbers says, but for those without rows."""
    return tuple(ComparedRows(*side) for side in numbers.tolist() if side[0])


def objection(
    run: PlayedRun, recorder: Recorder | None = None, *, units: bool = False
) -> str:
    """Why nothing is certified about a run, in sentences; "" where nothing speaks.

    `units`: what is certified counts days, or other units of time: then rows that
    change within them, and come and go with them, are no objection.
    """
    if run.replay:
        return run.replay
    late = 0 if run.record is None or run.said is not None else run.record.late
    if late > SOME_LATE * run.rounds:
        return LATE.format(late=late)
    if units:
        return _growth(run, recorder, uneven=False)
    change = change_of(run, recorder)
    if change is not None:
        return str(change)
    return _neighbors(run) or _jump(run) or _growth(run, recorder)


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
    against = objection(run, recorder, units=units) or _multiplied(run, counted)
    if not against and counted is not None and found.loss == "error":
        against = _copies(run, found, counted, recorder) or _drift(found, counted)
    if against:
        raise NotCertified(against)
    cautions = () if counted is None else tuple(_cautions(run, found, counted))
    if not units and not cautions and growth_of(run, recorder) > PERHAPS:
        cautions = ("the error may be growing: look at the last rows",)
    if run.record is not None and run.record.drawn:
        cautions = (*cautions, SHUFFLED)
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


def _multiplied(run: PlayedRun, counted: Counted | None) -> str:
    """That rows stand there several times, as after a join."""
    sealed = counted is not None and counted.sealed
    if sealed or run.seen is None or not run.seen.exact.multiplied:
        return ""
    return (
        "Nothing is certified: the rows have been multiplied "
        f"({run.seen.exact.copies:.2g} copies of each on average, in numbers too even "
        "for chance), and copies of learned rows are no new ones. Drop the copies, or "
        "seal rows: --seal 10% keeps copies together."
    )


def _copies(
    run: PlayedRun, found: Certificate, counted: Counted, recorder: Recorder | None
) -> str:
    """That rows with an earlier copy are easier, beyond chance, than the others.

    The rows that judge are asked, and those after each frozen hypothesis.
    """
    recorder = recorder or run.recorder
    held = () if recorder is None else recorder.snapshots.held
    frozen = [Counted.of(one) for one in held if one.start is None]
    sides = [
        (side, one)
        for one in (counted, *frozen)
        for side in (one.compared, *one.sides)
        if 0 < side.alone < side.looked
    ]
    for side, one in sides:
        level = found.delta / (2.0 * len(sides))
        above = clopper_pearson(side.looked, side.errors, level)
        if _lower(side.alone, side.alone_errors, level) > above:
            which = "" if side == one.compared else " of one label"
            return (
                f"Nothing is certified: {1.0 - side.alone / side.looked:.0%} of the "
                f"rows{which} are copies of rows learned before, and the error is "
                f"{side.errors / side.looked:.2%} on all of them, but "
                f"{side.alone_errors / side.alone:.2%} on those without an earlier "
                "copy. Which of them new rows will be like is not known."
            )
    return ""


def _drift(found: Certificate, counted: Counted) -> str:
    """That the last rows err clearly more often than the bound says."""
    if not counted.last:
        return ""
    level = min(found.delta, ABOVE)
    if _lower(counted.last, counted.last_errors, level) <= found.value:
        return ""
    return (
        "No bound about the future: the error was "
        f"{counted.last_errors / counted.last:.2%} on the last {counted.last:,} rows, "
        f"clearly above the {found.value:.2%} that all rows together would certify."
    )


def _neighbors(run: PlayedRun) -> str:
    """That rows next to each other have the same label too often."""
    if run.record is None or run.record.neighbors < DEPENDENT:
        return ""
    return (
        "No bound about the future: rows next to each other have the same label more "
        "often than chance allows, so they are no independent draws. Shuffle them, if "
        "their order means nothing."
    )


def _growth(run: PlayedRun, recorder: Recorder | None, *, uneven: bool = True) -> str:
    """That errors grow with time, or come in blocks."""
    what = ""
    if growth_of(run, recorder) >= CLEARLY:
        what = "the error grows"
    elif uneven and unevenness_of(run, recorder) >= UNEVEN:
        what = "the error goes up and down more than chance allows"
    if not what:
        return ""
    rows, mistakes, loss = last_tenth(run)
    recent = f"mean loss {loss / rows:.6g}"
    if mistakes is not None:
        recent = f"error {mistakes / rows:.2%}"
    return (
        f"No bound about the future: {what}; {recent} on the last {rows:,} rows, each "
        "predicted before it was learned."
    )


def _jump(run: PlayedRun) -> str:
    """That the error jumped exactly where another file began."""
    record, curve = run.record, getattr(run.ledger, "curve", None)
    if record is None or run.mistakes is None or curve is None or len(curve) < 8:
        return ""
    rounds, mistakes = curve[:, 0], curve[:, 1]
    seams = record.seen.seams
    for seam, following in pairwise([*seams, run.rounds]):
        width = min(seam / 2.0, following - seam)
        marks = seam + width * np.arange(-2.0, 2.0)
        at = [int(abs(rounds - mark).argmin()) for mark in marks]
        rows, errors = np.diff(rounds[at]), np.diff(mistakes[at])
        if (rows < 1.0).any():
            continue
        first, before, after = (errors / rows).tolist()
        rates = (errors + 1.0) / (rows + 2.0)
        noise = math.sqrt(
            dispersion_of(run) * float((rates * (1.0 - rates) / rows).sum())
        )
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
    side = counted.compared
    share = 1.0 - side.alone / side.looked if side.looked else 0.0
    twins = 0.0 if run.seen is None else run.seen.exact.twins
    if counted.sealed and twins >= FEW_COPIES:
        said.append(
            f"{twins:.0%} of the rows have copies, and copies are counted once: it is "
            "the error over different rows"
        )
    elif not side.looked:
        share = twins / 2.0  # one of a pair came first
    if share >= COPIES:
        alone = ""
        if side.alone:
            error = side.alone_errors / side.alone
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


def _lower(rows: int, errors: int, delta: float) -> float:
    """A lower confidence limit of an error rate."""
    return 1.0 - clopper_pearson(rows, rows - errors, delta) if rows else 0.0
