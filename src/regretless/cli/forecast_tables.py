"""What the commands about forecasts share: reading tables, naming losses, notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..forecasts import Log, Pinball, Table, read_forecasts
from ..forecasts.scores import QUANTILE, as_score
from ..parts.documents import Document
from .console import say, tell
from .usage import UsageError

TOLD = ("odds", "time", "group", "horizon", "known_at", "date_first")


def as_loss(text: str) -> Any:
    """A loss by its name; log:CLIP and pinball:QUANTILE carry a number."""
    if text in QUANTILE or text == "brier":  # which depends on the table
        return text
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


def open_table(given: Document) -> Table:
    """Read the table that the options of a command describe."""
    return read_forecasts(
        given["forecasts"],
        given["truth"],
        forecasters=_listed(given["forecasters"]),
        outcomes=_listed(given.get("outcomes")),
        **{name: given[name] for name in TOLD if name in given},
    )


def write_report(found: Any, path: Path | None) -> None:
    """Write the chart, if it was asked for, when all else is told."""
    if path is not None:
        tell()
        found.plot(path)


def say_notes(notes: Sequence[str]) -> None:
    """Say what was assumed of the data, on standard error."""
    for note in notes:
        say(f"note: {note}")


def _listed(text: str | None) -> list[str] | None:
    return [part.strip() for part in text.split(",")] if text else None
