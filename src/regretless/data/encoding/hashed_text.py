"""Many texts at once to hashed words: what ``encoding.text`` says, in machine code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from ...parts.rows import Longs, Sparse
from ...parts.state import Floats
from ..chunk import Array
from .text import WORD, lower_case

ASCII = 128
CHARACTERS = 0x110000
SURROGATES = range(0xD800, 0xE000)


class Bags(NamedTuple):
    """The words of some texts.

    Attributes
    ----------
    starts : ndarray of int64
        Where the words of each text begin among all.
    slots : ndarray of int64
        Their hashes.
    begins, ends : ndarray of int64
        Where each begins and ends in the bytes.
    """

    starts: Longs
    slots: Longs
    begins: Longs
    ends: Longs

    def words(self, letters: Array, prefix: str, chosen: Longs) -> list[str]:
        """What some of the words are called."""
        raw = letters.tobytes()
        begins, ends = self.begins[chosen].tolist(), self.ends[chosen].tolist()
        if raw.isascii():  # a letter is a byte
            whole = raw.decode().lower()
            found = [whole[i:j] for i, j in zip(begins, ends, strict=True)]
        else:
            spans = zip(begins, ends, strict=True)
            found = [lower_case(raw[i:j].decode()) for i, j in spans]
        return [prefix + (one if one.isalnum() else spaced(one)) for one in found]

    def rows(self, *, presence: bool) -> Sparse:
        """Rows that have these words, and nothing else."""
        nothing = np.zeros((self.starts.size - 1, 0))
        slots = np.empty(0, np.int32)
        return weave_rows(nothing, slots, self.starts, self.slots, presence=presence)


def spaced(text: str) -> str:
    """The words of an n-gram with one blank between them, whatever stood there."""
    if "  " not in text and text.replace(" ", "").isalnum():
        return text
    return " ".join(WORD.findall(text))


def as_bytes(texts: Sequence[str]) -> tuple[Longs, Array]:
    """Where each text begins in the bytes of all, and those bytes."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(each) for each in encoded], out=offsets[1:])
    return offsets, np.frombuffer(b"".join(encoded) or b"\0", np.uint8)


def hash_texts(
    offsets: Longs, letters: Array, prefix: str, bits: int, ngrams: int
) -> Bags:
    """The words and n-grams of texts that lie one after the other in `letters`."""
    from ...engine.kernels.compiled import entry
    from ...engine.kernels.text import hash_text

    low, high = int(offsets[0]), int(offsets[-1])
    most = ngrams * ((high - low) // 2 + offsets.size)
    found = np.empty((most, 3), np.int64)
    starts = np.zeros(offsets.size, np.int64)
    plain = high == low or int(letters[low:high].max()) < ASCII
    arguments = (
        np.frombuffer(prefix.encode(), np.uint8),
        np.ascontiguousarray(offsets, np.int64),
        letters,
        letter_table(ASCII + 1 if plain else CHARACTERS),
        2**bits - 1,
        np.zeros((2, ngrams), np.uint64),
        starts,
        found,
    )
    k = entry(hash_text, arguments)(*arguments)
    return Bags(starts, *(np.ascontiguousarray(found[:k, j]) for j in range(3)))


def word_slots(words: Sequence[str], bits: int) -> Array:
    """The hashes of features ``column=word`` of a table."""
    from ...engine.kernels.categories import hash_words
    from ...engine.kernels.compiled import entry

    slots = np.empty(len(words), np.int32)
    nothing = np.empty(0, np.uint8)
    arguments = (nothing, *as_bytes(words), 2**bits - 1, slots, 0, 1)
    entry(hash_words, arguments)(*arguments)
    return slots


def weave_rows(
    numbers: Floats,
    slots: Array,
    starts: Longs,
    bags: Longs,
    products: Sparse | None = None,
    *,
    presence: bool,
) -> Sparse:
    """Rows of numbers, one slot for each column of words, bags, and products."""
    from ...engine.kernels.compiled import entry
    from ...engine.kernels.weave import weave

    n, wide = numbers.shape
    if products is None:
        none = np.empty(0, np.int32), np.empty(0)
        products = Sparse(np.zeros(n + 1, np.int64), *none)
    size = n * wide + slots.size + bags.size + products.values.size + 1
    found = Sparse(np.zeros(n + 1, np.int64), np.empty(size, np.int32), np.empty(size))
    hashed = np.diff(starts) + np.diff(products.starts)
    longest = (slots.size // n if n else 0) + int(hashed.max(initial=0))
    seen = np.full(4 << longest.bit_length(), -1, np.int64)
    table = numbers.reshape(-1), wide
    arguments = (*table, slots, starts, bags, presence, products, found, seen)
    k = entry(weave, arguments)(*arguments)
    return Sparse(found.starts, found.columns[:k], found.values[:k])


@cache
def letter_table(size: int) -> Array:
    """What each character is in lower case; -1 where it is no part of a word.

    The last entry stands for all that follow.
    """
    every = "".join(
        "\0" if c in SURROGATES or c == size - 1 else chr(c) for c in range(size)
    )
    lower = lower_case(every)
    table = np.frombuffer(lower.encode("utf-32-le"), np.int32).copy()
    words = np.zeros(size, np.bool_)
    for run in re.finditer(r"\w+", lower):
        words[run.start() : run.end()] = True
    table[~words] = -1
    return table
