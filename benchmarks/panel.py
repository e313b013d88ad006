"""The panel's figures: its time beside the Perceptron's, and its memory a feature."""

from __future__ import annotations

from typing import Any

import regretless as rg

from .data import text_like
from .figures import Figure
from .timing import alternate

__all__ = ["figures", "memory"]

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
        X, y = text_like()
        return alternate(
            lambda: rg.play(learner, X, y).seconds / X.nnz,
            lambda: rg.play(rg.Perceptron(), X, y).seconds / X.nnz,
        )

    return Figure(
        name=name,
        what=f"{learner!r}: a nonzero; {memory(learner)} bytes a feature",
        peer="Perceptron",
        bar=BAR,
        better="no slower",
        measure=measure,
        unit="ns",
    )


def memory(learner: Any) -> int:
    """Bytes that one more feature takes."""
    few, many = (learner.player(d).arrays() for d in (0, 1))
    return sum(many[name].nbytes - few[name].nbytes for name in many)
