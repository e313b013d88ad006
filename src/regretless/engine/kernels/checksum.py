"""A checksum at the speed of memory: two sums over words of eight bytes.

    product sum = sum_i low(w_i ^ k_i) high(w_i ^ k_i),    plain sum = sum_i w_i

modulo 2^64, with low and high the halves of a word and k_i another key for each place.
Whatever changes one word alone changes the plain sum. The keys make the places of words
count, and the products make it unlikely that several changes cancel. It is made against
accidents, not against forgery.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import kernel

KEY = np.uint64(0x9E3779B97F4A7C15)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


@kernel
def sum_words(words: Any, sums: Any) -> None:
    """Add up the words: the product sum and the plain sum."""
    products = np.uint64(0)
    plain = np.uint64(0)
    key = KEY
    for i in range(words.size):
        word = words[i]
        mixed = word ^ key
        products += (mixed & LOW) * (mixed >> HALF)
        plain += word
        key += KEY
    sums[0] = products
    sums[1] = plain
