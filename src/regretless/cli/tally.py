"""What a model gets wrong on rows with labels, beside what was certified about it."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..evidence.claims.doubts import missing_of, no_better
from ..evidence.metrics import metrics_of_task
from ..models.batches import scores_of
from ..parts.documents import Document
from ..parts.reprs import shown
from .layout import in_brief

if TYPE_CHECKING:
    from ..data import Batch
    from ..evidence.certify import Certificate
    from ..evidence.certify.watch import Watch
    from ..models.model import Model
    from ..parts.rows import Longs
    from ..parts.state import Floats


LEARNED = (
    "the model has learned rows that are among these: the numbers say nothing about "
    "fresh ones"
)

NO_BETTER = (
    "the model is no better on these rows than one answer for all of them, which has {}"
)


class Tally:
    """What a model gets wrong where labels are known.

    Attributes
    ----------
    metrics : Metrics
        Of the rows with labels.
    rows : int
        All of them.
    missed : int
        Labels outside of their prediction sets.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.rows = self.missed = 0
        task = "classes" if model.many else "binary"
        self.metrics = metrics_of_task(
            "real" if model.classes is None else task,
            probabilistic=model.probabilistic,
            cut=model.cut,
        )
        known = None if model.provenance is None else model.provenance.seen
        self.seen = None if known is None else known.continued()
        certificate = model.certificate
        self.watch: Watch | None = None
        bound = 0.0 if certificate is None or certificate.cut else certificate.value
        if certificate is not None and 0.0 < bound < 1.0:
            self.watch = certificate.watch()

    def take(self, batch: Batch) -> Floats:
        """The scores of a batch; its labels are counted."""
        model, labeled = self.model, ~np.isnan(batch.targets)
        scores = scores_of(model, batch.rows, labeled.size)
        if not labeled.size:
            return scores.reshape(0, len(model.classes or ())) if model.many else scores
        self.rows += labeled.size
        if self.seen is not None and labeled.all():
            self.seen.feed(batch.rows, labeled.size)
        if labeled.any():
            self._measure(scores[labeled], batch.targets[labeled])
        return scores

    def _measure(self, scores: Floats, targets: Floats) -> None:
        model = self.model
        if model.coverage is not None:
            from ..models.sets import missed_by

            self.missed += int(missed_by(model, scores, targets).sum())
        if model.many:
            from ..evidence.metrics.many_classes import class_columns

            chances = partial(_chances, model, scores) if model.probabilistic else None
            columns = class_columns(scores, targets, chances)
            wrong = columns[0] != columns[1]
        else:
            columns = scores, targets
            # A score of 0 predicts the negative class here: a tie costs nothing.
            wrong = (scores > model.cut) != (targets > 0.0)
        self.metrics.feed(*columns)
        if self.watch is not None and self.watch.alarm is None:
            for loss in wrong.astype(float).tolist():
                self.watch.feed(loss)

    @property
    def labeled(self) -> int:
        """How many rows had labels."""
        return self.metrics.rows

    @property
    def learned(self) -> bool:
        """Whether rows are among these that the model has learned."""
        return self.seen is not None and self.seen.replay is not None

    def verdict(self) -> str:
        """How the model did, beside what was certified about it."""
        lines = [self._verdict(None if self.learned else self.model.certificate)]
        if self.no_better:
            alone = [
                f"{metric.heading} {base}"
                for metric, _, base in self.metrics.compared()
                if metric.decides and base
            ]
            lines.append(NO_BETTER.format(" and ".join(alone)))
        if self.learned:
            lines.append(LEARNED)
        elif why_not := missing_of(self.model):
            lines.append(in_brief(why_not))
        return "\n".join(lines)

    @property
    def no_better(self) -> bool:
        """Whether one answer for all of these rows would be as good."""
        return no_better(self.metrics)

    def _verdict(self, certificate: Certificate | None) -> str:
        found = self.metrics
        error = f"{self.labeled:,} labeled rows: "
        if found.wrong is None:
            error += f"RMSE {shown(found.values()['rmse'])}"
        else:
            error += f"{found.wrong:,} wrong ({found.wrong / self.labeled:.2%})"
        if certificate is None:
            return f"{error}\n{self._quality()}"
        bound = f"{certificate.value:.2%}"
        if certificate.cut is not None:
            cut = f"errors above {shown(certificate.cut)} counted as that"
            bound = f"{shown(math.sqrt(certificate.value))}, {cut}"
        error += f"; certified{_when(certificate)}: at most {bound}"
        if self.watch is not None and self.watch.alarm is not None:
            error = f"{error}. {str(self.watch.alarm).capitalize()}"
        return f"{error}\n{self._quality()}"

    def _quality(self) -> str:
        """The metrics in a line, losses beside their baseline."""
        parts: list[str] = []
        for metric, text, base in self.metrics.compared():
            beside = "" if metric.larger else f" (without looking: {base})"
            if metric.in_brief and text:
                parts.append(f"{metric.heading} {text}{beside}")
        return ", ".join(parts)

    def set_certificate(self, delta: float = 0.05) -> Certificate | None:
        """What fresh labels say about the prediction sets; None without any."""
        if self.model.coverage is None or not self.labeled or self.learned:
            return None
        from ..models.sets import certificate_by

        return certificate_by(self.model, self.labeled, self.missed, delta)

    def set_verdict(self) -> str:
        """How often labels were outside of prediction sets; "" without any."""
        found, sets = self.set_certificate(), self.model.coverage
        if found is None or sets is None:
            return ""
        return (
            f"{self.missed:,} labels ({found.measured:.2%}) are outside of their "
            f"{100 * sets.level:g}% {sets.of}; if these rows are fresh draws from one "
            f"distribution: at most {found.value:.2%}, with probability "
            f"{1 - found.delta:g}"
        )

    def as_dict(self) -> Document:
        """The same as plain data."""
        found = self.metrics
        certificate = self.model.certificate
        alarm = None if self.watch is None else self.watch.alarm
        sets = self.set_certificate()
        return {
            "labeled": self.labeled,
            "wrong": found.wrong,
            "mean_squared_error": found.mean_squared_error if self.labeled else None,
            "certified": None if certificate is None else certificate.value,
            "why_not": missing_of(self.model),
            "no_better": self.no_better,
            "learned_before": self.learned,
            "alarm": None if alarm is None else str(alarm),
            "metrics": self.metrics.as_dict() if self.labeled else None,
            "set_certificate": None if sets is None else sets.as_dict(),
        }


def _chances(model: Model, scores: Floats, some: Longs) -> Floats:
    """The probabilities of some of the rows."""
    return model.probabilities(scores[some])


def _when(certificate: Certificate) -> str:
    """At which point the model was what the certificate is about."""
    if not (certificate.refit and certificate.learned and certificate.rows):
        return ""
    return f" after {certificate.learned / certificate.rows:.0%} of its rows"
