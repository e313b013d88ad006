"""What happens beside the learning, after every batch: each watcher does one thing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np

from ..data import Batch
from ..errors import OptionError
from ..parts.documents import Document
from ..parts.state import Floats

if TYPE_CHECKING:
    from .session import Session


Game = TypeVar("Game")
Watched_contra = TypeVar("Watched_contra", contravariant=True)
LATEST = 1 << 16  # rows that a threshold is chosen on
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}


class Watcher(Protocol[Watched_contra]):
    """Sees every batch after it was played, by a session or by many learners.

    Attributes
    ----------
    scored : bool
        Whether it needs the scores of the rows.
    """

    @property
    def scored(self) -> bool:
        """Whether it needs the scores of the rows."""
        ...

    def after(
        self, batch: Batch, scores: Floats | None, session: Watched_contra, /
    ) -> None:
        """Called between two batches."""
        ...

    def last(self, session: Watched_contra, /) -> None:
        """Called when no more rows come; ``session.ended``: the rows have ended."""
        ...


class OnBatch(Generic[Game]):
    """Calls a function with the session after every batch."""

    scored = False

    def __init__(self, call: Callable[[Game], object]) -> None:
        if not callable(call):
            raise TypeError(f"on_batch={call!r:.40} cannot be called with a session")
        self._call = call

    def after(self, batch: Batch, scores: Floats | None, session: Game) -> None:
        """Call it."""
        self._call(session)

    def last(self, session: Game) -> None:
        """It was called after the last batch too."""


class Checkpointer:
    """Saves everything, every so many seconds or rows, and where it is stopped.

    Parameters
    ----------
    save : callable
        Given the session and the mark of its last batch.
    every : str or int
        See :func:`parse_every`.
    """

    scored = False

    def __init__(
        self, save: Callable[[Session, Document | None], None], every: str | int = "30s"
    ) -> None:
        self._save = save
        self._seconds, self._rows = parse_every(every)
        self._last_time = time.monotonic()
        self._last_rows = 0
        self._mark: Document | None = None

    def after(self, batch: Batch, scores: Floats | None, session: Session) -> None:
        """Save, if it is time to."""
        now, rows = time.monotonic(), session.rows
        self._mark = batch.mark
        by_time = self._seconds is not None and now - self._last_time >= self._seconds
        by_rows = self._rows is not None and rows - self._last_rows >= self._rows
        if by_time or by_rows:
            self._save(session, batch.mark)
            self._last_time, self._last_rows = time.monotonic(), rows

    def last(self, session: Session) -> None:
        """Save, unless all is done: what is done needs no checkpoint."""
        if not session.ended and self._mark is not None:
            self._save(session, self._mark)


class LatestScores:
    """Keeps the scores of the rows learned last, made before their labels were seen."""

    scored = True

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, Floats]] = []
        self._rows = 0

    def after(self, batch: Batch, scores: Floats | None, session: object) -> None:
        """Keep those of a batch."""
        if scores is None:
            return
        known = ~np.isnan(scores) & ~np.isnan(batch.targets)
        self._parts.append((scores[known], batch.targets[known]))
        self._rows += int(known.sum())
        while self._rows - self._parts[0][0].size >= LATEST:
            self._rows -= self._parts.pop(0)[0].size

    def last(self, session: object) -> None:
        """Nothing is left to do."""

    def rows(self) -> tuple[Floats, Floats]:
        """Scores and targets."""
        if not self._parts:
            return np.zeros(0), np.zeros(0)
        scores, targets = zip(*self._parts, strict=True)
        return np.concatenate(scores)[-LATEST:], np.concatenate(targets)[-LATEST:]


def parse_every(text: str | int) -> tuple[float | None, int | None]:
    """Seconds or rows: "30s", "5min", "1h", "100000rows"; a number alone counts rows.

    Examples
    --------
    >>> from regretless.runs.watchers import parse_every
    >>> parse_every("30s"), parse_every("100000rows"), parse_every(1000)
    ((30.0, None), (None, 100000), (None, 1000))
    """
    plain = str(text).strip().lower().replace(",", "").replace("_", "")
    number = plain.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = plain[len(number) :].strip()
    try:
        amount = float(number)
    except ValueError:
        amount = 0.0
    if amount > 0.0 and unit in UNITS:
        return amount * UNITS[unit], None
    if amount >= 1.0 and amount.is_integer() and unit in ("", "row", "rows"):
        return None, int(amount)
    raise OptionError(f"--every {text!r}: write 30s, 5min, 1h or 100000rows")
