"""Read ahead: parse pieces of a stream in threads, hand them over strictly in order.

Every worker takes its turn to read the next piece, then parses it on its own while the
others read and parse theirs. A bounded number of pieces is under way at any time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from queue import Queue, SimpleQueue
from threading import Lock, Thread
from typing import Generic, TypeVar

from . import lines
from .input_files import InputFile

P = TypeVar("P")
R = TypeVar("R")
PATIENCE = 0.5  # seconds to wait, at the end, for a worker that may hang in a pipe


def threads_for(places: Iterable[InputFile]) -> int:
    """One a core that this process may use, at most 4; none for files of one block."""
    sizes = [
        place.size if place.rereadable and place.compression is None else None
        for place in places
    ]
    if None not in sizes and sum(size or 0 for size in sizes) <= lines.BLOCK:
        return 0  # it cannot be read ahead
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
    work = _Workers(pieces, parse, 2 * threads)
    workers = [Thread(target=work.work, daemon=True) for _ in range(threads)]
    try:
        for worker in workers:
            worker.start()
        yield from work.results()
    finally:
        work.stop()
        for worker in workers:
            if worker.ident is not None:
                worker.join(PATIENCE)
        if not any(worker.is_alive() for worker in workers):
            pieces.close()


def resumed(first: Iterable[P], rest: Generator[P]) -> Generator[P]:
    """Items of which the first ones were looked at."""
    with closing(rest):
        yield from first
        yield from rest


class _Workers(Generic[P, R]):
    """What threads do: read pieces in turn, parse them at the same time."""

    def __init__(
        self, pieces: Iterator[P], parse: Callable[[P], R], limit: int
    ) -> None:
        self._pieces = pieces
        self._parse = parse
        self._turn = Lock()
        self._over = False
        # For each piece, in order: where its result, its error, or the end (None) goes.
        self._slots: Queue[SimpleQueue[tuple[P, R] | BaseException | None]] = Queue(
            limit
        )

    def work(self) -> None:
        """What every worker does until the stream ends or is stopped."""
        while True:
            slot: SimpleQueue[tuple[P, R] | BaseException | None] = SimpleQueue()
            with self._turn:
                if not self._over:
                    self._slots.put(slot)  # waits for room
                if self._over:
                    return
                try:
                    piece = next(self._pieces)
                except BaseException as error:
                    self._over = True
                    slot.put(None if isinstance(error, StopIteration) else error)
                    return
            try:
                slot.put((piece, self._parse(piece)))
            except BaseException as error:
                slot.put(error)
            del piece

    def results(self) -> Iterator[tuple[P, R]]:
        """What the workers make, in order."""
        while (found := self._slots.get().get()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield found

    def stop(self) -> None:
        """Tell the workers to finish, and drop what is under way."""
        self._over = True
        while not self._slots.empty():
            self._slots.get()
