"""Write the page of a run to a file, or draw its main chart."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..storage.atomic import replace_file
from .charts import error_chart
from .drawing import notebook_figure, require_plotly
from .facts import Facts, facts
from .page import page_of
from .progress import progress_of

__all__ = ["plot", "write"]


def write(run: Any, path: str | os.PathLike[str], **options: Any) -> Path:
    """Write one self-contained page of HTML about `run`.

    Parameters
    ----------
    run : Run, Runs or Facts
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
        Where plotly is not installed.
    """
    require_plotly()
    page = page_of(run if isinstance(run, Facts) else facts(run, **options))
    data = page.encode("utf-8")
    replace_file(Path(path), lambda stream: _put(stream, data))
    return Path(path)


def plot(run: Any) -> Any:
    """The main chart of a run, for notebooks: what it paid over time.

    Beside the bounds, where that needs no second look at the data.
    """
    certificate = None
    known = Facts(run, "", 0.05, progress_of(run, certificate))
    chart = error_chart(known)
    return notebook_figure(chart.figure, f"{run.learner!r}: {chart.title}", chart.keys)


def _put(stream: Any, data: bytes) -> None:
    stream.write(data)
