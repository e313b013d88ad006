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

from ..generic import compiled
from .words import digits, digits_value, stops, trailing_zeros, word

__all__ = ["hash_name", "murmur", "name_end"]

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
    bits = stops(text, at)
    while bits == _0:
        at += 32
        bits = stops(text, at)
    return at + trailing_zeros(bits)


@compiled
def hash_name(text: Any, begin: int, end: int, seed: int) -> int:
    """Vowpal Wabbit's hash of the name from `begin` to `end`, by 32 bits."""
    at = begin
    spelled = 0
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
    """MurmurHash3_x86_32 of the bytes from `begin` to `end`."""
    h = np.uint64(seed) & _LOW
    at = begin
    while at + 4 <= end:
        h ^= _scramble(word(text, at) & _LOW)
        h = ((h << _13) | (h >> _19)) & _LOW
        h = (h * _5 + _ADD) & _LOW
        at += 4
    if at < end:
        rest = (_1 << np.uint64(8 * (end - at))) - _1
        h ^= _scramble(word(text, at) & rest)
    h ^= np.uint64(end - begin) & _LOW
    h = ((h ^ (h >> _16)) * _F1) & _LOW
    h = ((h ^ (h >> _13)) * _F2) & _LOW
    return np.int64(h ^ (h >> _16))  # pyright: ignore[reportReturnType]


@compiled
def _scramble(four: Any) -> Any:
    k = (four * _C1) & _LOW
    k = ((k << _15) | (k >> _17)) & _LOW
    return (k * _C2) & _LOW
