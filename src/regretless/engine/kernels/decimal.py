"""Text to float64, rounded exactly: what ``float()`` says of every number it reads.

A decimal is w * 10^q, an integer of up to 19 digits times a power of ten.

1. w < 2^53 and |q| <= 22 (Clinger): both are floats without error, so one product or
   quotient is rounded once.
2. Else w times the first 128 bits of 10^q (Eisel and Lemire) decides nearly always.
3. More than 19 digits: if w and w + 1 lead to the same float, so do all decimals
   between them.

What is left (too large, undecided) is left to ``float()``: a kernel stops at the line,
and Python spells the number in at most 17 digits.

References
----------
W. D. Clinger, How to read floating point numbers accurately, PLDI 1990.
D. Lemire, Number parsing at a gigabyte per second, Software: Practice and Experience,
2021; N. Mushtak and D. Lemire, Fast number parsing without fallback, ibid., 2023.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import compiled
from .words import (
    as_float,
    byte,
    digits,
    digits_value,
    high_product,
    leading_naughts,
    leading_zeros,
    word,
)

EXACT = 22
MOST_DIGITS = 19
PLUS, MINUS, POINT = 43, 45, 46
LEAST, MOST = -342, 308
_BIG = 99999


def _leading_bits(q: int) -> tuple[int, int]:
    """The first 128 bits of 10^q in two halves, as Lemire's proof wants them.

    Rounded down; but up where 10^-q fits into 64 bits and its inverse does not end.
    """
    if q >= 0:
        top = 10**q
        shift = top.bit_length() - 128
        bits = top >> shift if shift > 0 else top << -shift
    else:
        bottom = 10**-q
        bits = (1 << (bottom.bit_length() + 127)) // bottom + (q >= -27)
    return bits >> 64, bits & (2**64 - 1)


POWERS = np.array([_leading_bits(q) for q in range(LEAST, MOST + 1)], np.uint64)
TENS = np.array([float(10**k) for k in range(EXACT + 1)])
WHOLE_TENS = np.array([10**k for k in range(9)], np.uint64)

_0, _1, _2, _3 = (np.uint64(k) for k in range(4))
_10, _52 = np.uint64(10), np.uint64(52)
_9_BITS = np.uint64(0x1FF)
_HIDDEN = np.uint64(1 << 52)
_CARRY = np.uint64(1 << 53)


@compiled
def short_tenths(text: Any, at: int, whole: int) -> tuple[float, int]:
    """``whole`` and the up to seven digits from `at` on, as tenths; the end, or -1."""
    eight = word(text, at)
    n = digits(eight)
    if n == 0:
        return float(whole), at
    if n == 8:
        return 0.0, -1
    tail = digits_value(eight, n)
    return (float(whole) * TENS[np.uint64(n)] + float(tail)) / TENS[
        np.uint64(n)
    ], at + n


@compiled
def read_number(text: Any, at: int) -> tuple[float, int]:
    """The number that begins at `at`, and where it ends; -1 where Python must look.

    Python must look at whatever is no number, and at the few that are not decided here.
    """
    first = byte(text, at)
    begin = at + 1 if first in (PLUS, MINUS) else at
    eight = word(text, begin)
    n = digits(eight)
    value, end = 0.0, -1
    if 0 < n < 8:
        whole = digits_value(eight, n)
        value, end = float(whole), begin + n
        after = byte(text, end)
        if after == POINT:
            value, end = short_tenths(text, end + 1, whole)
            after = byte(text, max(end, begin))
        if (after | 32) == 101:
            end = -1
    if end < 0:
        value, end = read_long(text, begin)
    return (-value if first == MINUS else value), end


@compiled
def read_long(text: Any, at: int) -> tuple[float, int]:
    """Any number without a sign, and where it ends; or -1."""
    begin = at
    w, at = take_digits(text, at, _0)
    whole = at - begin
    kept = whole if w > _0 or whole > MOST_DIGITS else 0
    tail = 0
    if byte(text, at) == POINT:
        first = at + 1
        zeros = leading_naughts(text, first) if kept == 0 else 0
        w, at = take_digits(text, first, w)
        tail = at - first
        kept += tail - zeros
    q = -tail
    dropped = False
    if kept > MOST_DIGITS:
        w, q, dropped = first_digits(text, begin)
    power = 0
    if (byte(text, at) | 32) == 101:
        power, at = read_exponent(text, at + 1)
    if at < 0 or whole + tail == 0:
        return 0.0, -1
    value, sure = scale(w, q + power)
    if dropped and sure:
        above, sure = scale(w + _1, q + power)
        sure = sure and above == value
    return value, (at if sure else -1)


@compiled
def take_digits(text: Any, at: int, w: Any) -> tuple[Any, int]:
    """Append the digits from `at` on to `w` (modulo 2^64), and say where they end."""
    n = 8
    while n == 8:
        eight = word(text, at)
        n = digits(eight)
        if n > 0:
            w = w * WHOLE_TENS[np.uint64(n)] + np.uint64(digits_value(eight, n))
        at += n
    return w, at


@compiled
def first_digits(text: Any, at: int) -> tuple[Any, int, bool]:
    """The first 19 significant digits w from `at` on, and q: the number is w * 10^q.

    The last of the three says whether digits other than 0 are left out.
    """
    w = _0
    kept = 0
    q = 0
    dropped = False
    point = False
    c = byte(text, at)
    while 48 <= c <= 57 or (c == POINT and not point):
        if c == POINT:
            point = True
        elif kept < MOST_DIGITS:
            w = w * _10 + np.uint64(c - 48)
            kept += w > _0
            q -= point
        else:
            dropped = dropped or c > 48
            q += not point
        at += 1
        c = byte(text, at)
    return w, q, dropped


@compiled
def read_exponent(text: Any, at: int) -> tuple[int, int]:
    """The exponent after the letter e, cut at 99999, and where it ends; or -1."""
    sign = byte(text, at)
    if sign in (PLUS, MINUS):
        at += 1
    power = 0
    begin = at
    while True:
        digit = byte(text, at) - 48
        if digit < 0 or digit > 9:
            break
        power = min(power * 10 + digit, _BIG)
        at += 1
    return (-power if sign == MINUS else power), (at if at > begin else -1)


@compiled
def scale(w: Any, q: int) -> tuple[float, bool]:
    """The float nearest to w * 10^q, and whether that is certain."""
    if w == _0:
        return 0.0, True
    if w < _CARRY and -EXACT <= q <= EXACT:
        if q < 0:
            return np.float64(w) / TENS[-q], True
        return np.float64(w) * TENS[q], True
    if q < LEAST or q > MOST:
        return 0.0, False
    return eisel_lemire(w, q)


@compiled
def eisel_lemire(w: Any, q: int) -> tuple[float, bool]:
    """The float nearest to w * 10^q; uncertain where it is larger than any."""
    shift = leading_zeros(w)
    w = w << np.uint64(shift)
    power = POWERS[q - LEAST]
    high = high_product(w, power[0])
    low = w * power[0]
    if (high & _9_BITS) == _9_BITS:
        more = high_product(w, power[1])
        low = low + more
        if low < more:
            high = high + _1
    top = high >> np.uint64(63)
    mantissa = high >> (top + np.uint64(9))
    exponent = ((217706 * q) >> 16) + 63 + np.int64(top) - shift + 1023
    if exponent <= 0 or exponent >= 2046:
        return at_the_ends(mantissa, exponent)
    # Half way between two floats, which 10^q can be only for small q: round to even.
    even = low <= _1 and -4 <= q <= 23 and (mantissa & _3) == _1
    if even and (mantissa << (top + np.uint64(9))) == high:
        mantissa = mantissa - _1
    mantissa = (mantissa + (mantissa & _1)) >> _1
    if mantissa == _CARRY:
        mantissa = _HIDDEN
        exponent += 1
    return as_float((mantissa - _HIDDEN) | (np.uint64(exponent) << _52)), True


@compiled(forceinline=False)
def at_the_ends(mantissa: Any, exponent: int) -> tuple[float, bool]:
    """A float that is subnormal, or near the largest, from 54 bits and an exponent."""
    if exponent <= -63 or exponent > 2046:
        return 0.0, False
    if exponent <= 0:  # fewer bits, rounded once
        mantissa = mantissa >> np.uint64(1 - exponent)
        return as_float((mantissa + (mantissa & _1)) >> _1), True
    mantissa = (mantissa + (mantissa & _1)) >> _1
    bits = (mantissa - _HIDDEN) | (np.uint64(exponent) << _52)
    return as_float(bits), mantissa < _CARRY
