"""Runs of many learners over the same rows: a table, and what may be said of the best.

Looking at K runs and taking the best is a choice made with the data in hand, so each
run is certified at delta/K: then all K certificates hold at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, overload

from ..errors import BadRow, NotCertified
from ..evidence.metrics.base import plain
from ..parts.documents import Document
from ..parts.notebook_html import Printed, as_table
from ..parts.reprs import short_call, shown
from ..parts.text_tables import table_lines
from .choosing import BY_LEDGER, Measure, default_measure, measure_called
from .run import Run

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
    from ..models.model import Model
    from ..report.charts import Figure


TITLES = {
    "log_loss": "log loss",
    "auc": "AUC",
    "error": "error",
    "certified": "certified",
    "rmse": "RMSE",
    "mae": "MAE",
    "r2": "R2",
}
CLASSES = ("log_loss", "auc", "error", "certified")
AMOUNTS = ("rmse", "mae", "r2")


@dataclass(frozen=True, repr=False)
class Runs(Printed, Sequence[Run]):
    """What came out of playing many learners over data once.

    Index it, iterate over it, print it.

    Attributes
    ----------
    runs : tuple of Run
        In the order of the learners.
    failures : dict
        From the number of a learner to why it stopped early, if it did.
    best_by : str
        What the best is chosen by, and the table sorted; "": the log loss where all
        learners have probabilities, else the error; of amounts the squared error.
    """

    runs: tuple[Run, ...]
    failures: dict[int, BadRow] = field(default_factory=dict[int, BadRow])
    best_by: str = ""

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Run, ...]: ...
    def __getitem__(self, index: int | slice) -> Run | tuple[Run, ...]:
        """One run, or some."""
        return self.runs[index]

    def __len__(self) -> int:
        """How many learners played."""
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        """The runs, in the order of the learners."""
        return iter(self.runs)

    @property
    def measure(self) -> Measure:
        """What the best is chosen by."""
        if not self.best_by:
            return default_measure(self.runs)
        return measure_called(self.best_by, (run.learner for run in self.runs))

    def by(self, measure: str) -> Runs:
        """The same runs, chosen and sorted by another measure.

        One of "log-loss", "auc", "average-precision", "brier", "error", "loss",
        "squared-error", "mae": learners that did not keep it on the way are played
        again, where the data can be read again.
        """
        found = replace(self, best_by=measure)
        for run in self.runs:
            found.measure.of(run)
        return found

    @property
    def best(self) -> Run:
        """The best run by :attr:`measure`, of those that ended."""
        ended = [run for k, run in enumerate(self.runs) if k not in self.failures]
        return min(ended, key=self.measure.paid)

    def certificate(self, run: Run, delta: float = 0.05) -> Certificate:
        """The certificate of one of the runs, at delta/K."""
        return run.certificate(delta, runs=len(self.runs))

    def model(self, kind: str | None = None, delta: float = 0.05) -> Model:
        """The model of the best run, certified at delta/K."""
        return self.best.model(kind, delta / len(self.runs))

    def report(
        self, path: str | os.PathLike[str], *, delta: float = 0.05, **options: object
    ) -> Path:
        """Write a page about all runs, then about the best one, each at delta/K.

        The options are those of :meth:`regretless.Run.report`.
        """
        from ..report import write

        return write(self, path, delta=delta, **options)

    def plot(self) -> Figure:
        """All runs over time, the best ones in color."""
        from ..report import plot

        return plot(self)

    def rows(self, delta: float = 0.05) -> list[Document]:
        """The table as plain data, the best first."""
        measure = self.measure
        order = sorted(
            range(len(self.runs)),
            key=lambda k: (k in self.failures, measure.paid(self.runs[k])),
        )
        return [self._row(k, delta) for k in order]

    def _row(self, number: int, delta: float) -> Document:
        run, failure = self.runs[number], self.failures.get(number)
        metrics = {} if run.measured is None else plain(run.measured.values())
        return {
            "learner": repr(run.learner),
            "words": short_call(run.learner),
            "rows": run.rounds,
            "mistakes": run.mistakes,
            "error": _known("error", run),
            "loss": run.loss,
            "log_loss": metrics.get("log_loss"),
            "auc": metrics.get("auc"),
            "rmse": _known("squared-error", run),
            "mae": metrics.get("mae"),
            "r2": run.ledger.r2,
            "best_by": plain({"": self.measure.of(run)})[""],
            "certified": self._certified(run, delta),
            "doubts": run.doubts._asdict(),
            "stopped": None if failure is None else str(failure),
        }

    def _certified(self, run: Run, delta: float) -> float | None:
        """What is certified about a run; None where nothing is."""
        if run.mistakes is None or not run.rounds:
            return None
        try:
            return self.certificate(run, delta).value
        except NotCertified:
            return None

    def lines(self, delta: float = 0.05) -> list[tuple[str, ...]]:
        """The table as text, with its header: first what the best is chosen by."""
        binary, rows = self.runs[0].mistakes is not None, self.rows(delta)
        columns = [
            column
            for column in (CLASSES if binary else AMOUNTS)
            if any(row[column] is not None for row in rows)
        ]
        first = self.measure.title
        others = [one for one in columns if TITLES[one] != first]
        lines = [("learner", first, *(TITLES[one] for one in others), "")]
        for row in rows:
            chosen = _cell(self.measure.name.replace("-", "_"), row["best_by"])
            cells = [_cell(one, row[one]) for one in others]
            lines.append((row["words"], chosen, *cells, row["stopped"] or ""))
        return lines

    def __str__(self) -> str:
        head, *body = self.lines()
        table = table_lines(head, body, left=(0, len(head) - 1))
        return "\n".join([*table, f"the best by {self.measure.title} comes first"])

    def _repr_html_(self) -> str:
        head, *body = self.lines()
        return as_table(head, body)


def _known(name: str, run: Run) -> float | None:
    """A measure of the ledger; None where it has none."""
    return plain({name: BY_LEDGER[name].of(run)})[name]


def _cell(column: str, value: float | None) -> str:
    """A number of the table as text."""
    if value is None:
        return ""
    if column in ("error", "certified"):
        return f"{'<= ' * (column == 'certified')}{value:.2%}"
    if column == "r2":
        return f"{max(value, -9.9999):.4f}"
    return f"{value:.4f}" if column in ("log_loss", "auc") else shown(value)
