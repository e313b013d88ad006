"""Text to hashed words and n-grams, in one pass over its bytes.

A table says of every character what it is in lower case, or that it is no part of a
word. The hash of a word is that of ``kernels.categories``, and goes on from the n-gram
before it, so that every byte is looked at once however long n-grams are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import compiled
from .categories import BASIS, PRIME, fnv, mixed
from .compiled import kernel

BLANK = np.uint64(32)


@compiled
def character(text: Any, at: int) -> tuple[Any, int]:
    """The character that begins at `at`, and where the next one does (UTF-8)."""
    first = np.int64(text[at])
    if first < 0x80:
        return first, at + 1
    if first < 0xE0:
        return (first & 0x1F) << 6 | (np.int64(text[at + 1]) & 0x3F), at + 2
    if first < 0xF0:
        middle = (np.int64(text[at + 1]) & 0x3F) << 6
        return (first & 0x0F) << 12 | middle | (np.int64(text[at + 2]) & 0x3F), at + 3
    high = (np.int64(text[at + 1]) & 0x3F) << 12
    middle = (np.int64(text[at + 2]) & 0x3F) << 6
    last = np.int64(text[at + 3]) & 0x3F
    return (first & 0x07) << 18 | high | middle | last, at + 4


@compiled
def absorb(state: Any, byte: int) -> Any:
    """The state of the hash after one more byte."""
    return (state ^ np.uint64(byte)) * PRIME


@compiled
def absorb_character(state: Any, c: int) -> Any:
    """The state of the hash after one more character, as UTF-8."""
    if c < 0x80:
        return absorb(state, c)
    if c < 0x800:
        state = absorb(state, 0xC0 | c >> 6)
    else:
        if c < 0x10000:
            state = absorb(state, 0xE0 | c >> 12)
        else:
            state = absorb(state, 0xF0 | c >> 18)
            state = absorb(state, 0x80 | (c >> 12 & 0x3F))
        state = absorb(state, 0x80 | (c >> 6 & 0x3F))
    return absorb(state, 0x80 | (c & 0x3F))


@kernel
def hash_text(
    prefix: Any,
    offsets: Any,
    text: Any,
    letters: Any,
    mask: int,
    grams: Any,
    starts: Any,
    found: Any,
) -> int:
    """Hash the words of every text, and its n-grams; how many there are.

    Text i is the bytes from ``offsets[i]`` to ``offsets[i + 1]``. Its words, and the
    n-grams of up to ``grams.shape[1]`` words that end with each, go to the rows of
    `found` from ``starts[i]`` on: the hash under the mask, and where in the text the
    first word begins and the last one ends. The kernel returns how many there are.
    """
    # grams: a row of states, and a row of where they begin.
    start = fnv(BASIS, prefix, 0, prefix.size)
    longest = grams.shape[1]
    k = 0
    for i in range(offsets.size - 1):
        starts[i] = k
        at = offsets[i]
        end = offsets[i + 1]
        words = 0
        while at < end:
            c, after = character(text, at)
            lower = letters[min(c, letters.size - 1)]
            if lower < 0:
                at = after
                continue
            here = min(words + 1, longest)
            for n in range(here - 1, 0, -1):
                grams[0, n] = (grams[0, n - 1] ^ BLANK) * PRIME
                grams[1, n] = grams[1, n - 1]
            grams[0, 0] = start
            grams[1, 0] = np.uint64(at)
            while lower >= 0:
                for n in range(here):
                    grams[0, n] = absorb_character(grams[0, n], lower)
                at = after
                if at >= end:
                    break
                c, after = character(text, at)
                lower = letters[min(c, letters.size - 1)]
            words += 1
            for n in range(here):
                found[k, 0] = np.int64(mixed(grams[0, n])) & mask
                found[k, 1] = np.int64(grams[1, n])
                found[k, 2] = at
                k += 1
    starts[offsets.size - 1] = k
    return k
