"""Memory for what is known of features: how much there is, and zeros that take none.

What would not fit is refused before the memory is asked for.
"""

from __future__ import annotations

import math
import mmap
import os
import sys
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

CACHE_LINE = 64
LARGE = 1 << 22  # bytes
SHARE = 0.5  # of the memory of the machine that a learner may take
MORE = 3  # bits to spare: there may be more classes to come

PACKAGE = __name__.partition(".")[0]

Number = TypeVar("Number", bound=np.generic)


def physical_memory() -> float:
    """Bytes of this machine, where it says; else as many as one likes."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return math.inf


def refuse_size(size: float, classes: int, features: int, more: str = "") -> None:
    """Raise ValueError where weights of this many bytes would not fit into memory.

    `more` says what else is in it.
    """
    room = SHARE * physical_memory()
    if size > room:
        fit = math.log2(max(features, 2) * room / size)
        bits = max(1, math.floor(fit) - MORE)
        raise ValueError(
            f"{classes:,} classes on {features:,} features would take "
            f"{size / 1e9:,.1f} GB{more}: hash the features to fewer "
            f"(-b {bits}, bits={bits}, has room for {2**MORE} times as many classes), "
            "or take fewer classes; if labels are amounts, they are for a regression"
        )


def zeros(
    shape: tuple[int, ...], dtype: np.dtype[Number], *, scattered: bool = False
) -> npt.NDArray[Number]:
    """Zeros that begin on a cache line, so that 32 bytes of a feature lie on one.

    Nothing else lies on their lines. Large ones are memory of their own, which goes
    back to the system with them. It comes in huge pages, in which a single number takes
    2 MB; where few numbers are `scattered` among many zeros, pages are small instead.
    """
    size = math.prod(shape) * dtype.itemsize
    room = size + 2 * CACHE_LINE
    large = size > LARGE
    raw = (
        np.frombuffer(_pages(room, scattered), np.uint8)
        if large
        else (np.zeros(room, np.uint8))
    )
    first = -raw.ctypes.data % CACHE_LINE
    return raw[first : first + size].view(dtype).reshape(shape)


def _pages(size: int, scattered: bool) -> mmap.mmap:
    """Zeros that take memory where they are written to, and none where they are read.

    They are this process's own: what it writes, a process that it forks does not see.
    """
    if sys.platform != "linux":
        return mmap.mmap(-1, size)
    found = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a kernel without huge pages has nothing to choose
        found.madvise(mmap.MADV_NOHUGEPAGE if scattered else mmap.MADV_HUGEPAGE)
    return found


def apart(array: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """A copy on cache lines of its own.

    Two threads that write to the same line wait for each other at every turn.
    """
    copy = zeros((1, array.size), array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def owned(thing: Any) -> Any:
    """The same, with a copy of each array in it that cannot be written to.

    Kernels write wherever they are told to. joblib hands large arrays to a process as
    memory that is read only, within objects of ours too.
    """
    kind: Any = thing.__class__
    if issubclass(kind, np.ndarray):
        return thing if thing.flags.writeable else np.array(thing)
    if issubclass(kind, tuple):
        make = getattr(thing, "_make", thing.__class__)  # of a named tuple
        return make([owned(item) for item in thing])
    if issubclass(kind, list | dict):
        for key, item in enumerate(thing) if kind is list else thing.items():
            if not isinstance(item, int | float | str):
                thing[key] = owned(item)
    elif kind.__module__.startswith(PACKAGE) and hasattr(thing, "__dict__"):
        owned(vars(thing))
    return thing
