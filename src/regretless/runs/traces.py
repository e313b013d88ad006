"""What a session writes down of a batch: scores by row, and ranges of labeled rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..data import Batch
from ..engine.players.classes import plays_classes
from ..engine.players.player import Player
from ..parts.observers import TraceArrays
from ..parts.rows import Dense
from ..parts.state import Bools, Floats


def new_columns(player: Player, targets: Floats) -> TraceArrays:
    """Room for the scores, losses and mistakes of rows with these targets."""
    n = targets.size
    if plays_classes(player):
        return player.new_trace(n, targets)
    return (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))


def joined(traces: list[tuple[Floats, Floats, Bools]]) -> tuple[Floats, Floats, Bools]:
    """The traces of all batches as one; of classes the later ones have more columns."""
    scores = [trace[0] for trace in traces]
    if scores and scores[0].ndim == 2:
        widest = max(table.shape[1] for table in scores)
        wide = [np.full((len(table), widest), -np.inf) for table in scores]
        for table, wider in zip(scores, wide, strict=True):
            fill(wider, 0, table)
        scores = wide
    none = np.zeros(0)
    return (
        np.concatenate(scores or [none]),
        np.concatenate([none, *(trace[1] for trace in traces)]),
        np.concatenate([none.astype(np.bool_), *(trace[2] for trace in traces)]),
    )


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


def width_of(batch: Batch, played: int) -> int:
    """How many features the first `played` rows of a batch need."""
    rows = batch.rows
    if isinstance(rows, Dense):
        return rows.width
    return int(rows.columns[: rows.starts[played]].max(initial=-1)) + 1
