"""The stack on margins that others have made: one row of margins a round.

score = w.input; then Newton's step, as in :mod:`regretless.parts.panel.stack`.
"""

from __future__ import annotations

from typing import Any

from ...parts.panel.stack import combine, learn_stack
from ...parts.panel.state import ROUNDS
from .compiled import kernel


@kernel
def play_stack(
    constants: Any, state: Any, tile: Any, margins: Any, targets: Any, scores: Any
) -> None:
    """Play rounds with the stack of the members' margins alone."""
    members = tile.margins.size
    for i in range(targets.size):
        for k in range(members):
            tile.margins[k] = margins[i * members + k]
        score = combine(constants, state, tile)
        scores[i] = score
        learn_stack(constants, state, tile, score, targets[i], 1.0)
        state.numbers[ROUNDS] += 1.0
