"""What sealed rows say about a model that has learned all others.

The model was fixed before any of them was scored, and which rows they are was decided
by coins: its errors there are those of a fixed classifier on fresh rows. One
Clopper-Pearson at full delta; a k-th model that is judged has delta/(k(k+1)). Rows that
are sealed together (those of a group; copies of one row) are no independent draws, but
the groups are: certified is the mean over groups of each group's error rate, by
betting. Of amounts, see :mod:`.amount_errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ...data.selection import chosen_rows
from ...engine.hypotheses.classes import wrong_classes
from ...parts.documents import Document
from ...parts.rows import Dense, Sparse
from ...parts.state import Floats
from ..certify import Certificate, betting, clopper_pearson
from ..exchangeability import Exchangeability
from ..played_run import RowRun
from .amount_errors import amount_certificate, largest_error
from .change import ALARM
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
    rows, errors : int
        With a label, and how many of them are errors.
    rates : array
        The error rate of every unit, in the order of their first rows.
    gaps : array
        Of amounts, |label - prediction| of every row.
    units : list or None
        Of amounts, the unit of every row.
    counted : Counted
        The same rows, compared with those that were learned.
    replay : str
        That they are rows which the model of the start had learned.
    """

    rows: int
    errors: int
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
    scores : bool
        Whether their parts have scores and targets.
    seed : int
        Of the coins that chose them.
    """

    def __init__(
        self,
        scored: Callable[[Any], Iterator[SealedPart]],
        *,
        grouped: bool = False,
        scores: bool = True,
        seed: int = 0,
    ) -> None:
        self.grouped = grouped
        self.scores = scores
        self.seed = seed
        self._scored = scored
        self._looks: list[str] = []

    def look(self, model: Judged) -> int:
        """The number of this look: the same model is looked at once."""
        if model.about not in self._looks:
            self._looks.append(model.about)
        return 1 + self._looks.index(model.about)

    def judged(
        self, run: RowRun[object], model: Judged, judge: Judge | None = None
    ) -> Judgment:
        """What a model does on them.

        `judge` says which rows are errors, from the model, its scores and the targets;
        by default those that it predicts wrongly.
        """
        seen = None if run.seen is None else run.seen.copy()
        learned = 0 if seen is None else seen.rows
        counts: dict[Hashable, list[int]] = {}
        numbers = np.zeros(5, np.int64)  # as Counted has them
        gaps, units = [np.zeros(0)], list[Hashable]()
        for part in self._scored(model):
            labeled, wrong = part.labeled, part.wrong
            if judge is not None:
                wrong = judge(model, part.scores, part.targets)
            wrong = wrong & labeled
            rows = np.flatnonzero(labeled)
            if model.classes is None:
                gaps.append(np.abs(part.targets - part.scores)[labeled])
            of = range(len(units), len(units) + rows.size)
            named = of if part.units is None else [part.units[k] for k in rows.tolist()]
            units += named
            for unit, errs in zip(named, wrong[rows].tolist(), strict=True):
                count = counts.setdefault(unit, [0, 0])
                count[0] += 1
                count[1] += errs
            numbers[:2] += np.array([rows.size, np.count_nonzero(wrong)])
            if seen is not None and part.rows is not None and rows.size:
                judged = chosen_rows(part.rows, rows)
                looked = seen.feed(judged, np.nan_to_num(part.targets[rows]))
                alone = looked[looked[:, 1] >= learned, 0]
                errors = np.count_nonzero(wrong[rows][alone])
                numbers[2:] += np.array([len(looked), alone.size, errors])
        return Judgment(
            int(numbers[0]),
            int(numbers[1]),
            np.array([wrong / n for n, wrong in counts.values()]),
            np.concatenate(gaps),
            units if self.grouped or len(counts) < len(units) else None,
            Counted(*numbers.tolist()),
            "" if seen is None or seen.replay is None else str(seen.replay),
        )


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
    if not found.rows:
        return {"why_not": "Nothing is certified about it: no row was sealed."}
    why_not = found.replay or (_changed(found.rates) if sealed.grouped else "")
    if why_not:
        return {"certificate": None, "why_not": why_not}
    look = sealed.look(model)
    share = delta if look == 1 else delta / (look * (look + 1))
    shared: Document = {
        "delta": delta,
        "about": "this model",
        "spent": None if look == 1 else share,
        "learned": run.rounds,
        "rows": run.rounds,
    }
    what, rates = "groups" if sealed.grouped else "different rows", found.rates
    if sealed.grouped:
        shared["assumptions"] = (IID_GROUPS,)
    if model.classes is None:
        cut = largest_error(run.ledger)
        certificate = amount_certificate(found.gaps, found.units, cut, **shared)
        return claim(run, certificate, units=sealed.grouped)
    once = bool(np.isin(rates, (0.0, 1.0)).all()) and not sealed.grouped
    if once:  # copies are judged alike: each different row counts once
        method, value = "Clopper-Pearson", clopper_pearson
        scope, loss = f"sealed rows, never seen (seed {sealed.seed})", "error"
        bound = value(rates.size, int(rates.sum()), share)
    else:
        method = f"betting on the error rate of each of the {what}"
        scope = f"{rates.size:,} sealed {what} with {found.rows:,} rows, never seen"
        loss = "error rate of a group" if sealed.grouped else "error"
        bound = betting(rates, share, float(rates.size))
    certificate = Certificate(
        value=bound,
        method=method,
        n=rates.size,
        total=float(rates.sum()),
        scope=scope,
        loss=loss,
        **shared,
    )
    return claim(run, certificate, found.counted, units=sealed.grouped)


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
