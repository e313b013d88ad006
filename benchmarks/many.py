"""Many learners in one pass: what thirty-two cost when one costs one."""

from __future__ import annotations

import numpy as np

import regretless as rg

from .data import text_like
from .figures import Figure
from .timing import alternate, clock

__all__ = ["figures"]

GRID = [rg.OGD(step=rg.Constant(eta)) for eta in np.geomspace(0.01, 10.0, 32).tolist()]


def figures() -> list[Figure]:
    """The figure of a grid."""
    return [
        Figure(
            name="grid",
            what="32 OGD learners in one pass, in memory",
            peer="one, OGD(step=Constant(0.5))",
            bar=8.0,
            measure=_grid,
            better="no slower",
            unit="ms",
        )
    ]


def _grid() -> tuple[float, float]:
    X, y = text_like()
    return alternate(
        lambda: clock(lambda: rg.play(GRID, X, y)),
        lambda: clock(lambda: rg.play(rg.OGD(), X, y)),
    )
