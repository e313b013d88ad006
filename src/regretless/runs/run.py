"""A run: what came out of playing a learner over data once, and what it proves."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.finished import finished
from ..errors import NotCertified
from ..parts.documents import Document
from ..parts.notebook_html import as_pairs
from ..parts.text_tables import pair_lines
from ..parts.waiting import waiting
from .events_after import StoppedGame
from .played import PlayedRows

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
    from ..evidence.claims.change import Change
    from ..evidence.claims.doubts import Doubts
    from ..evidence.metrics import Metrics
    from ..evidence.theorems import Theorems
    from ..evidence.verdicts import Regret
    from ..models import Model
    from ..report.charts import Figure
    from .finishing import Finish


@dataclass(frozen=True, repr=False, eq=False)
class Run(PlayedRows):
    """The receipts of one game, and what can be said about them.

    Its attributes are those of :class:`~regretless.runs.played.PlayedRows`: the
    learner, the ledger, the weights, and how the data were read. Its learner is who
    played: it may be played again, and learns events from where the run has stopped.
    """

    def __post_init__(self) -> None:
        stopped: StoppedGame | None = None
        if self.player is not None and self.record is not None:
            about = (self.names, self.classes, dict(self.reading), self.weighted)
            stopped = StoppedGame(self.player, self.rounds, *about, self.record)
        object.__setattr__(self, "learner", finished(self.learner, stopped))

    @property
    def change(self) -> Change | None:
        """That the rows changed on the way, where they were tested; else None.

        Then nothing is certified about the future, and this says what there is instead.
        """
        from ..evidence.claims import change_of

        return change_of(self)

    @property
    def objection(self) -> str:
        """Why nothing is certified about new rows, in sentences; "" where nothing is.

        Rows that came again, labels that came late, or rows that changed.
        """
        from ..evidence.claims import objection

        return objection(self)

    @property
    def doubts(self) -> Doubts:
        """Whether it is better than the majority, or the running mean; or diverges."""
        from ..evidence.claims.doubts import doubts_of

        return doubts_of(self)

    @cached_property
    def metrics(self) -> Metrics:
        """How good the predictions were, each made before its label was seen.

        :class:`~regretless.evidence.metrics.TwoClassMetrics`,
        :class:`~regretless.evidence.metrics.ManyClassMetrics` or
        :class:`~regretless.evidence.metrics.AmountMetrics`. Every row counts once,
        whatever its importance. Where they were not kept on the way, as of arrays, the
        game is played again, the first time they are asked for.

        Examples
        --------
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(2000, 5))
        >>> run = rg.play(rg.Panel(), X, X[:, 0] > 0)
        >>> run.metrics.auc > 0.99, run.metrics.baseline()["auc"]
        (True, 0.5)
        >>> run.metrics.rolling.rows
        1000
        """
        if self.measured is not None:
            return self.measured
        if self.learner.plays != "rows":
            raise ValueError(
                "metrics compare predictions with labels of rows, and "
                f"{type(self.learner).__name__} has none: its ledger says what it paid"
            )
        game = self.replayable("metrics")
        with waiting("playing again, for metrics"):
            return game.metrics()

    def theorems(self, u: Any = None, *, hindsight: bool = True) -> Theorems:
        """Every theorem about this learner, evaluated on this very data.

        Parameters
        ----------
        u : array, or for experts a number or a sequence of numbers
            A comparator of your own. None: the best in hindsight, for each theorem.
        hindsight : bool
            Whether to look for comparators at all: it takes more passes over the data.

        Returns
        -------
        Theorems
            For each: its assumptions as measured, the bound, what happened, the ratio;
            or why it does not apply. Print it.

        Raises
        ------
        TheoremViolated
            Where a bound does not hold: a declared constant is false, or it is a bug.

        Examples
        --------
        >>> import regretless as rg
        >>> run = rg.play(rg.Perceptron(), [[1, 0], [0, 1]], [1, -1])
        >>> found = run.theorems(u=[1, -1])["perceptron/separable"]
        >>> found.happened, round(found.value, 9)
        (2.0, 2.0)
        """
        from ..evidence.verdicts import theorems_of

        with waiting("evaluating theorems"):
            return theorems_of(self, u, hindsight=hindsight)

    def iid_theorems(
        self, u: Any = None, *, delta: float = 0.05, sigma: float | None = None
    ) -> Theorems:
        """What the lectures prove about fresh rows, if rows are independent draws.

        From online to batch: the mean and the random hypothesis, the vote, dynamic
        validation, and the excess risk of gradient descent. The right sides are
        evaluated; the left sides are about new rows. Certificates
        (:meth:`certificate`, :meth:`model`) are tighter; these are the lectures' own.

        Parameters
        ----------
        u : array, or number
            The comparator; the best in hindsight if None. In the mean game the mean of
            the distribution, which must be declared.
        delta : float
            The probability that a statement is false.
        sigma : float
            The standard deviation, in the mean game.

        Examples
        --------
        >>> import regretless as rg
        >>> run = rg.play(rg.FollowTheLeader(), y=[0.2, 0.9, 0.4])
        >>> found = run.iid_theorems(u=0.5, sigma=0.3)["iid/leader"]
        >>> found.theorem.statement, round(found.value, 3)
        ('E[R(mu)] = (x_1 - mu)^2 + sigma^2 H', 0.135)
        """
        from ..evidence.verdicts import iid_theorems_of

        return iid_theorems_of(self, u, delta=delta, sigma=sigma)

    def hindsight(self, *, switches: int | None = None, tolerance: float = 1e-3) -> Any:
        """The best fixed comparator in hindsight, with the gap to its optimality.

        The best u of the class that the learner competes with: its ball, its simplex,
        its penalty. For a free learner, whose least loss need not be attained, the best
        in a ball ten times as wide as |w|; for Winnow the best of a few |u|_1. For
        experts: the best one, or with `switches` the best sequence that changes at most
        so often. For the mean game: the mean.

        Parameters
        ----------
        switches : int
            For experts: how often the sequence may change.
        tolerance : float
            The relative gap to reach.
        """
        from ..evidence.verdicts import hindsight_of

        with waiting("solving for the best comparator"):
            return hindsight_of(self, switches=switches, tolerance=tolerance)

    def regret(self, u: Any = None, *, tolerance: float = 1e-3) -> Regret:
        """The regret against `u`, or against what :meth:`hindsight` finds.

        An interval, where the comparator is only known to be nearly the best.
        """
        from ..evidence.verdicts import regret_of

        with waiting("solving for the best comparator"):
            return regret_of(self, u, tolerance=tolerance)

    def certificate(
        self, delta: float = 0.05, *, runs: int = 1, among: object = None
    ) -> Certificate:
        """An upper bound on the error of the randomized hypothesis, at any time.

        Parameters
        ----------
        delta : float
            The probability of being wrong.
        runs : int
            How many runs are certified together; each gets delta/runs.
        among : label or None
            Certify the error among the rows of one class: of false positives and of
            false negatives, each at its own delta.

        Raises
        ------
        NotCertified
            Where rows changed on the way, or had been learned before: they certify
            nothing.

        Examples
        --------
        >>> import numpy as np, regretless as rg
        >>> X = np.random.default_rng(0).normal(size=(2000, 5))
        >>> certificate = rg.play(rg.Perceptron(), X, X[:, 0] > 0).certificate()
        >>> certificate.measured < certificate.value < 0.1
        True
        """
        from ..evidence.claims import Counted, certificate_of, guarded

        found = certificate_of(self, delta, runs=runs, among=among)
        counted = Counted.online(self) if among is None else None
        return guarded(self, found, counted)

    @property
    def replay(self) -> str:
        """Why rows that came again leave nothing to certify; "" where none did."""
        found = None if self.seen is None else self.seen.replay
        return "" if found is None else str(found)

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

    def lines(self) -> list[tuple[str, str]]:
        """The run as (what, how much), for people."""
        speed = self.rounds / self.seconds if self.seconds > 0 else 0.0
        time = f"{self.seconds:.3g} s  ({speed:,.3g} rounds a second)"
        nonzero = int(np.count_nonzero(self.weights))
        shape = " x ".join(f"{side:,}" for side in self.weights.shape)
        weights = ("weights", f"{shape}  ({nonzero:,} nonzero)")
        early = [("stopped", self.stopped)] if self.stopped else []
        return [
            *early,
            *self.ledger.lines(),
            *([] if self.coverage is None else self.coverage.lines()),
            *([weights] if self.weights.size else []),
            ("time", time),
        ]

    def __str__(self) -> str:
        body = pair_lines(self.lines())
        return "\n".join([repr(self.learner), "-" * max(map(len, body)), *body])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        if self.learner.plays != "rows":
            return as_pairs(self.lines(), repr(self.learner))
        from ..report.notebook import as_html

        return as_html(self)
