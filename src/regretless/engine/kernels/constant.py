"""What one constant score pays on every label."""

from __future__ import annotations

from typing import Any

from ...parts.losses import slope, value
from .compiled import kernel


@kernel
def pay_labels(loss: Any, targets: Any, score: float) -> tuple[float, float]:
    """What a constant score pays: the sums of values and of slopes."""
    paid = 0.0
    slopes = 0.0
    for i in range(targets.size):
        paid += value(loss, score, targets[i])
        slopes += slope(loss, score, targets[i])
    return paid, slopes
