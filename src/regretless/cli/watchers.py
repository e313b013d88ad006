"""What happens beside the learning, after every batch: each watcher does one thing."""

from __future__ import annotations

import math
import os
import shutil
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from ..algorithms.learners.probabilities import two_probabilities
from ..data import Batch
from ..engine.hypotheses.class_probabilities import class_probabilities
from ..engine.storage.atomic import special
from ..parts.state import Floats
from .tagged import tagged_lines

__all__ = ["Checkpointer", "Predictions", "Watcher", "parse_every"]


class Watcher(Protocol):
    """Sees every batch after it was played."""

    def after(self, batch: Batch, scores: Floats | None, game: Any) -> None:
        """Called between two batches."""
        ...

    def last(self, game: Any) -> None:
        """Called when no more rows come."""
        ...


class Predictions:
    """Writes predictions, made before labels were seen, as version 0.1 did.

    One line a row: the predicted label (of classes) and its score; then, where they are
    asked for, the probability of the positive class, or those of all classes that have
    come, in that order. Before any class has come there is nothing to predict:
    ``? nan``.

    Until the stream has ended they are in FILE.part: a run that fails or is killed
    leaves FILE as it was, and one that is resumed goes on where the part ends. A pipe
    or a device is written directly.
    """

    def __init__(self, path: str, at: int = 0, probable: bool = False) -> None:
        self._probable = probable
        self._path = Path(path)
        self._part = self._path.with_name(f"{self._path.name}.part")
        if special(self._path):
            self._part = self._path
        elif at:
            self._check_part(at)
        self._file = self._part.open("r+b" if at else "wb")
        if at:
            self._file.seek(at)
            self._file.truncate()

    def _check_part(self, at: int) -> None:
        """The part that a checkpoint knows must be there."""
        if not self._part.exists() and self._path.exists():
            shutil.copyfile(self._path, self._part)  # version 0.1 wrote FILE itself
        size = self._part.stat().st_size
        if size < at:
            raise ValueError(
                f"{self._part}: it has {size:,} bytes, and the checkpoint was made "
                f"when it had {at:,}"
            )

    @property
    def position(self) -> int:
        """How many bytes are safely in the file."""
        with self._explained():
            self._file.flush()
        return 0 if special(self._path) else self._file.tell()

    def after(self, batch: Batch, scores: Floats | None, game: Any) -> None:
        """Write the predictions of a batch."""
        if scores is not None:
            chances = _chances(scores, game.slopes) if self._probable else None
            lines = prediction_lines(scores, game.source.classes, chances)
            with self._explained():
                self._file.write(tagged_lines(lines, batch.tags).encode())

    def last(self, game: Any) -> None:
        """Let everything be in the file."""
        with self._explained():
            self._file.flush()

    def commit(self, classes: tuple[Any, ...] | None) -> None:
        """All rows were predicted: let the part be the file."""
        with self._explained():
            if self._part != self._path:
                os.fsync(self._file.fileno())
                self._part.replace(self._path)

    def close(self) -> None:
        """No more rows will come."""
        with suppress(OSError):  # a full disk was met, and told, before
            self._file.close()

    @contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._part)) from None


def prediction_lines(
    scores: Floats,
    classes: tuple[Any, ...] | None,
    chances: list[list[str]] | None = None,
) -> str:
    """One line a row; a score of exactly 0 predicts the negative class."""
    if classes is None:
        return "".join(f"{score!r}\n" for score in scores.tolist())
    if scores.ndim == 2:
        words = [_best(row, classes) for row in scores.tolist()]
    else:
        words = [[str(classes[score > 0.0]), repr(score)] for score in scores.tolist()]
    if chances is not None:
        words = [row + more for row, more in zip(words, chances, strict=True)]
    return "".join(f"{' '.join(row)}\n" for row in words)


def _best(scores: list[float], classes: tuple[Any, ...]) -> list[str]:
    """The class with the largest score, the first of them at ties."""
    best = max(scores, default=math.nan)
    if not math.isfinite(best):
        return ["?", "nan"]
    return [str(classes[scores.index(best)]), repr(best)]


def _chances(scores: Floats, slopes: Floats | None) -> list[list[str]]:
    """The probabilities of every row: of +1, or of all classes that have come."""
    if scores.ndim == 1:
        return [[f"{p:.6g}"] for p in two_probabilities(scores)[:, 1].tolist()]
    return [
        [f"{p:.6g}" for p, score in zip(row, said, strict=True) if math.isfinite(score)]
        for row, said in zip(
            class_probabilities(scores, slopes).tolist(), scores.tolist(), strict=True
        )
    ]


class Checkpointer:
    """Saves everything, every so many seconds or rows."""

    def __init__(self, save: Any, seconds: float | None, rows: int | None) -> None:
        self._save = save
        self._seconds = seconds
        self._rows = rows
        self._last_time = time.monotonic()
        self._last_rows = 0

    def after(self, batch: Batch, scores: Floats | None, game: Any) -> None:
        """Save, if it is time to."""
        now = time.monotonic()
        by_time = self._seconds is not None and now - self._last_time >= self._seconds
        by_rows = self._rows is not None and game.rows - self._last_rows >= self._rows
        if by_time or by_rows:
            self._save(game, batch.mark)
            self._last_time, self._last_rows = time.monotonic(), game.rows

    def last(self, game: Any) -> None:
        """What is done needs no checkpoint."""


UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}


def parse_every(text: str) -> tuple[float | None, int | None]:
    """Seconds or rows: "30s", "5min", "1h", "100000rows".

    Examples
    --------
    >>> from regretless.cli.watchers import parse_every
    >>> parse_every("30s"), parse_every("100000rows")
    ((30.0, None), (None, 100000))
    """
    plain = text.strip().lower().replace(",", "").replace("_", "")
    number = plain.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = plain[len(number) :].strip()
    try:
        amount = float(number)
    except ValueError:
        amount = 0.0
    if amount > 0.0 and unit in UNITS:
        return amount * UNITS[unit], None
    if amount >= 1.0 and amount.is_integer() and unit in ("row", "rows"):
        return None, int(amount)
    raise ValueError(f"--every {text!r}: write 30s, 5min, 1h or 100000rows")
