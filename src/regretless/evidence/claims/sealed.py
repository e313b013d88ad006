"""What sealed rows say about a model that has learned all others.

The model was fixed before any of them was scored, and which rows they are was decided
by coins: its errors there are those of a fixed classifier on fresh rows. One
Clopper-Pearson at full delta; a k-th model that is judged has delta/(k(k+1)). Rows that
are sealed by group are no independent draws, but the groups are: certified is the mean
over groups of each group's error rate, by betting. Of amounts, see
:mod:`.amount_errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ...engine.hypotheses.classes import wrong_classes
from ...parts.documents import Document
from ...parts.state import Floats
from ..certify import Certificate, betting, clopper_pearson
from ..fingerprints import Fingerprints
from ..played_run import RowRun
from .amount_errors import amount_certificate, largest_error

__all__ = ["Sealed", "SealedPart", "by_seal", "wrong_rows"]

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
    """Some sealed rows: which have a label, which of those err, and their groups.

    The scores and targets, where they are known, let others judge them.
    """

    labeled: Flags
    wrong: Flags
    groups: list[str] | None = None
    scores: Floats = np.zeros(0)
    targets: Floats = np.zeros(0)

    @classmethod
    def of(
        cls,
        scores: Floats,
        labels: Sequence[object],
        classes: Sequence[object] | None,
        groups: list[str] | None = None,
    ) -> SealedPart:
        """The rows with these scores, and labels as they were given."""
        if classes is None:  # amounts
            targets = np.array(labels, np.float64)
            labeled = ~np.isnan(targets)
            return cls(labeled, np.zeros_like(labeled), groups, scores, targets)
        labeled = np.array([not _missing(label) for label in labels], np.bool_)
        places = {label: k for k, label in enumerate(classes)}
        numbers = np.array([places.get(label, -1) for label in labels], np.float64)
        if np.ndim(scores) == 2:
            targets = np.where(numbers < 0, scores.shape[1], numbers)
        else:
            targets = np.where(numbers < 0, np.nan, 2.0 * numbers - 1.0)
        return cls(labeled, wrong_rows(scores, targets), groups, scores, targets)


class Sealed:
    """Rows that nobody has seen yet.

    Parameters
    ----------
    scored : callable
        From a model to its scores on them, part after part.
    grouped : bool
        Whether they were sealed by group.
    known : Fingerprints or None
        What the rows are compared with while they are scored.
    scores : bool
        Whether their parts have scores and targets.

    Attributes
    ----------
    seen : Fingerprints or None
        What was known, and the rows that were scored last.
    """

    def __init__(
        self,
        scored: Callable[[Any], Iterator[SealedPart]],
        *,
        grouped: bool = False,
        known: Fingerprints | None = None,
        scores: bool = True,
    ) -> None:
        self.grouped = grouped
        self.scores = scores
        self.seen: Fingerprints | None = None
        self._known = known
        self._scored = scored
        self._looks: list[str] = []

    def look(self, model: Judged) -> int:
        """The number of this look: the same model is looked at once."""
        if model.about not in self._looks:
            self._looks.append(model.about)
        return 1 + self._looks.index(model.about)

    def judged(
        self, model: Judged, judge: Judge | None = None
    ) -> tuple[int, int, Floats]:
        """Rows, errors among them, and the error rate of every group.

        `judge` says which rows are errors, from the model, its scores and the targets;
        by default those that it predicts wrongly.
        """
        rows = errors = 0
        counts: dict[str, list[int]] = {}
        self.seen = None if self._known is None else self._known.copy()
        for part in self._scored(model):
            wrong = part.wrong
            if judge is not None:
                wrong = judge(model, part.scores, part.targets)
            wrong = wrong & part.labeled
            rows += int(part.labeled.sum())
            errors += int(wrong.sum())
            for k in np.flatnonzero(part.labeled).tolist() if part.groups else ():
                count = counts.setdefault((part.groups or [])[k], [0, 0])
                count[0] += 1
                count[1] += bool(wrong[k])
        rates = np.array([wrong / n for n, wrong in counts.values()])
        return rows, errors, rates

    def errors(self, model: Judged) -> tuple[Floats, list[str] | None]:
        """|label - prediction| of a model of amounts, and the groups of the rows."""
        found = [np.zeros(0)]
        groups: list[str] = []
        self.seen = None if self._known is None else self._known.copy()
        for part in self._scored(model):
            numbers = ~np.isnan(part.targets)
            found.append(np.abs(part.targets - part.scores)[numbers])
            rows = np.flatnonzero(numbers).tolist() if part.groups else []
            groups += [(part.groups or [])[k] for k in rows]
        return np.concatenate(found), groups if self.grouped else None


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
    amounts = model.classes is None
    rows, errors, rates = 0, 0, np.zeros(0)
    gaps, groups = np.zeros(0), None
    if amounts:
        gaps, groups = sealed.errors(model)
    else:
        rows, errors, rates = sealed.judged(model, judge)
    if not rows + gaps.size:
        return {"why_not": "Nothing is certified about it: no row was sealed."}
    if sealed.seen is not None and sealed.seen.replay is not None:
        return {"certificate": None, "why_not": str(sealed.seen.replay)}
    look = sealed.look(model)
    share = delta if look == 1 else delta / (look * (look + 1))
    shared: Document = {
        "delta": delta,
        "about": "this model",
        "spent": None if look == 1 else share,
        "learned": run.rounds,
        "rows": run.rounds,
    }
    if amounts:
        cut = largest_error(run.ledger)
        found = amount_certificate(gaps, groups, cut, **shared)
        if groups is not None:
            found = replace(found, assumptions=(IID_GROUPS,))
    elif sealed.grouped:
        found = Certificate(
            value=betting(rates, share, float(rates.size)),
            method="betting on the error rate of each group",
            n=rates.size,
            total=float(rates.sum()),
            scope=f"{rates.size:,} sealed groups with {rows:,} rows, never seen",
            loss="error rate of a group",
            assumptions=(IID_GROUPS,),
            **shared,
        )
    else:
        found = Certificate(
            value=clopper_pearson(rows, errors, share),
            method="Clopper-Pearson",
            n=rows,
            total=float(errors),
            scope="sealed rows, never seen",
            **shared,
        )
    return {"certificate": found, "why_not": ""}


def wrong_rows(scores: Floats, targets: Floats) -> Flags:
    """Which rows are errors; a tie, and a label that was never learned, is one."""
    if np.ndim(scores) == 2:
        return wrong_classes(scores, np.nan_to_num(targets, nan=scores.shape[1]))
    return ~(targets * scores > 0.0)


def _missing(label: object) -> bool:
    return label is None or label != label  # noqa: PLR0124 - nan is not itself
