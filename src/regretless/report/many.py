"""Many runs over the same rows: all of them over time and in a table, then the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..parts.documents import Document
from ..parts.notebook_html import as_table, scrolled
from . import markup as m
from .answer import PageAnswer, answer_of
from .charts import DASHES, HUES, Mark, line
from .charts.lines import lines_figure
from .numbers import brief, percent
from .page import document_of, parts_of
from .page_facts import PageFacts, facts
from .progress import progress_of
from .receipts import many_document
from .reported_runs import ReportedRuns
from .run_charts import Chart

COLORED = 5  # runs that are told apart by color; the others are grey


@dataclass(frozen=True, eq=False)
class ManyFacts:
    """What a page about many runs shows.

    Attributes
    ----------
    runs : Runs
        All of them.
    rows : list of dict
        The table, the best first.
    best : PageFacts
        Of the best run.
    """

    runs: ReportedRuns
    rows: list[Document]
    best: PageFacts

    def as_dict(self) -> Document:
        """Plain data; what ``train --json`` has too is under the same names."""
        return {
            **many_document(self.runs, self.best),
            "data": self.best.data,
            "best": self.best.as_dict(),
        }


def facts_of_many(
    runs: ReportedRuns, *, delta: float = 0.05, **options: Any
) -> ManyFacts:
    """Gather what a page about `runs` shows; the options are for the best one."""
    best = facts(runs.best, delta=delta, runs=len(runs), **options)
    return ManyFacts(runs, runs.rows(delta), best)


def page_of_many(found: ManyFacts) -> str:
    """The whole page as text."""
    chart = many_chart(found.runs, found.rows)
    overview = m.section("all", "All runs", m.chart(chart), _table(found))
    sections, shown = parts_of(found.best)
    return document_of(
        _answer(found),
        [("all", "All runs", overview), *sections],
        [chart, *shown],
        found.as_dict(),
    )


def many_chart(runs: ReportedRuns, rows: list[Document]) -> Chart:
    """The mean error, or loss, of every run over time; the best drawn last."""
    known = {repr(run.learner): run for run in runs}
    binary = runs[0].mistakes is not None
    marks: list[Mark] = []
    for k, row in enumerate(rows):
        progress = progress_of(known[row["learner"]])
        others = k > COLORED
        name = f"{len(rows) - COLORED - 1} others" if others else row["words"]
        color = "faint" if others else "ink" if k == 0 else HUES[k - 1]
        dash = "solid" if others else list(DASHES)[k % len(DASHES)]
        wide = 2.6 if k == 0 else 1.0 if others else 1.7
        x, y = progress.rounds, progress.means
        marks.append(line(x, y, name, color, dash, width=wide))
    what = "error so far" if binary else "mean loss so far"
    figure = lines_figure(marks[::-1], "round", what, share=binary, height=380)
    first, last = (f"{row['words']}, {_paid(row)}" for row in (rows[0], rows[-1]))
    seen = f"The best by {runs.measure.title}: {first}; the last: {last}."
    return Chart("all", "Who paid what", seen, figure)


def _answer(found: ManyFacts) -> PageAnswer:
    """That of the best run, told among the others."""
    own = answer_of(found.best)
    count = len(found.runs)
    over = f" on {found.best.data}" if found.best.data else ""
    said = (
        f"{count} learners played the same rows in one pass, each as if alone. The "
        f"best by {found.runs.measure.title} was {found.rows[0]['words']}, and what "
        "follows is about it."
    )
    if found.runs[0].mistakes is not None:
        said += (
            " All certificates hold at once, that of the best one too: each is made "
            f"at delta = {found.best.delta:g}/{count}."
        )
    figures = [(f"{count}", "learners in one pass"), *own.figures]
    title = f"{count} learners{over}"
    return PageAnswer(title, figures, [said, *own.sentences], own.warning)


def _table(found: ManyFacts) -> str:
    head, *rows = found.runs.lines(found.best.delta)
    return scrolled(as_table(head, rows), "All runs")


def _paid(row: Document) -> str:
    n = max(row["rows"], 1)
    if row["mistakes"] is None:
        return f"{brief(row['loss'] / n)} a row"
    return percent(row["mistakes"] / n)
