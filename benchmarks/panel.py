"""The panel's figures: its time beside the Perceptron's, and its memory a feature.

A panel's pass takes long enough to be interrupted on a machine that does other things.
So the pass is timed in pieces of 500 rows, and of each piece the best of five passes
counts; the Perceptron is timed in the same way.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import regretless as rg
from regretless.parts.rows import Sparse

from .data import text_like
from .figures import Figure
from .timing import REPEATS

__all__ = ["figures", "memory"]

PIECE = 500
BAR = 25.0  # Perceptron passes, of 1.2 ns a nonzero: 30 ns
PANELS = {
    "panel": rg.Panel(),
    "panel-linear": rg.Panel(view="linear"),
    "panel-four": rg.Panel(members=4),
}


def figures() -> list[Figure]:
    """Each panel beside one Perceptron pass over the same rows."""
    return [_pass(name, learner) for name, learner in PANELS.items()]


def _pass(name: str, learner: Any) -> Figure:
    def measure() -> tuple[float, float]:
        ours = np.min([_pieces(learner) for _ in range(REPEATS)], axis=0)
        peer = np.min([_pieces(rg.Perceptron()) for _ in range(REPEATS)], axis=0)
        return float(ours.sum()), float(peer.sum())

    return Figure(
        name=name,
        what=f"{learner!r}: a nonzero; {memory(learner)} bytes a feature",
        peer="Perceptron",
        bar=BAR,
        better="no slower",
        measure=measure,
        unit="ns",
    )


def _pieces(learner: Any) -> Any:
    """Seconds of every piece of one pass, over all nonzeros."""
    X, y = text_like()
    starts = X.indptr.astype(np.int64)
    player = learner.player(X.shape[1])
    player.make_room(Sparse(starts, X.indices, X.data))
    taken: list[float] = []
    for first in range(0, y.size, PIECE):
        some = Sparse(starts[first : first + PIECE + 1], X.indices, X.data)
        kernel, arguments = player.playing(some, y[first : first + PIECE])
        began = time.perf_counter()
        kernel(*arguments)
        taken.append(time.perf_counter() - began)
    return np.array(taken) / X.nnz


def memory(learner: Any) -> int:
    """Bytes that one more feature takes."""
    few, many = (learner.player(d).hypothesis().state_dict() for d in (0, 1))
    return sum(many[name].nbytes - few[name].nbytes for name in many)
