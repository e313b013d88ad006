"""A run: what came out of playing a learner over data once, and what it proves."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..algorithms.finished import finished
from ..errors import NotCertified
from ..evidence.judged_run import JudgedRun
from ..parts.documents import Document
from ..parts.waiting import waiting
from .events_after import StoppedGame

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
    from ..models import Model
    from ..report.charts import Figure
    from .finishing import Finish


@dataclass(frozen=True, repr=False, eq=False)
class Run(JudgedRun):
    """The receipts of one game, and what can be said about them.

    Its attributes are those of :class:`~regretless.evidence.run_data.RunData`: the
    learner, the ledger, the weights, and how the data were read. What is proved and
    certified is asked of :class:`~regretless.evidence.judged_run.JudgedRun`. Its
    learner is who played: it may be played again, and learns events from where the run
    has stopped.

    Attributes
    ----------
    finish : Finish or None
        What followed the online pass: later passes, a threshold, rows held out.
    """

    finish: Finish | None = None

    def __post_init__(self) -> None:
        stopped: StoppedGame | None = None
        if self.player is not None and self.record is not None:
            about = (self.names, self.classes, dict(self.reading), self.weighted)
            stopped = StoppedGame(self.player, self.rounds, *about, self.record)
        object.__setattr__(self, "learner", finished(self.learner, stopped))

    def model(self, kind: str | None = None, delta: float = 0.05) -> Model:
        """One model out of all the hypotheses of the run.

        Parameters
        ----------
        kind : str or None
            None: the one that has learned every row, with a certificate of the learner
            stopped earlier: "last" of panels, "last-half" of weights. "last"; "mean",
            "last-half" (certified under a convex, bounded loss); "random"; "vote" (at
            most twice the randomized error); "validated" (frozen on the way and judged
            by what came after: the one that the certificate is about).
        delta : float
            The probability that its certificate is wrong.

        Returns
        -------
        Model
            With its ``certificate``, or ``why_not``; ``model.save(path)`` keeps it.

        Notes
        -----
        What was not kept on the way (``play(..., models=[...])``) is found by playing
        the game again, where the data can be read again.
        """
        from ..evidence.snapshots import refuse_kinds
        from ..models.conversions import CONVERSIONS, default_kinds, model_of

        if self.stopped:
            raise ValueError(f"the run ended early: {self.stopped}")
        if self.learner.plays != "rows":
            raise ValueError(
                f"{type(self.learner).__name__} makes no model: models predict rows, "
                "and it has learned none"
            )
        recorder = self.recorder
        wanted = set(default_kinds(self.learner)) if kind is None else {kind} - {"last"}
        kept: set[str] = set() if recorder is None else recorder.kinds
        if (kind is None or kind in CONVERSIONS) and not wanted <= kept:
            learner = self.learner
            refuse_kinds(wanted, averages=learner.averages, task=learner.task)
            game = self.replayable("model()" if kind is None else f"model({kind!r})")
            with waiting("playing again, for the model"):
                recorder = game.record(sorted(wanted), self.length)
        model = model_of(self, kind, delta, recorder)
        if self.finish is None and self.sealed is None:
            return model
        return self._finish.model(replace(self, recorder=recorder), model, kind, delta)

    @property
    def later_passes(self) -> list[Document]:
        """What each pass after the first paid: "pass", "rows", "mistakes", "loss".

        They saw rows that had been learned: nothing of this is an online loss.
        """
        return list(self._finish.later)

    def held_out(self, delta: float = 0.05) -> Certificate:
        """What the rows of ``play(..., holdout=K)`` say about the error of the model.

        Its ``measured`` is the share of wrong rows; its ``value`` bounds the error on
        fresh ones with probability 1 - `delta`.
        """
        if self._finish.held is None:
            raise ValueError("no rows were held out: play(..., holdout=10) does that")
        found = self.model(delta=delta)
        if found.certificate is None:
            raise NotCertified(found.why_not)
        return found.certificate

    def set_certificate(self, model: Model, delta: float = 0.05) -> Certificate | None:
        """What rows held out or sealed say about the prediction sets of a model.

        None where there are no such rows, no sets, or the rows are no fresh draws.
        """
        return self._finish.certify_sets(self, model, delta)

    @property
    def _finish(self) -> Finish:
        from .finishing import Finish

        return self.finish or Finish()

    def report(
        self, path: str | os.PathLike[str], *, delta: float = 0.05, **options: object
    ) -> Path:
        """Write all receipts of this run as one page of HTML that needs no network.

        Parameters
        ----------
        path : path
            Where; the file is replaced as a whole, or left as it was.
        delta : float
            The probability that a certificate is wrong.
        **options
            Those of :func:`regretless.report.facts`, such as ``data="clicks of May"``;
            ``hindsight=False`` looks at the data no second time.
        """
        from ..report import write

        with waiting("writing the report"):
            return write(self, path, delta=delta, **options)

    def plot(self) -> Figure:
        """Its main chart: what it paid, over time."""
        from ..report import plot

        return plot(self)

    def _repr_html_(self) -> str:
        if self.learner.plays != "rows":
            return super()._repr_html_()
        from ..report.notebook import as_html

        return as_html(self)
