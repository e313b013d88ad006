"""The predictions of ``train -p --plain``: a watcher that writes them as it goes."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..algorithms.learners.probabilities import two_probabilities
from ..data import Batch
from ..engine.hypotheses.class_probabilities import class_probabilities
from ..engine.storage.atomic import special
from ..parts.state import Floats
from .predicted_rows import tagged_lines

if TYPE_CHECKING:
    from ..runs.session import Session

__all__ = ["PredictedLines"]


class PredictedLines:
    """Writes predictions, made before labels were seen, as version 0.1 did.

    One line a row: the predicted label (of classes) and its score; then, where they are
    asked for, the probability of the positive class, or those of all classes that have
    come, in that order. Before any class has come there is nothing to predict:
    ``? nan``.

    Until the stream has ended they are in FILE.part: a run that fails or is killed
    leaves FILE as it was, and one that is resumed goes on where the part ends. A pipe
    or a device is written directly.
    """

    scored = True

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

    def after(self, batch: Batch, scores: Floats | None, session: Session) -> None:
        """Write the predictions of a batch."""
        if scores is not None:
            chances = _chances(scores, session.slopes) if self._probable else None
            lines = prediction_lines(scores, session.source.classes, chances)
            with self._explained():
                self._file.write(tagged_lines(lines, batch.tags).encode())

    def last(self, session: object) -> None:
        """Let everything be in the file."""
        with self._explained():
            self._file.flush()

    def commit(self, classes: tuple[object, ...] | None) -> None:
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
    classes: tuple[object, ...] | None,
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


def _best(scores: list[float], classes: tuple[object, ...]) -> list[str]:
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
