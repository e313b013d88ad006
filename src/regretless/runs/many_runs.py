"""Runs of many learners over the same rows: a table, and what may be said of the best.

Looking at K runs and taking the best is a choice made with the data in hand, so each
run is certified at delta/K: then all K certificates hold at once.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, overload

from ..errors import BadRow, NotCertified
from ..parts.documents import Document
from ..parts.notebook_html import as_table
from ..parts.reprs import short_call, shown
from ..parts.text_tables import table_lines
from .run import Run

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
    from ..models.model import Model
    from ..report.charts import Figure

__all__ = ["Runs"]


@dataclass(frozen=True, repr=False)
class Runs(Sequence[Run]):
    """What came out of playing many learners over data once.

    Index it, iterate over it, print it.

    Attributes
    ----------
    runs : tuple of Run
        In the order of the learners.
    failures : dict
        From the number of a learner to why it stopped early, if it did.
    """

    runs: tuple[Run, ...]
    failures: dict[int, BadRow] = field(default_factory=dict[int, BadRow])

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
    def best(self) -> Run:
        """The run with the fewest mistakes, or the least loss, of those that ended."""
        ended = [run for k, run in enumerate(self.runs) if k not in self.failures]
        return min(ended, key=_paid)

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
        found: list[Document] = []
        for number, run in enumerate(self.runs):
            failure = self.failures.get(number)
            certified = None
            if run.mistakes is not None and run.rounds:
                with suppress(NotCertified):
                    certified = self.certificate(run, delta).value
            found.append(
                {
                    "learner": repr(run.learner),
                    "words": short_call(run.learner),
                    "rows": run.rounds,
                    "mistakes": run.mistakes,
                    "loss": run.loss,
                    "rmse": _rmse(run),
                    "r2": run.ledger.r2,
                    "certified": certified,
                    "doubts": run.doubts._asdict(),
                    "stopped": None if failure is None else str(failure),
                }
            )
        order = sorted(
            range(len(found)), key=lambda k: (k in self.failures, _paid(self.runs[k]))
        )
        return [found[k] for k in order]

    def lines(self) -> list[tuple[str, ...]]:
        """The table as text, with its header."""
        binary = self.runs[0].mistakes is not None
        what = ("mistakes", "error", "certified") if binary else ("RMSE", "R2", "loss")
        lines: list[tuple[str, ...]] = [("learner", *what, "")]
        for row in self.rows():
            n = max(row["rows"], 1)
            r2 = "" if row["r2"] is None else f"{max(row['r2'], -9.9999):.4f}"
            cells: tuple[str, ...] = (shown(row["rmse"]), r2, f"{row['loss']:,.6g}")
            if binary:
                bound = "" if row["certified"] is None else f"<= {row['certified']:.2%}"
                cells = (f"{row['mistakes']:,}", f"{row['mistakes'] / n:.2%}", bound)
            lines.append((row["words"], *cells, row["stopped"] or ""))
        return lines

    def __str__(self) -> str:
        head, *body = self.lines()
        return "\n".join(table_lines(head, body, left=(0, len(head) - 1)))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *body = self.lines()
        return as_table(head, body)


def _rmse(run: Run) -> float | None:
    """The root mean squared error, of amounts."""
    squares = run.ledger.squared_error
    return None if squares is None else math.sqrt(squares / max(run.rounds, 1))


def _paid(run: Run) -> float:
    return run.loss if run.mistakes is None else float(run.mistakes)
