"""What one constant score pays on every label."""

from __future__ import annotations

from typing import Any

from ..parts.losses import slope, value
from .compiled import kernel

__all__ = ["pay_labels"]


def pay_labels(mark: str) -> Any:
    """Build ``pay_labels(loss, targets, score) -> (sum of values, sum of slopes)``."""

    @kernel(mark)
    def pay_labels(loss: Any, targets: Any, score: float) -> tuple[float, float]:
        paid = 0.0
        lean = 0.0
        for i in range(targets.size):
            paid += value(loss, score, targets[i])
            lean += slope(loss, score, targets[i])
        return paid, lean

    return pay_labels
