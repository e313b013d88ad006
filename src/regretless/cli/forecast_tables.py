"""What ``compare`` and ``combine`` share: reading forecasts, failing in one line."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from ..forecasts import Log, Pinball
from ..forecasts.table import Table, read_forecasts

__all__ = ["as_loss", "one_line", "open_table", "write_json", "write_report"]


@contextmanager
def one_line() -> Generator[None]:
    """Say what is wrong in one line and leave with 1, instead of a traceback."""
    try:
        yield
    except (ValueError, OSError, ModuleNotFoundError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


def as_loss(text: str) -> Any:
    """A loss by its name; log:CLIP and pinball:QUANTILE carry a number."""
    found = re.fullmatch(r"(log|pinball):(\S+)", text)
    if found is None:
        return text
    kind, number = found.groups()
    try:
        part: Any = Log(float(number)) if kind == "log" else Pinball(float(number))
        part.check()
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--loss") from None
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


def write_json(data: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    typer.echo(json.dumps(data, allow_nan=False))


def write_report(found: Any, path: Path | None) -> None:
    """Write the chart, if it was asked for."""
    if path is not None:
        found.plot(path)


def _listed(text: str | None) -> list[str] | None:
    return [part.strip() for part in text.split(",")] if text else None
