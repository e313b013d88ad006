"""What ``compare`` and ``combine`` share: reading forecasts, naming losses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ..forecasts import Log, Pinball
from ..forecasts.scores import as_score
from ..forecasts.table import Table, read_forecasts
from .usage import UsageError

__all__ = ["as_loss", "open_table", "write_report"]


def as_loss(text: str) -> Any:
    """A loss by its name; log:CLIP and pinball:QUANTILE carry a number."""
    found = re.fullmatch(r"(log|pinball):(\S+)", text)
    try:
        if found is None:
            return as_score(text)
        kind, number = found.groups()
        part: Any = Log(float(number)) if kind == "log" else Pinball(float(number))
        part.check()
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
    return part


def open_table(
    path: Path,
    truth: str,
    time: str | None,
    forecasters: str | None,
    outcomes: str | None,
) -> Table:
    """Read the table that the options describe."""
    return read_forecasts(
        path,
        truth,
        time=time,
        forecasters=_listed(forecasters),
        outcomes=_listed(outcomes),
    )


def write_report(found: Any, path: Path | None) -> None:
    """Write the chart, if it was asked for."""
    if path is not None:
        found.plot(path)


def _listed(text: str | None) -> list[str] | None:
    return [part.strip() for part in text.split(",")] if text else None
