"""Ctrl-C at a good moment: between two batches. A second one stops at once."""

from __future__ import annotations

import signal
from typing import Any

__all__ = ["Interrupt"]


class Interrupt:
    """``with Interrupt() as stop``: ``stop.asked`` after the first Ctrl-C."""

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        try:
            self._before = signal.signal(signal.SIGINT, self._note)
        except ValueError:  # not the main thread: Ctrl-C will never come here
            self._before = None
        return self

    def __exit__(self, *problem: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: Any) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
