"""What is said while machine code is made, so that nobody wonders why it takes time.

    compiling the panel for this machine, once: about 10 s

It is said on a terminal and in notebooks, to standard error. The command line says it
always.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

__all__ = ["compiling", "tell"]

LONG = {
    "play_panel": ("the panel", 10),
    "play_class_panels": ("the panels of classes", 12),
    "play_lanes": ("the learners that play side by side", 8),
    "parse_vw": ("the reader of Vowpal Wabbit's format", 8),
}
"""Kernels that take seconds, and how many."""

_said: set[str] = set()
_tell: list[Callable[[str], None] | None] = [None]


def tell(how: Callable[[str], None]) -> None:
    """Let every notice be given to `how`, wherever standard error goes."""
    _tell[0] = how


def compiling(loop: Any) -> None:
    """Say that a kernel is compiled; short ones are spoken of once, together."""
    what, seconds = LONG.get(loop.__qualname__, ("the learner", 4))
    if what in _said:
        return
    _said.add(what)
    text = f"compiling {what} for this machine, once: about {seconds} s"
    if _tell[0] is not None:
        _tell[0](text)
    elif sys.stderr.isatty() or "ipykernel" in sys.modules:
        print(text, file=sys.stderr)
