"""A message while something takes longer than a second, on a terminal or in a notebook.

    with waiting("solving for the best comparators"):
        ...

Nothing is written, and no thread started, where standard error is a file or a pipe.
What begins inside of another one is part of it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from .visible import visible

FIRST = 1.0  # seconds before anything is said
EVERY = 0.5  # seconds after which it is said again
WIDTH = 79

_begun = threading.local()


def watched() -> bool:
    """Whether standard error is a terminal, or a notebook."""
    with suppress(AttributeError, ValueError):
        if sys.stderr.isatty():
            return True
    return "ipykernel" in sys.modules


@contextmanager
def waiting(what: str | Callable[[], str]) -> Generator[None]:
    """Say `what`, and for how long, while the block takes longer than a second.

    Examples
    --------
    >>> with waiting("counting"):
    ...     total = sum(range(10))
    """
    if getattr(_begun, "now", False) or not watched():
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_repeat, args=(what, ended), daemon=True)
    _begun.now = True
    thread.start()
    try:
        yield
    finally:
        _begun.now = False
        ended.set()
        thread.join()


@contextmanager
def silently() -> Generator[None]:
    """Say nothing in the block."""
    before = getattr(_begun, "now", False)
    _begun.now = True
    try:
        yield
    finally:
        _begun.now = before


def _repeat(what: str | Callable[[], str], ended: threading.Event) -> None:
    """Write the line again and again, and leave none behind."""
    began = time.monotonic()
    written = False
    pause = FIRST
    while not ended.wait(pause):
        pause = EVERY
        text = what if isinstance(what, str) else what()
        passed = f"{visible(text)}: {time.monotonic() - began:.0f} s"
        _write(f"\r{passed[:WIDTH]:<{WIDTH}}")
        written = True
    if written:
        _write(f"\r{'':<{WIDTH}}\r")


def _write(text: str) -> None:
    with suppress(OSError, ValueError):  # a terminal that has gone
        sys.stderr.write(text)
        sys.stderr.flush()
