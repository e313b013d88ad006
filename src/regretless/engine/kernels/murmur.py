"""MurmurHash3 (32 bits) of a stretch of text, and Vowpal Wabbit's hash of a name.

A name of nothing but digits is the number it spells; any other is hashed. Either way a
seed tells names of one namespace from those of another: the namespace's own hash.

References
----------
A. Appleby, MurmurHash3, 2011 (public domain). Vowpal Wabbit calls this rule
``--hash strings``, its default.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import compiled
from .windows import WINDOW, name_ends
from .words import byte, digits, digits_value, trailing_zeros, word

_LOW = np.uint64(0xFFFFFFFF)
_C1, _C2 = np.uint64(0xCC9E2D51), np.uint64(0x1B873593)
_F1, _F2 = np.uint64(0x85EBCA6B), np.uint64(0xC2B2AE35)
_5, _ADD = np.uint64(5), np.uint64(0xE6546B64)
_0, _1 = np.uint64(0), np.uint64(1)
_13, _15, _16 = np.uint64(13), np.uint64(15), np.uint64(16)
_17, _19 = np.uint64(17), np.uint64(19)


@compiled
def name_end(text: Any, at: int) -> int:
    """Where the name that begins at `at` ends: at a blank, a control, ':' or '|'."""
    bits = name_ends(text, at)
    while bits == _0:
        at += WINDOW
        bits = name_ends(text, at)
    return at + trailing_zeros(bits)


@compiled
def hash_name(text: Any, begin: int, end: int, seed: int) -> int:
    """Vowpal Wabbit's hash of the name from `begin` to `end`, by 32 bits."""
    at = begin
    spelled = 0
    if not 48 <= byte(text, begin) <= 57:
        return murmur(text, begin, end, seed)
    while at < end:
        eight = word(text, at)
        n = min(digits(eight), end - at)
        if n == 0:
            break
        for _ in range(n):
            spelled *= 10
        spelled += digits_value(eight, n)
        at += n
        if n < 8:
            break
    if at < end:
        return murmur(text, begin, end, seed)
    return (spelled + seed) & 0xFFFFFFFF


@compiled
def murmur(text: Any, begin: int, end: int, seed: int) -> int:
    """MurmurHash3_x86_32 of the bytes from `begin` to `end`.

    Names have few letters, but how many cannot be foreseen; so their first two blocks
    are hashed in any case, and taken where they are there. The last one may be empty,
    which changes nothing.
    """
    h = np.uint64(seed) & _LOW
    size = end - begin
    if size < 12:
        h = _choose(size >= 4, _block(h, word(text, begin)), h)
        h = _choose(size >= 8, _block(h, word(text, begin + 4)), h)
    else:
        for at in range(begin, end - 3, 4):
            h = _block(h, word(text, at))
    rest = (_1 << np.uint64(8 * (size & 3))) - _1
    h ^= _scramble(word(text, begin + (size & ~3)) & rest)
    h ^= np.uint64(size) & _LOW
    h = ((h ^ (h >> _16)) * _F1) & _LOW
    h = ((h ^ (h >> _13)) * _F2) & _LOW
    return np.int64(h ^ (h >> _16))  # pyright: ignore[reportReturnType]


@compiled
def _choose(first: bool, a: Any, b: Any) -> Any:
    """`a` if `first` else `b`, without a jump."""
    return b ^ ((a ^ b) & (_0 - np.uint64(first)))


@compiled
def _block(h: Any, eight: Any) -> Any:
    h ^= _scramble(eight & _LOW)
    h = ((h << _13) | (h >> _19)) & _LOW
    return (h * _5 + _ADD) & _LOW


@compiled
def _scramble(four: Any) -> Any:
    k = (four * _C1) & _LOW
    k = ((k << _15) | (k >> _17)) & _LOW
    return (k * _C2) & _LOW
