"""Read ahead: parse pieces of a stream in threads, hand them over strictly in order.

Every worker takes its turn to read the next piece, then parses it on its own while the
others read and parse theirs. A bounded number of pieces is under way at any time.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from threading import Condition, Lock, Thread
from typing import Any, Generic, TypeVar

from . import lines
from .input_files import InputFile

__all__ = ["ahead", "resumed", "threads_for"]

P = TypeVar("P")
R = TypeVar("R")
PATIENCE = 0.5  # seconds to wait, at the end, for a worker that may hang in a pipe


def threads_for(places: Iterable[InputFile]) -> int:
    """One a core that this process may use, at most 4; none for files of one block."""
    sizes = [
        place.size if place.again and place.compression is None else None
        for place in places
    ]
    if None not in sizes and sum(size or 0 for size in sizes) <= lines.BLOCK:
        return 0  # nobody can read ahead of it
    if hasattr(os, "sched_getaffinity"):
        return min(4, len(os.sched_getaffinity(0)))
    return min(4, os.cpu_count() or 1)


def ahead(
    pieces: Generator[P], parse: Callable[[P], R], threads: int
) -> Generator[tuple[P, R]]:
    """``(piece, parse(piece))`` for all pieces in order, with `threads` workers.

    An exception, of reading or of parsing, is raised after all that comes before it was
    handed over. Closing the generator stops the workers.
    """
    if threads == 0:
        try:
            for piece in pieces:
                yield piece, parse(piece)
        finally:
            pieces.close()
        return
    line = _Line(pieces, parse, 2 * threads + 1)
    workers = [Thread(target=line.work, daemon=True) for _ in range(threads)]
    try:
        for worker in workers:
            worker.start()
        yield from line.results()
    finally:
        line.stop()
        for worker in workers:
            if worker.ident is not None:
                worker.join(PATIENCE)
        if not any(worker.is_alive() for worker in workers):
            pieces.close()


def resumed(first: P | None, rest: Generator[P]) -> Generator[P]:
    """Items of which the first was looked at."""
    with closing(rest):
        if first is not None:
            yield first
        yield from rest


class _Slot:
    """One piece's place in the order."""

    __slots__ = ("done", "error", "result")

    def __init__(self) -> None:
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None


class _Line(Generic[P, R]):
    """The pieces under way, in order, and what workers do with them."""

    def __init__(
        self, pieces: Iterator[P], parse: Callable[[P], R], limit: int
    ) -> None:
        self._pieces = pieces
        self._parse = parse
        self._limit = limit
        self._slots: deque[_Slot] = deque()
        self._turn = Lock()
        self._changed = Condition()
        self._ended = False
        self._stopped = False

    def work(self) -> None:
        """What every worker does until the stream ends or is stopped."""
        while True:
            slot = _Slot()
            with self._turn:
                if not self._queue(slot):
                    return
                try:
                    piece = next(self._pieces)
                except StopIteration:
                    self._end(slot)
                    return
                except BaseException as error:
                    slot.error = error
                    self._end(slot)
                    return
            try:
                slot.result = (piece, self._parse(piece))
            except BaseException as error:
                slot.error = error
            del piece
            with self._changed:
                slot.done = True
                self._changed.notify_all()

    def results(self) -> Iterator[tuple[P, R]]:
        """What the workers make, in order."""
        while True:
            with self._changed:
                while not (self._slots and self._slots[0].done):
                    if self._ended and not self._slots:
                        return
                    self._changed.wait()
                slot = self._slots.popleft()
                self._changed.notify_all()
            if slot.error is not None:
                raise slot.error
            if slot.result is not None:
                yield slot.result

    def stop(self) -> None:
        """Tell the workers to finish, and drop what is under way."""
        with self._changed:
            self._stopped = True
            self._slots.clear()
            self._changed.notify_all()

    def _queue(self, slot: _Slot) -> bool:
        """Wait for room, take a place; False when there is nothing left to do."""
        with self._changed:
            while len(self._slots) >= self._limit and not self._stopped:
                self._changed.wait()
            if self._stopped or self._ended:
                return False
            self._slots.append(slot)
            return True

    def _end(self, slot: _Slot) -> None:
        with self._changed:
            slot.done = True
            self._ended = True
            self._changed.notify_all()
