"""What sealed rows say about a model that has learned all others.

The model was fixed before any of them was scored, and which rows they are was decided
by coins: its errors there are those of a fixed classifier on fresh rows. One
Clopper-Pearson at full delta; a k-th model that is judged has delta/(k(k+1)). Copies of
a row are sealed together, and count once. Rows that are sealed by group are no
independent draws, but the groups are: certified is the mean over groups of each group's
error rate, by betting. Of amounts, see :mod:`.amount_errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ...data.selection import chosen_of
from ...engine.hypotheses.classes import wrong_classes
from ...parts.documents import Document
from ...parts.rows import Dense, Longs, Sparse
from ...parts.state import Floats
from ..certify import Certificate, betting, clopper_pearson
from ..exchangeability import Exchangeability
from ..played_run import RowRun
from .amount_errors import amount_certificate, largest_error
from .change import ALARM
from .fresh_rows import FreshRows
from .guard import Counted, claim

Flags: TypeAlias = npt.NDArray[np.bool_]
Judge: TypeAlias = Callable[[Any, Floats, Floats], Flags]
"""Which rows are errors, from a model, its scores and the targets."""
IID_GROUPS = (
    "the groups are independent draws from one distribution, past and future alike"
)


class Judged(Protocol):
    """A model that sealed rows judge."""

    @property
    def about(self) -> str:
        """Which one it is."""
        ...

    @property
    def classes(self) -> Sequence[object] | None:
        """The labels that it predicts; None of amounts."""
        ...


class SealedPart(NamedTuple):
    """Some sealed rows: which have a label, which of those err, and their units.

    The scores and targets, where they are known, let others judge them. `units` says
    which rows were sealed together: their groups, or the numbers of their content. The
    `rows` themselves are compared with those that were learned.
    """

    labeled: Flags
    wrong: Flags
    units: Sequence[Hashable] | None = None
    scores: Floats = np.zeros(0)
    targets: Floats = np.zeros(0)
    rows: Dense | Sparse | None = None

    def some(self, chosen: Longs) -> SealedPart:
        """Those with these numbers."""
        units = self.units
        if units is not None:
            units = [units[k] for k in chosen.tolist()]
        return chosen_of(self, chosen)._replace(units=units)

    @classmethod
    def of(
        cls,
        scores: Floats,
        labels: Sequence[object],
        classes: Sequence[object] | None,
        units: Sequence[Hashable] | None = None,
    ) -> SealedPart:
        """The rows with these scores, and labels as they were given."""
        if classes is None:  # amounts
            targets = np.array(labels, np.float64)
            labeled = ~np.isnan(targets)
            return cls(labeled, np.zeros_like(labeled), units, scores, targets)
        labeled = np.array([not _missing(label) for label in labels], np.bool_)
        places = {label: k for k, label in enumerate(classes)}
        numbers = np.array([places.get(label, -1) for label in labels], np.float64)
        if np.ndim(scores) == 2:
            targets = np.where(numbers < 0, scores.shape[1], numbers)
        else:
            targets = np.where(numbers < 0, np.nan, 2.0 * numbers - 1.0)
        return cls(labeled, wrong_rows(scores, targets), units, scores, targets)


class Judgment(NamedTuple):
    """What a model did on sealed rows.

    Attributes
    ----------
    rates : array
        The error rate of every unit, in the order of their first rows.
    gaps : array
        Of amounts, |label - prediction| of every row.
    units : list or None
        Of amounts, the unit of every row.
    counted : Counted
        The rows with a label, compared with those that were learned.
    replay : str
        That they are rows which the model of the start had learned.
    """

    rates: Floats
    gaps: Floats
    units: list[Hashable] | None
    counted: Counted
    replay: str


class Sealed:
    """Rows that were never looked at.

    Parameters
    ----------
    scored : callable
        From a model to its scores on them, part after part.
    grouped : bool
        Whether they were sealed by group.
    timed : bool
        Whether the groups are units of time.
    seed : int
        Of the coins that chose them.
    """

    def __init__(
        self,
        scored: Callable[[Any], Iterator[SealedPart]],
        *,
        grouped: bool = False,
        timed: bool = False,
        seed: int = 0,
    ) -> None:
        self.grouped = grouped
        self.timed = timed
        self.seed = seed
        self._scored = scored
        self._looks: list[tuple[int, str]] = []

    def look(self, run: RowRun[object], model: Judged) -> int:
        """The number of this look: the same model is looked at once."""
        looked = (run.rounds, model.about)
        if looked not in self._looks:
            self._looks.append(looked)
        return 1 + self._looks.index(looked)

    def judged(
        self, run: RowRun[object], model: Judged, judge: Judge | None = None
    ) -> Judgment:
        """What a model does on them.

        `judge` says which rows are errors, from the model, its scores and the targets;
        by default those that it predicts wrongly.
        """
        fresh = FreshRows(run.seen)
        counts: dict[Hashable, list[int]] = {}
        gaps, units = [np.zeros(0)], list[Hashable]()
        for part in self._parts(model):
            wrong, rows = part.wrong, np.flatnonzero(part.labeled)
            if judge is not None:
                wrong = judge(model, part.scores, part.targets)
            fresh.add(rows, wrong, part.rows, part.targets)
            if model.classes is None:
                gaps.append(np.abs(part.targets - part.scores)[rows])
            named: Sequence[Hashable] = range(len(units), len(units) + rows.size)
            if part.units is not None:
                named = [part.units[k] for k in rows.tolist()]
            units += named
            for unit, errs in zip(named, wrong[rows].tolist(), strict=True):
                count = counts.setdefault(unit, [0, 0])
                count[0] += 1
                count[1] += errs
        return Judgment(
            np.array([wrong / n for n, wrong in counts.values()]),
            np.concatenate(gaps),
            units if self.grouped else None,
            fresh.counted._replace(sealed=not self.grouped),
            fresh.replay,
        )

    def _parts(self, model: Judged) -> Iterator[SealedPart]:
        """Their parts; of copies of a row the first one alone, but within groups."""
        known: set[Hashable] = set()
        for part in self._scored(model):
            if self.grouped or part.units is None:
                yield part
                continue
            first: list[int] = []
            for k, unit in enumerate(part.units):
                if part.labeled[k] and unit not in known:
                    known.add(unit)
                    first.append(k)
            yield part.some(np.array(first, np.int64))


def by_seal(
    run: RowRun[object],
    sealed: Sealed,
    model: Judged,
    delta: float,
    judge: Judge | None = None,
) -> Document:
    """The certificate of a model by sealed rows; or why there is none.

    `judge` is that of :meth:`Sealed.judged`.
    """
    found = sealed.judged(run, model, judge)
    rows = found.counted.rows
    if not rows:
        why_not = "Nothing is certified about it: no row was sealed."
        return {"certificate": None, "why_not": why_not}
    why_not = found.replay or (_changed(found.rates) if sealed.grouped else "")
    if why_not:
        return {"certificate": None, "why_not": why_not}
    look = sealed.look(run, model)
    share = delta if look == 1 else delta / (look * (look + 1))
    shared: Document = {
        "delta": delta,
        "about": "this model",
        "spent": None if look == 1 else share,
        "learned": run.rounds,
        "rows": run.rounds,
    }
    if sealed.grouped:
        shared["assumptions"] = (IID_GROUPS,)
    if model.classes is None:
        cut = largest_error(run.ledger)
        certificate = amount_certificate(found.gaps, found.units, cut, **shared)
        return claim(run, certificate, found.counted, units=sealed.timed)
    if sealed.grouped:
        n, total = found.rates.size, float(found.rates.sum())
        method = "betting on the error rate of each group"
        scope = f"{n:,} sealed groups with {rows:,} rows, never seen"
        value, loss = betting(found.rates, share, float(n)), "error rate of a group"
    else:
        n, total = rows, float(found.counted.errors)
        method, loss = "Clopper-Pearson", "error"
        scope = "sealed rows, never seen, copies counted once"
        value = clopper_pearson(n, found.counted.errors, share)
    certificate = Certificate(
        value=value,
        method=method,
        n=n,
        total=total,
        scope=f"{scope} (seed {sealed.seed})",
        loss=loss,
        **shared,
    )
    return claim(run, certificate, found.counted, units=sealed.timed)


def _changed(rates: Floats) -> str:
    """That groups changed on the way, by the error rates of those that are sealed."""
    test = Exchangeability()
    test.feed(rates)
    if test.evidence < ALARM:
        return ""
    return (
        "No bound about the future: the groups seem to have changed on the way (seen "
        f"in the error rates of {rates.size:,} sealed ones; evidence "
        f"{test.evidence:,.3g}, alarm at {ALARM:g})."
    )


def wrong_rows(scores: Floats, targets: Floats) -> Flags:
    """Which rows are errors; a tie, and a label that was never learned, is one."""
    if np.ndim(scores) == 2:
        return wrong_classes(scores, np.nan_to_num(targets, nan=scores.shape[1]))
    return ~(targets * scores > 0.0)


def _missing(label: object) -> bool:
    return label is None or label != label  # noqa: PLR0124 - nan is not itself
