"""What follows the online pass: later passes, a threshold, and rows that judge.

The online pass alone is a run. Its model may learn the rows again (``passes``); it may
be judged by rows that were held out or sealed; and the threshold of two classes may be
chosen for a goal. No row ever judges what it has chosen.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..evidence.certify import Certificate, clopper_pearson
from ..evidence.claims.amount_errors import amount_certificate, largest_error
from ..evidence.claims.fresh_rows import FreshRows
from ..evidence.claims.guard import Counted, claim
from ..evidence.claims.sealed import Judge, by_seal, wrong_rows
from ..parts.documents import Document
from ..parts.state import Bools, Floats
from ..parts.waiting import waiting

if TYPE_CHECKING:
    from ..data.holdout import HeldOut
    from ..evidence.claims.operating_point import Goal, OperatingPoint
    from ..models.model import Model
    from .opening import OpenedRows
    from .run import Run
    from .session import Session
    from .watchers import LatestScores


SEALABLE = (None, "last", "mean", "last-half")
AGAIN = (
    "It is not certified: it saw rows more than once, and only the hypotheses of the "
    "first pass met fresh ones."
)


@dataclass(frozen=True)
class Finish:
    """What is done with the model of a run.

    Attributes
    ----------
    held : HeldOut or None
        The rows held out.
    later : tuple of dict
        What each later pass paid: "pass", "rows", "mistakes" and "loss".
    last : Run or None
        The last of several passes.
    threshold : str, float or None
        What the threshold is for.
    latest : LatestScores or None
        The rows that choose it.
    """

    held: HeldOut | None = None
    later: tuple[Document, ...] = ()
    last: Run | None = None
    threshold: str | float | None = None
    latest: LatestScores | None = None

    def model(self, run: Run, model: Model, kind: str | None, delta: float) -> Model:
        """The model with what later passes, a threshold and other rows say of it.

        Parameters
        ----------
        run : Run
            The online pass.
        model : model
            What it gives.
        kind : str or None
            The kind that was asked for; None: the one that has learned every row.
        delta : float
            The probability that a certificate is wrong.
        """
        if self.last is not None and kind is None:
            model = self._after_all_passes(model)
        point: OperatingPoint | None = None
        if self.threshold is not None:
            point = self._chosen(model.probabilistic)
        if run.sealed is not None and kind in SEALABLE:
            with waiting("scoring the sealed rows"):
                return self._unsealed(run, model, point, delta)
        if self.held is not None:
            # It is about the model itself, however often that saw the other rows.
            with waiting("scoring the rows held out"):
                return replace(model, **self._tested(run, model, delta))
        if point is None:
            return model
        reserved = run.sealed is not None
        return self._with_point(model, point, None, delta, reserved=reserved)

    def certify_sets(self, run: Run, model: Model, delta: float) -> Certificate | None:
        """A certificate of the model's frozen sets, by rows that were not learned.

        None where no rows were held out or sealed, or where they are not fresh draws.
        """
        from ..models.sets import certificate_by, missed_by

        if run.sets is None:
            return None
        counted = Counted(0, 0)
        if self.held is not None:
            counted = self._held_rows(run, model, missed_by)[0]
        elif run.sealed is not None and not run.sealed.grouped:
            judged = run.sealed.judged(run, model, missed_by)
            counted = Counted(0, 0) if judged.replay else judged.counted
        if not counted.rows:
            return None
        found = certificate_by(model, counted.rows, counted.errors, delta)
        return claim(run, found, counted)["certificate"]

    def _after_all_passes(self, model: Model) -> Model:
        """What the last pass came to, beside what the first one certifies."""
        assert self.last is not None
        mean = model.kind == "last-half"
        last = self.last.model("mean" if mean else "last")
        which = (
            "the mean of the hypotheses of the last" if mean else "the last hypothesis"
        )
        return replace(
            last,
            about=f"{which} of {len(self.later) + 1} passes",
            certificate=model.certificate,
            why_not="" if model.certificate else model.why_not or AGAIN,
            provenance=model.provenance,
        )

    def _held_rows(
        self, run: Run, model: Model, judge: Judge
    ) -> tuple[Counted, list[Floats]]:
        """What a model does on the rows held out that have a label.

        Returns
        -------
        counted : Counted
            Those that `judge` calls errors, compared with the rows that were learned.
        gaps : list of array
            |label - score|, of amounts.
        """
        from ..models.batches import scores_of

        assert self.held is not None
        fresh, gaps = FreshRows(run.seen), [np.zeros(0)]
        for batch in self.held.batches():
            rows = np.flatnonzero(~np.isnan(batch.targets))
            scores = scores_of(model, batch.rows, batch.targets.size)
            wrong = judge(model, scores, batch.targets)
            fresh.add(rows, wrong, batch.rows, batch.targets)
            if scores.ndim == 1:
                gaps.append(np.abs(batch.targets - scores)[rows])
        return fresh.counted, gaps

    def _tested(self, run: Run, model: Model, delta: float) -> Document:
        """A certificate by the rows held out: one fixed hypothesis on fresh rows."""
        counted, gaps = self._held_rows(run, model, _wrong)
        if not counted.rows:
            raise ValueError("no row was held out to test on: there are too few")
        shared: Document = {
            "delta": delta,
            "about": f"{model.about}, on rows held out",
            "scope": "one test, made once",
        }
        if model.classes is None:
            cut, errors = largest_error(run.ledger), np.concatenate(gaps)
            return claim(run, amount_certificate(errors, None, cut, **shared))
        found = Certificate(
            value=clopper_pearson(counted.rows, counted.errors, delta),
            method="Clopper-Pearson",
            n=counted.rows,
            total=float(counted.errors),
            **shared,
        )
        return claim(run, found, counted)

    def _unsealed(
        self, run: Run, model: Model, point: OperatingPoint | None, delta: float
    ) -> Model:
        """The model with what the sealed rows say about it, whatever it has learned."""
        sealed = run.sealed
        other = model.classes is None or model.many
        if other or sealed.grouped:
            return replace(model, **by_seal(run, sealed, model, delta))
        rows = _SealedScores(0.0 if point is None else point.threshold)
        found = replace(model, **by_seal(run, sealed, model, delta, rows.judge))
        return self._with_point(found, point, rows, delta)

    def _chosen(self, log_odds: bool) -> OperatingPoint:
        """The threshold by the rows learned last, about which nothing is certified."""
        from ..evidence.claims.operating_point import (
            OperatingPoint,
            choose,
            parse_goal,
            probability_of,
        )

        goal = parse_goal(self.threshold or "")
        if goal.kind == "at":
            cut, chosen = goal.value, "the command line"
            if log_odds:
                cut = math.log(cut / (1.0 - cut))
        else:
            assert self.latest is not None
            scores, targets = self.latest.rows()
            cut = choose(goal, scores, targets)
            chosen = f"the last {scores.size:,} rows learned"
        shown = probability_of(cut) if log_odds else cut
        return OperatingPoint(cut, str(goal), chosen, shown)

    def _with_point(
        self,
        model: Model,
        point: OperatingPoint | None,
        sealed: _SealedScores | None,
        delta: float,
        *,
        reserved: bool = False,
    ) -> Model:
        """The model with its threshold, and with what sealed rows certify about it.

        Where the sealed rows chose the threshold, they do not certify the error.
        """
        from ..evidence.claims.operating_point import parse_goal, sealed_point

        goal: Goal | None = None
        if self.threshold is not None:
            goal = parse_goal(self.threshold)
        judged = sealed is not None and model.certificate is not None
        found = point
        if sealed is not None and judged:
            found = sealed_point(
                goal,
                0.0 if point is None else point.threshold,
                *sealed.rows(),
                delta,
                chosen="" if point is None else point.chosen,
                log_odds=model.probabilistic,
            )
        if found is not None and model.classes is not None:
            found = replace(found, positive=str(model.classes[1]))
        changes: Document = {}
        if goal is not None and (not judged or goal.kind == "recall"):
            said = str(found)
            if sealed is None and not reserved:
                said += ": not certified, --seal 10% would reserve rows for that"
            text = f"{said[:1].upper()}{said[1:]}. {'' if judged else model.why_not}"
            changes = {"certificate": None, "why_not": text.strip()}
        assert model.provenance is not None
        provenance = replace(model.provenance, point=found)
        return replace(model, provenance=provenance, **changes)


def _wrong(model: Model, scores: Floats, targets: Floats) -> Bools:
    """Which rows a model predicts wrongly; of amounts, none is wrong or right."""
    if model.classes is None:
        return np.zeros(targets.size, np.bool_)
    return wrong_rows(scores, targets)


class _SealedScores:
    """Keeps the scores of the sealed rows while their errors are counted.

    Parameters
    ----------
    cut : float
        The threshold.
    """

    def __init__(self, cut: float) -> None:
        self._cut = cut
        self._parts: list[tuple[Floats, Floats]] = []

    def judge(self, model: Model, scores: Floats, targets: Floats) -> Bools:
        """Which rows are errors; a label that was never learned is one.

        At the threshold 0 a tie is an error, as in every other certificate.
        """
        self._parts.append((scores, targets))
        if self._cut:
            return ((scores > self._cut) != (targets > 0.0)) | np.isnan(targets)
        return ~(targets * scores > 0.0)

    def rows(self) -> tuple[Floats, Floats]:
        """Scores and targets of the rows with a label that was learned."""
        scores, targets = (
            np.concatenate(column) if column else np.zeros(0)
            for column in ([part[k] for part in self._parts] for k in (0, 1))
        )
        known = ~np.isnan(targets)
        return scores[known], targets[known]


def finish_session(
    session: Session, opened: OpenedRows, latest: LatestScores | None = None
) -> None:
    """Learn the rows again as often as asked; say what judges the model.

    Parameters
    ----------
    session : Session
        Whose rows have ended.
    opened : OpenedRows
        What it was opened with.
    latest : LatestScores or None
        The rows that choose a threshold.
    """
    options = opened.options
    later: list[Document] = []
    last: Run | None = None
    if options.passes > 1 and session.rounds:
        later, last = _learn_again(session, options.passes)
    session.sealed = opened.sealed
    session.finish = Finish(
        opened.held_out, tuple(later), last, options.threshold, latest
    )


def _learn_again(session: Session, passes: int) -> tuple[list[Document], Run]:
    """Learn the rows of a session again; what that pays is not an online loss.

    A copy of its player learns, so that the online pass stays as it is. Where the model
    of that pass is a mean, the mean of the last pass is kept.

    Returns
    -------
    later : list of dict
        What each later pass paid.
    run : Run
        The last one.
    """
    from ..evidence.snapshots import Recorder
    from ..models.conversions.model_kinds import chosen_kind
    from ..parts.observers import new_statistics
    from .session import Session

    player = copy.deepcopy(session.player)
    assert player is not None
    found: list[Document] = []
    again = session
    for number in range(2, passes + 1):
        again = Session(session.learner, session.source, skip=session.skip)
        again.player = player
        player.statistics = new_statistics()
        averages = chosen_kind(session.learner, session.recorder) == "last-half"
        if number == passes and averages:
            again.recorder = Recorder(player, ("mean",), None)
        with waiting(f"pass {number} of {passes}"):
            again.play()
        ledger = player.ledger()
        found.append(
            {
                "pass": number,
                "rows": ledger.rounds,
                "mistakes": ledger.mistakes,
                "loss": ledger.loss,
            }
        )
    return found, again.run()
