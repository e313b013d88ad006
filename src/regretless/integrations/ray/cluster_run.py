"""What came out of playing on a cluster: a run like any other, made of shards."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.learners import LinearLearner
from ...engine.feature_names import Names
from ...evidence.certify import Certificate, clopper_pearson, kl_mixture
from ...evidence.certify.checks import checked_delta
from ...evidence.claims.guard import claim, objection
from ...evidence.claims.randomized import ANYTIME, GUESS, NOT_BY_AVERAGE
from ...evidence.hindsight import Hindsight
from ...evidence.row_record import RowRecord
from ...evidence.theorems import Theorems
from ...evidence.verdicts import Regret
from ...evidence.verdicts.linear import given
from ...models import Model, Provenance
from ...models.conversions.conversions import SEEN, bounded_loss
from ...parts.documents import Document
from ...parts.penalties import strength as strength_of
from ...parts.state import Floats
from ...parts.views import AsIs
from ...runs.run import Run
from .comparing import each_of, mixed_theorems, summed_regret, summed_theorems
from .connection import connected
from .hindsight import best_in_hindsight
from .job_spec import JobSpec
from .merging import Weights, merged_ledger
from .shard_rounds import ShardsPlayed
from .shards import Shard
from .task_pool import TaskPool
from .work import Report, test_shard

if TYPE_CHECKING:
    import numpy.typing as npt


KINDS = ("validated", "mean", "last")


@dataclass(frozen=True, repr=False, eq=False)
class ClusterRun(Run):
    """The receipts of a game that was played in shards.

    Everything that a :class:`~regretless.Run` has, where it makes sense.

    Attributes
    ----------
    mean : ndarray
        The mean of all hypotheses that predicted, on any shard; the bias first.
    reports : tuple of Report
        What every shard came to, in order.
    synchronizations : int
        How often the shards' weights were averaged, the end included.
    interrupted : bool
        Whether it was stopped; then it is about the shards that had ended.
    skipped, unlabeled : int
        Bad rows that were skipped, and rows that were only predicted.
    problems : tuple of str
        What was wrong with the first bad rows.
    """

    mean: Floats = field(default_factory=lambda: np.zeros(0), repr=False)
    reports: tuple[Report, ...] = ()
    synchronizations: int = 1
    interrupted: bool = False
    skipped: int = 0
    unlabeled: int = 0
    problems: tuple[str, ...] = ()
    terms: JobSpec | None = field(default=None, repr=False)
    parts: Sequence[Sequence[Shard]] = field(default=(), repr=False)
    before: Weights | None = field(default=None, repr=False)
    tests: Sequence[Shard] = field(default=(), repr=False)
    address: str = "auto"
    workers: int | None = None

    @property
    def shards(self) -> int:
        """How many shards were played."""
        return len(self.reports)

    def model(self, kind: str | None = None, delta: float = 0.05) -> Model:
        """One model out of all shards.

        Parameters
        ----------
        kind : str or None
            "mean": of all hypotheses of all shards (certified under a convex, bounded
            loss); "last": the average of what the shards ended with; "validated": the
            mean of all shards but the last few, judged by the rows of those, which are
            read once more. None: the mean of all, with that certificate beside it.
        delta : float
            The probability that its certificate is wrong.
        """
        checked_delta(delta)
        found = self._model(kind, delta)
        if found.certificate is None:
            return replace(found, why_not=objection(self) or found.why_not)
        return replace(found, **claim(self, found.certificate))

    def _model(self, kind: str | None, delta: float) -> Model:
        if kind is None:
            return self._refit(delta)
        if kind not in KINDS:
            raise ValueError(
                f"model({kind!r}): of a run on a cluster there are {', '.join(KINDS)}"
            )
        if kind == "last":
            about = "the average of the last hypotheses of the shards"
            why = NOT_BY_AVERAGE.format(about)
            weights = (
                np.r_[self.bias, self.weights] if self.learner.bias else self.weights
            )
            return self._linear(weights, kind, about, why_not=why)
        if kind == "mean":
            about = (
                f"the mean of all {self.rounds:,} hypotheses of {self.shards} shards"
            )
            return self._linear(
                self.mean, kind, about, **self._by_convexity(about, delta)
            )
        return self._validated(delta)

    def hindsight(
        self,
        *,
        switches: int | None = None,
        tolerance: float = 1e-3,
        strength: float | None = None,
    ) -> Hindsight:
        """The best fixed u under a penalty, solved for on the cluster, with its gap.

        Parameters
        ----------
        strength : float or None
            Minimize the loss plus (strength/2)|u|^2. None: the learner's own penalty,
            or 1 where it has none.
        tolerance : float
            The relative gap to reach.
        switches : None
            For experts, which are not played on clusters.
        """
        if switches is not None:
            raise TypeError("switches= is for experts")
        own = strength_of(self.learner.composition(2).penalty) * self.rounds
        if strength is None:
            strength = own or 1.0
        with self._pool() as pool:
            return best_in_hindsight(
                pool, self._fixed(), self.reports, strength, tolerance=tolerance
            )

    def theorems(
        self, u: npt.ArrayLike | None = None, *, hindsight: bool = True
    ) -> Theorems:
        """Every theorem about this learner, on the shards that were played.

        Shards that were averaged once are games of their own: both sides of each
        theorem are summed over them, for the same u. Where weights were mixed, the
        theorems are those of mixing.

        Parameters
        ----------
        u : array
            A comparator of your own; None: the best under a penalty, see
            :meth:`hindsight`.
        hindsight : bool
            Whether to look for one where none is given.
        """
        if u is None and not hindsight:
            return Theorems(())
        if self.weighted:
            raise ValueError(
                "rows carry importance weights, and the theorems count every row once"
            )
        weights = self._comparator(u)
        with self._pool() as pool:
            if self.synchronizations > 1:
                return mixed_theorems(pool, self._fixed(), self.parts, weights)
            shards = [report.shard for report in self.reports if report.rounds]
            return summed_theorems(pool, self._fixed(), shards, weights)

    def regret(
        self, u: npt.ArrayLike | None = None, *, tolerance: float = 1e-3
    ) -> Regret:
        """The loss of all shards minus that of `u` on the same rows.

        Without `u`: against the best one under a penalty, see :meth:`hindsight`.
        """
        if self.synchronizations > 1:
            raise ValueError("the regret of mixed weights: see theorems()")
        weights = self._comparator(u, tolerance)
        with self._pool() as pool:
            shards = [report.shard for report in self.reports if report.rounds]
            found = summed_regret(pool, self._fixed(), shards, weights)
        return Regret(found, found, f"|u| = {float(np.linalg.norm(weights)):.6g}")

    def lines(self) -> list[tuple[str, str]]:
        """The run as (what, how much), for people."""
        lines = Run.lines(self)
        often = self.synchronizations
        averaged = "averaged once" if often == 1 else f"averaged {often} times"
        shards = f"{self.shards}, {averaged}"
        if self.interrupted:
            shards += "; interrupted: only those that had ended"
        return [("shards", shards), *lines]

    # What everything above stands on.

    @contextmanager
    def _pool(self) -> Generator[TaskPool]:
        with connected(self.address, self.workers) as ray:
            yield TaskPool(ray, self.workers, lambda: False, lambda: None)

    def _fixed(self) -> JobSpec:
        """The terms, with the features that were met and no others."""
        assert self.terms is not None
        named = dict(enumerate(self.names)) if isinstance(self.names, tuple) else None
        if self.terms.options.format != "jsonl":
            named = None
        width = self.weights.size
        return replace(self.terms, n_features=width, names=named, frozen=True)

    def _comparator(self, u: npt.ArrayLike | None, tolerance: float = 1e-2) -> Floats:
        """All weights of a comparator, the bias first."""
        if u is None:
            best = self.hindsight(tolerance=tolerance)
            weights, bias = best.u, best.bias
        else:
            weights, bias = given(self, u)
        return np.r_[bias, weights] if self.learner.bias else weights

    def _linear(self, weights: Floats, kind: str, about: str, **more: Any) -> Model:
        bias = int(self.learner.bias)
        full = np.zeros(self.weights.size + bias)
        full[: weights.size] = weights
        return Model(
            self.learner.player(self.weights.size).averaged(full),
            kind,
            about,
            names=self.names,
            classes=self.classes,
            provenance=Provenance.of(self),
            **more,
        )

    def _by_convexity(self, about: str, delta: float) -> Document:
        """The certificate of a mean under a convex, bounded loss, from (n, S) alone."""
        parts = self.learner.player(self.weights.size).parts
        if not isinstance(parts.view, AsIs):
            return {"why_not": SEEN.format(about)}
        known = bounded_loss(self, about)
        if isinstance(known, str):
            return {"why_not": known}
        total = min(self.loss / known.largest, float(self.rounds))
        found = Certificate(
            value=known.largest * kl_mixture(self.rounds, total, delta, GUESS),
            delta=delta,
            method="kl_mixture",
            about=about,
            n=self.rounds,
            total=total,
            scope=ANYTIME,
            loss=known.name,
            scale=known.largest,
            n_opt=GUESS,
            assumptions=known.assumptions,
        )
        return {"certificate": found}

    def _refit(self, delta: float) -> Model:
        """The mean of all shards; certified is that of the first ones."""
        model = self._model("mean", delta)
        if self.mistakes is None:
            return model
        try:
            found = self._validated(delta).certificate
            assert found is not None
        except ValueError as problem:
            return replace(model, why_not=f"Nothing is certified about it: {problem}.")
        about = f"the mean of the first {found.learned:,} hypotheses"
        beside = replace(found, about=about, refit=True)
        return replace(model, certificate=beside, why_not="")

    def _validated(self, delta: float) -> Model:
        """The mean of the shards before the last few, judged on those."""
        if self.mistakes is None:
            raise ValueError("validation is for classifiers: this run predicts numbers")
        if self.before is None or not self.before.rounds:
            raise ValueError(
                "no shards were left to judge a model by: it takes two shards, played "
                "to the end"
            )
        n = self.before.rounds
        about = f"this classifier (the mean of the first {n:,} hypotheses)"
        model = self._linear(self.before.mean, "validated", about)
        with self._pool() as pool:
            found = each_of(pool, test_shard, self._fixed(), self.tests, model)
        rows = sum(one.rows for one in found)
        errors = sum(one.errors for one in found)
        if not rows:
            raise ValueError("the shards to judge a model by have no rows")
        certificate = Certificate(
            value=clopper_pearson(rows, errors, delta),
            delta=delta,
            method="Clopper-Pearson, on the last shards, which it has not seen",
            about=about,
            n=rows,
            total=float(errors),
            scope="one test, made once",
            learned=n,
            rows=self.rounds,
        )
        return replace(model, certificate=certificate)


def conclude(
    learner: LinearLearner,
    terms: JobSpec,
    played: ShardsPlayed,
    address: str,
    workers: int | None,
) -> ClusterRun:
    """The run that played shards come to."""
    from ...data.encoding import label_codec

    weights, reports = played.weights, played.reports
    bias = weights.bias
    statistics = [report.ledger for report in reports if report.ledger is not None]
    if not weights.rounds:
        raise ValueError("no row has a label to learn from")
    record = RowRecord(learner.task)
    for report in reports:
        record.join(report.record)
    targets = label_codec(learner.binary)
    targets.restore(_same_labels(reports))
    names: Names | None = weights.named or None
    width = weights.last.size - bias
    if names is not None and weights.by_name and len(names) >= width:
        names = tuple(names[k] for k in range(len(names)))
    return ClusterRun(
        learner=learner,
        ledger=merged_ledger(statistics, float(np.linalg.norm(weights.last))),
        weights=weights.last[bias:],
        bias=float(weights.last[0]) if bias else 0.0,
        names=names,
        classes=targets.classes,
        seconds=sum(report.learning for report in reports),
        weighted=any(report.weighted for report in reports),
        reading=terms.options.as_dict(),
        record=record,
        mean=weights.mean,
        reports=tuple(reports),
        synchronizations=len(played.rounds),
        interrupted=played.interrupted,
        skipped=sum(report.skipped for report in reports),
        unlabeled=sum(report.unlabeled for report in reports),
        problems=tuple(one for report in reports for one in report.problems)[:10],
        terms=terms,
        parts=played.rounds,
        before=played.before,
        tests=played.tests,
        address=address,
        workers=workers,
    )


def _same_labels(reports: Sequence[Report]) -> list[object]:
    """The labels for -1 and +1, on which all shards must agree."""
    known: list[object] = [None, None]
    first: list[Shard | None] = [None, None]
    for report in reports:
        for k, label in enumerate(report.labels):
            if label is None:
                continue
            if known[k] is None:
                known[k], first[k] = label, report.shard
            elif label != known[k]:
                raise ValueError(
                    f"{report.shard}: label {label:g} is a third value after "
                    f"{known[k]:g} in {first[k]}: a binary learner takes two"
                )
    return known
