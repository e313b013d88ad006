"""Write the page of a run to a file, or draw its main chart."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from ..engine.storage.atomic import writing
from ..evidence.judged_run import JudgedRun
from ..parts.documents import Document
from .charts import Figure, converter
from .many import ManyFacts, facts_of_many, many_chart, page_of_many
from .page import page_of
from .page_facts import PageFacts, facts
from .progress import progress_of
from .reported_runs import ReportedRuns
from .run_charts import error_chart

Shown: TypeAlias = "JudgedRun | ReportedRuns | PageFacts | ManyFacts"


def write(run: Shown, path: str | os.PathLike[str], **options: Any) -> Path:
    """Write one self-contained page of HTML about `run`.

    Parameters
    ----------
    run : Run, Runs or PageFacts
        What to show.
    path : path
        Where. The file is replaced as a whole, or left as it was.
    **options
        Those of :func:`regretless.report.facts`.

    Returns
    -------
    Path
        Where it was written.

    Raises
    ------
    OSError
        Where it cannot be written; what was there before is unchanged.
    ModuleNotFoundError
        Where vl-convert is not installed.

    Examples
    --------
    >>> import tempfile, numpy as np, regretless as rg
    >>> from pathlib import Path
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> run = rg.play(rg.Perceptron(), X, X[:, 0] > 0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = rg.report.write(run, Path(folder) / "run.html", data="noise")
    ...     "Perceptron on noise" in page.read_text()
    True
    """
    converter()
    page = _page(run, options).encode("utf-8")
    with writing(path) as stream:
        stream.write(page)
    return Path(path)


def plot(run: Any) -> Figure:
    """The main chart of a run (or of many), for notebooks: what was paid, over time."""
    converter()
    if hasattr(run, "runs"):
        chart = many_chart(run, run.rows())
        return replace(chart.figure, title=chart.title)
    chart = error_chart(PageFacts(run=run, progress=progress_of(run)))
    return replace(chart.figure, title=f"{run.learner!r}: {chart.title}")


def _page(run: Any, options: Document) -> str:
    if isinstance(run, PageFacts):
        return page_of(run)
    if isinstance(run, ManyFacts):
        return page_of_many(run)
    if hasattr(run, "members"):
        raise TypeError(
            "a mixture has no page of its own: run.members.report(path) shows its "
            "members"
        )
    if hasattr(run, "runs"):
        return page_of_many(facts_of_many(run, **options))
    return page_of(facts(run, **options))
