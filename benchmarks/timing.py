"""Time two things fairly: alternating, in one process, the best of several."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["REPEATS", "alternate", "clock", "process"]

REPEATS = 5


def clock(work: Callable[[], Any]) -> float:
    """Seconds that `work` takes, with the garbage collector held back."""
    gc.collect()
    gc.disable()
    try:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began
    finally:
        gc.enable()


def alternate(
    ours: Callable[[], float], peer: Callable[[], float], repeats: int = REPEATS
) -> tuple[float, float]:
    """The best of `repeats` seconds of each, taken in turn after one warm-up of each.

    In turn, because a machine that is busy for a second should hurt both alike.
    """
    ours()
    peer()
    times = [(ours(), peer()) for _ in range(repeats)]
    return min(time for time, _ in times), min(time for _, time in times)


def process(code: str) -> float:
    """Seconds that a new Python process takes to run `code`, from fork to exit."""
    command = [sys.executable, "-c", code]
    return clock(lambda: subprocess.run(command, check=True))
