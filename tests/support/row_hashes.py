"""The content of a row as numbers, slowly: what the kernel is compared with."""

from __future__ import annotations

import numpy as np

FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORDS = 2**64
ENDS = 6


def bits(value, shift=1.0):
    return int(np.float32(value * shift).view(np.uint32))


def word(column, value):
    w = (column * (2**32 + 1) % WORDS ^ value) * FIRST % WORDS
    return (w ^ w >> 32) * SECOND % WORDS


def mixed(w):
    w = (w ^ w >> 32) * FIRST % WORDS
    w = (w ^ w >> 32) * SECOND % WORDS
    return max(1, (w ^ w >> 32) >> 1)


def slow_hashes(entries):
    """Coin, hash and coarse hash of [(column, value), ...]."""
    entries = [(j, v) for j, v in entries if v != 0.0]
    exact = [word(j, bits(v)) for j, v in entries]
    coarse = [word(j, bits(v, 1.171875) >> 22) for j, v in entries]
    few = coarse if len(coarse) <= 2 * ENDS else coarse[:ENDS] + coarse[-ENDS:]
    return (
        mixed(sum(few) % WORDS) >> 39 << 39,
        mixed(sum(exact) % WORDS),
        mixed(sum(coarse) % WORDS),
    )
