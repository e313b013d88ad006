"""The leader's loop: predict the mean so far, one number at a time."""

from __future__ import annotations

from typing import Any

from numba import njit

from ..parts.leader import follow
from ..parts.observers import note
from .compiled import KERNEL

__all__ = ["play_numbers"]


def play_numbers(mark: str) -> Any:
    """Build ``play_numbers(leader, numbers, observer, values) -> numbers played``.

    Fewer than given means that the next one is outside [low, high]: it is not learned.
    """

    @njit(**KERNEL)
    def play_numbers(leader: Any, numbers: Any, observer: Any, values: Any) -> int:
        _ = mark  # in the closure, hence in numba's cache key
        for i in range(values.size):
            y = values[i]
            if not leader.low <= y <= leader.high:
                return i
            note(observer, follow(leader, numbers, y))
        return values.size

    return play_numbers
