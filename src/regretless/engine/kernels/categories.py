"""Words of a table to columns.

The hash is FNV-1a of ``name=value`` in 64 bits, its bits mixed at the end so that the
lowest ones are as good as any. It is part of the format of models: it never changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import compiled
from .compiled import kernel

BASIS = np.uint64(0xCBF29CE484222325)
PRIME = np.uint64(0x100000001B3)
MIX_1 = np.uint64(0xFF51AFD7ED558CCD)
MIX_2 = np.uint64(0xC4CEB9FE1A85EC53)
HALF = np.uint64(33)


@compiled
def fnv(state: Any, text: Any, lo: int, hi: int) -> Any:
    """The state of the hash after the bytes [lo, hi)."""
    for i in range(lo, hi):
        state = (state ^ np.uint64(text[i])) * PRIME
    return state


@compiled
def mixed(state: Any) -> Any:
    """The state with every bit spread over all of them."""
    state = (state ^ (state >> HALF)) * MIX_1
    state = (state ^ (state >> HALF)) * MIX_2
    return state ^ (state >> HALF)


@kernel
def hash_words(
    prefix: Any,
    offsets: Any,
    text: Any,
    mask: int,
    slots: Any,
    w: int,
    width: int,
) -> None:
    """Hash every word of a column of words.

    Word i, the bytes from ``offsets[i]`` to ``offsets[i + 1]``, goes to
    ``slots[i * width + w]``.
    """
    start = fnv(BASIS, prefix, 0, prefix.size)
    for i in range(offsets.size - 1):
        state = mixed(fnv(start, text, offsets[i], offsets[i + 1]))
        slots[i * width + w] = np.int64(state) & mask
