"""What can be solved: convex losses, with a conjugate where the method needs one.

A convex function lies above all its tangents. That is measured, on a grid of scores
around the labels, and never taken on trust.
"""

from __future__ import annotations

import numpy as np

from ...parts.conjugates import solvable
from ...parts.generic import canonical
from ...parts.losses import slope, value
from ...parts.part_types import Loss

REACH = (0.0, 0.25, 0.5, 0.9, 1.0, 1.1, 2.0, 4.0, 8.0)
ROUNDING = 1e-9


def checked_loss(loss: Loss, lowest: float, highest: float) -> Loss:
    """The canonical loss; ``ValueError`` where it is not convex for these labels."""
    loss = canonical(loss)
    name = type(loss).__name__
    if getattr(loss, "convex", True) is False:
        raise ValueError(f"{name} is not convex: its best u cannot be solved for")
    labels = {lowest, 0.5 * (lowest + highest), highest}
    if loss.task == "binary":
        labels = {lowest, highest}
        if not labels <= {-1.0, 1.0}:
            raise ValueError(f"{name} needs labels -1 and +1, not {highest:g}")
    spread = max(1.0, highest - lowest)
    for y in sorted(labels):
        scores = np.unique([y + sign * spread * r for r in REACH for sign in (-1, 1)])
        values = np.array([value(loss, float(z), y) for z in scores])
        slopes = np.array([slope(loss, float(z), y) for z in scores])
        tangents = values[:, None] + slopes[:, None] * (scores - scores[:, None])
        slack = ROUNDING * (1.0 + np.abs(tangents) + np.abs(values))
        below = np.argwhere(values + slack < tangents)
        if below.size:
            at, off = scores[below[0]]
            raise ValueError(
                f"{name} is not convex: for y = {y:g}, its value at score {off:g} lies "
                f"below its tangent at {at:g}, so its best u cannot be solved for"
            )
    return loss


def refuse_unsolvable(loss: Loss) -> None:
    """Raise ``TypeError`` unless the loss has a conjugate and a dual step."""
    if not solvable(loss):
        kind = type(loss).__name__
        raise TypeError(
            f"{kind} has no conjugate, which this solver needs: write "
            f"@implement(conjugate, {kind}) and @implement(dual_step, {kind}), "
            "see regretless.parts.conjugates"
        )
