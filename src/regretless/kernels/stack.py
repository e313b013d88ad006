"""The stack on margins that others have made: one row of margins a round.

score = w.input; then Newton's step, as in :mod:`regretless.parts.panel.stack`.
"""

from __future__ import annotations

from typing import Any

from ..parts.panel.members import sigmoid
from ..parts.panel.stack import combine, restack
from .compiled import kernel

__all__ = ["play_stack"]


def play_stack(mark: str) -> Any:
    """Build ``play_stack(constants, state, tile, margins, targets, scores)``."""

    @kernel(mark)
    def play_stack(
        constants: Any, state: Any, tile: Any, margins: Any, targets: Any, scores: Any
    ) -> None:
        members = tile.margins.size
        for i in range(targets.size):
            for k in range(members):
                tile.margins[k] = margins[i * members + k]
            score = combine(constants, state, tile)
            scores[i] = score
            p = sigmoid(score)
            g = (1.0 if targets[i] > 0.0 else 0.0) - p
            if abs(g) >= constants.negligible:
                h = max(p * (1.0 - p), constants.variance)
                restack(constants, state, tile, g, h)

    return play_stack
