"""The leader's loop: predict the mean so far, one number at a time."""

from __future__ import annotations

from typing import Any

from ...parts.leader import follow
from ...parts.observers import note
from .compiled import kernel


@kernel
def play_numbers(leader: Any, numbers: Any, observer: Any, values: Any) -> int:
    """Play numbers with a running mean; how many were played.

    Fewer than given means that the next one is outside [low, high]: it is not learned.
    """
    for i in range(values.size):
        y = values[i]
        if not leader.low <= y <= leader.high:
            return i
        note(observer, follow(leader, numbers, y))
    return values.size
