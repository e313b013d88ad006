"""A chunk of a file as a batch: targets for labels, and nothing of the bad rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import BadRow
from ..parts.state import Floats
from .batch import Batch
from .chunk import Chunk, Problem
from .input_rows import input_rows
from .row_errors import called
from .selection import kept_rows
from .skipped_rows import Skipped


def coded_batch(
    chunk: Chunk,
    coded: tuple[Floats, list[tuple[int, str]]],
    *,
    rows: int,
    n_features: int,
    where: Callable[[int], str],
    skipped: Skipped | None,
    told: bool = False,
) -> Batch:
    """The good rows of a chunk; bad ones end it, or are skipped.

    Parameters
    ----------
    chunk : Chunk
        Some rows of a file.
    coded : (ndarray, list)
        Their targets; and the rows that have a bad label, and why.
    rows : int
        How many rows of the stream come before it.
    n_features : int
        How many features there are so far.
    where : callable
        From a line of the chunk to where it stands in the file.
    skipped : Skipped or None
        Where bad rows are counted; None: the first one ends the stream.
    told : bool
        Whether the batch says which rows of the input it stands for.
    """
    targets, bad = coded
    unlabeled = (
        Problem(i, int(chunk.lines[i]), what, called(chunk, i)) for i, what in bad
    )
    problems = sorted([*chunk.problems, *unlabeled], key=lambda problem: problem[:3])
    failure: BadRow | None = None
    keep = np.ones(targets.size, np.bool_)
    if problems and skipped is None:
        before, at, what, _ = problems[0]
        keep[before:] = False
        failure = BadRow(rows + before, what, where(at))
    elif skipped is not None:
        for _, at, what, _ in problems:
            skipped.add(f"{where(at)}: {what}")
        keep[[i for i, _ in bad]] = False
    if problems:
        chunk, targets = kept_rows(chunk._replace(problems=()), keep), targets[keep]
    lines = chunk.lines

    def place(i: int) -> str:
        return where(int(lines[i]))

    return Batch(
        chunk.rows,
        targets,
        n_features,
        failure,
        chunk.weights,
        place,
        tags=chunk.tags,
        inputs=input_rows(chunk, problems) if told and failure is None else None,
    )


def wider(width: int, chunk: Chunk, declared: int | None) -> int:
    """How many features there are so far; ``ValueError`` if more than `declared`."""
    if declared is not None and chunk.n_features > declared:
        raise ValueError(
            f"n_features={declared} was declared, "
            f"but the files have {chunk.n_features:,} features"
        )
    return max(width, chunk.n_features)
