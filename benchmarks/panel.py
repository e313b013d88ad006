"""The panel's figures: its time beside the Perceptron's, and its memory a feature."""

from __future__ import annotations

from typing import Any

import regretless as rg

from .data import text_like
from .figures import Figure
from .timing import alternate

__all__ = ["figures", "memory"]

BAR = 30e-9 * 72.1 * 200_000  # seconds: 30 ns a nonzero
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
            lambda: rg.play(learner, X, y).seconds,
            lambda: rg.play(rg.Perceptron(), X, y).seconds,
        )

    return Figure(
        name=name,
        what=f"{learner!r}, {memory(learner)} bytes a feature",
        peer="Perceptron",
        bar=20.0,
        better="no slower",
        measure=measure,
        unit="ns/nonzero",
        work=lambda: float(text_like().X.nnz),
    )


def memory(learner: Any) -> int:
    """Bytes that one more feature takes."""
    few, many = (learner.player(d).arrays() for d in (0, 1))
    return sum(many[name].nbytes - few[name].nbytes for name in many)
