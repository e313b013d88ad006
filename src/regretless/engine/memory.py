"""Memory for what is known of features: how much there is, and zeros that take none."""

from __future__ import annotations

import math
import mmap
import os
from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["physical_memory", "zeros"]

CACHE_LINE = 64
LARGE = 1 << 22  # bytes

Number = TypeVar("Number", bound=np.generic)


def physical_memory() -> float:
    """Bytes of this machine, where it says; else as many as one likes."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return math.inf


def zeros(
    shape: tuple[int, int], dtype: np.dtype[Number], *, scattered: bool = False
) -> npt.NDArray[Number]:
    """Zeros that begin on a cache line, so that 32 bytes of a feature lie on one.

    numpy asks for huge pages, and a single number in one takes 2 MB. Where few numbers
    are `scattered` among many zeros, pages are small instead.
    """
    size = shape[0] * shape[1] * dtype.itemsize
    room = size + CACHE_LINE
    if scattered and size > LARGE:
        raw = np.frombuffer(mmap.mmap(-1, room), np.uint8)
    else:
        raw = np.zeros(room, np.uint8)
    first = -raw.ctypes.data % CACHE_LINE
    return raw[first : first + size].view(dtype).reshape(shape)
