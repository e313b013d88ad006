"""What is said while machine code is made, so that users know why it takes time.

    compiling the panel for this machine, once: about 8 s

It is said on a terminal and in notebooks, to standard error.
"""

from __future__ import annotations

import sys
from types import FunctionType

LONG = {
    "play_panel": ("the panel", 8),
    "play_class_panels": ("the panels of classes", 12),
    "parse_vw": ("the reader of Vowpal Wabbit's format", 8),
}
"""Kernels that take seconds, and how many."""

_said: set[str] = set()


def compiling(loop: FunctionType) -> None:
    """Say that a kernel is compiled; short ones are spoken of once, together."""
    what, seconds = LONG.get(loop.__qualname__, ("the learner", 4))
    if what not in _said and (sys.stderr.isatty() or "ipykernel" in sys.modules):
        _said.add(what)
        text = f"compiling {what} for this machine, once: about {seconds} s"
        print(text, file=sys.stderr)
