"""SIGINT (Ctrl-C) and SIGTERM, which mean the same: stop at a good moment.

A command that has nothing to save is stopped at once, by :class:`Stopped`. One that has
asks an :class:`Interrupt` between two batches. A second signal stops everything at
once. A signal that was ignored when we were started stays ignored.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import TypeVar

Handler = Callable[[int, FrameType | None], object] | int | None
Item = TypeVar("Item")
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopped(KeyboardInterrupt):
    """A signal has come; ``code`` is the exit code, 130 or 143."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


@contextmanager
def raising() -> Generator[None]:
    """Either signal raises :class:`Stopped` inside."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped(number)

    with _handled_by(stop):
        yield


class Interrupt:
    """``with Interrupt() as stop``: ``stop.asked`` after the first signal.

    Attributes
    ----------
    code : int
        130 after SIGINT, 143 after SIGTERM, else 0.
    """

    def __init__(self) -> None:
        self.code = 0
        self._waiting = False
        self._handled = ExitStack()

    @property
    def asked(self) -> bool:
        """Whether a signal has come."""
        return self.code != 0

    def __enter__(self) -> Interrupt:
        self._handled.enter_context(_handled_by(self._note))
        return self

    def __exit__(self, *problem: object) -> None:
        self._handled.close()

    def until_asked(self, items: Iterator[Item]) -> Generator[Item]:
        """The items, up to the first signal; to wait for one is broken off by it."""
        while not self.asked:
            try:
                self._waiting = True
                item = next(items, None)
                self._waiting = False
            except Stopped:
                self._waiting = False
                return
            if item is None:
                return
            yield item

    def _note(self, number: int, frame: FrameType | None) -> None:
        again = self.asked
        self.code = self.code or 128 + number
        if again or self._waiting:
            raise Stopped(number)


@contextmanager
def _handled_by(handler: Callable[[int, FrameType | None], None]) -> Generator[None]:
    """Both signals go to `handler` inside, unless they are to be ignored."""
    before: dict[int, Handler] = {}
    try:
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    except ValueError:  # not the main thread: no signal will ever come here
        pass
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
