"""One line at the bottom of a terminal that changes and leaves nothing behind."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from ..parts.text_tables import breadth, painted
from ..parts.visible import visible

CLEAR = "\r\x1b[K"


class StatusLine:
    """``with StatusLine() as line``: ``line.draw(text)``, ``line.above(text)``.

    Parameters
    ----------
    text : callable or None
        What is drawn every quarter of a second; None: only what `draw` is given.
    stream : text stream or None
        A terminal; default: standard error.
    """

    EVERY = 0.25

    def __init__(
        self, text: Callable[[], str] | None = None, stream: TextIO | None = None
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._text = text
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._repeat, daemon=True)

    def __enter__(self) -> StatusLine:
        if self._text is not None:
            self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._ended.set()
        if self._text is not None:
            self._thread.join()
        self._write(CLEAR)

    def draw(self, text: str) -> None:
        """Let this be the line, as much of it as fits."""
        text, most = visible(text), _columns() - 1
        if breadth(text) > most:
            text = f"{text[: max(most - 1, 0)]}…"
        self._write(f"{CLEAR}{text}")

    def above(self, text: str, style: str = "") -> None:
        """Leave a line above it."""
        color = "NO_COLOR" not in os.environ
        self._write(f"{CLEAR}{painted(visible(text), style, color)}\n")

    def _repeat(self) -> None:
        assert self._text is not None
        while not self._ended.wait(self.EVERY):
            self.draw(self._text())

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that has gone
            self._stream.write(text)
            self._stream.flush()


def _columns() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns
