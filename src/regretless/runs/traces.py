"""What a session writes down of a batch: scores by row, and ranges of labeled rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..parts.state import Floats

__all__ = ["fill", "joined", "stretches"]


def joined(traces: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """The traces of all batches as one; of classes the later ones have more columns."""
    blank = (np.zeros(0), np.zeros(0), np.zeros(0, np.bool_))
    scores: list[Any] = [trace[0] for trace in traces]
    if scores and scores[0].ndim == 2:
        widest = max(table.shape[1] for table in scores)
        wide = [np.full((len(table), widest), -np.inf) for table in scores]
        for table, wider in zip(scores, wide, strict=True):
            fill(wider, 0, table)
        rest = zip(blank[1:], *(trace[1:] for trace in traces), strict=True)
        return (np.concatenate(wide), *(np.concatenate(column) for column in rest))
    columns = zip(blank, *traces, strict=True)
    return tuple(np.concatenate(column) for column in columns)


def fill(scores: Floats, begin: int, found: Floats) -> None:
    """Write scores down; classes that have not come score -inf."""
    if found.ndim == 2:
        scores[begin : begin + len(found)] = -np.inf
        scores[begin : begin + len(found), : found.shape[1]] = found
    else:
        scores[begin : begin + len(found)] = found


def stretches(targets: Floats) -> Iterator[tuple[int, int, bool]]:
    """Ranges of rows that have a label, and of rows that have none, in order."""
    missing = np.isnan(targets)
    if not missing.any():
        yield 0, targets.size, True
        return
    edges = np.flatnonzero(np.diff(missing)) + 1
    for begin, end in zip([0, *edges], [*edges, targets.size], strict=True):
        yield int(begin), int(end), not missing[begin]
