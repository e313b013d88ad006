"""Memory with a page behind it that nobody may read: to touch it is to crash."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np

PAGE = mmap.PAGESIZE


class Guarded:
    """A few pages; ``put`` lays bytes so that the first one behind is out of bounds."""

    def __init__(self, size):
        self.size = -(-size // PAGE) * PAGE
        self.region = mmap.mmap(-1, self.size + PAGE)
        whole = np.frombuffer(self.region, np.uint8)
        libc = ctypes.CDLL(None, use_errno=True)
        fence = ctypes.c_void_p(whole.ctypes.data + self.size)
        if libc.mprotect(fence, ctypes.c_size_t(PAGE), 0):
            raise OSError(ctypes.get_errno(), "mprotect")
        self.bytes = whole[: self.size]

    def put(self, data):
        """An array of `data` that ends where memory ends."""
        place = self.bytes[self.size - len(data) :]
        place[:] = np.frombuffer(data, np.uint8) if data else 0
        return place
