"""Threads that learn: two stages, one a block of rows ahead, or members side by side.

The first stage runs in a thread of its own, without the interpreter's lock, into one of
a few slots; the second one takes the slots in order. So the result is that of one stage
after the other. Members that know nothing of each other just take turns on the threads.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread

from ...parts.state import Floats

SLOTS = 3  # blocks that are under way
MOST = 4  # threads, where the number is not given
FEWEST = 1024  # rows that are worth a thread
HEAVIEST = 1e6  # weight of a row: those below make nothing overflow


def cores_for(threads: int | None) -> int:
    """How many threads may learn: at least one; None: one a core of this process.

    Or as many as ``OMP_NUM_THREADS`` says: who runs several processes sets it.
    """
    given = os.environ.get("OMP_NUM_THREADS", "")  # as joblib's workers set it
    if threads is None and given.isdecimal():
        threads = int(given)
    if threads is not None:
        return max(1, threads)
    if hasattr(os, "sched_getaffinity"):
        return min(MOST, len(os.sched_getaffinity(0)))
    return min(MOST, os.cpu_count() or 1)


def worth_stages(
    threads: int | None, rows: int, importance: Floats, fewest: int = FEWEST
) -> bool:
    """Whether rows should be played in stages: they are many, and there are cores.

    A row whose weight makes numbers overflow is refused, and by then the first stage
    has gone on. So rows of such weights are played row by row.
    """
    many = rows >= fewest and cores_for(threads) > 1
    return many and bool(importance.max(initial=0.0) <= HEAVIEST)


def in_stages(
    first: Callable[[int, int], int], second: Callable[[int, int, int], int]
) -> tuple[int, float]:
    """Run two stages over blocks; how many rows both have played, and the seconds.

    Parameters
    ----------
    first : callable
        ``first(slot, start)`` plays some rows from `start` on into a slot; how many, 0
        where there are no more.
    second : callable
        ``second(slot, start, count)`` plays them too; how many: fewer end the game.
    """
    free: SimpleQueue[int] = SimpleQueue()
    ready: SimpleQueue[tuple[int, int] | BaseException] = SimpleQueue()
    for slot in range(SLOTS):
        free.put(slot)
    over = False

    def ahead() -> None:
        start = 0
        try:
            while (slot := free.get()) >= 0 and not over:
                count = first(slot, start)
                ready.put((slot, count))
                if count == 0:
                    return
                start += count
        except BaseException as error:
            ready.put(error)

    began = time.perf_counter()
    worker = Thread(target=ahead, daemon=True)
    worker.start()
    done = 0
    try:
        while True:
            found = ready.get()
            if isinstance(found, BaseException):
                raise found
            slot, count = found
            if count == 0:
                return done, time.perf_counter() - began
            played = second(slot, done, count)
            done += played
            if played < count:
                return done, time.perf_counter() - began
            free.put(slot)
    finally:
        over = True
        free.put(-1)
        worker.join()


def side_by_side(tasks: Sequence[Callable[[], None]], threads: int) -> None:
    """Run tasks that do not depend on each other; the first error is raised at last."""
    if threads == 1:
        for task in tasks:
            task()
        return
    waiting: SimpleQueue[Callable[[], None]] = SimpleQueue()
    errors: list[BaseException] = []
    for task in tasks:
        waiting.put(task)

    def work() -> None:
        try:
            while not waiting.empty():
                waiting.get_nowait()()
        except Empty:
            pass
        except BaseException as error:
            errors.append(error)

    workers = [Thread(target=work, daemon=True) for _ in range(threads - 1)]
    for worker in workers:
        worker.start()
    work()
    for worker in workers:
        worker.join()
    if errors:
        raise errors[0]
