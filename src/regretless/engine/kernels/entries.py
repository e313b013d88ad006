"""Short entries ``digits:[-]digits[.digits]``: most of what there is to read.

A window tells which of the next 64 bytes are no digits. Its lowest bits are the colon,
the point and the end of the entry, so that no byte needs to be looked at to know where
the next entry begins, and the machine works on several entries at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...parts.generic import compiled
from .decimal import MOST_DIGITS, TENS, scale, take_digits
from .words import byte, digits_value, trailing_zeros, word

NEWLINE, SPACE, MINUS, POINT, COLON = 10, 32, 45, 46, 58
_1 = np.uint64(1)


@compiled
def short_entry(text: Any, at: int, window: Any) -> tuple[int, float, int, bool]:
    """The entry at `at`, where the window begins: name, value, length, whether it fits.

    It fits if the name has up to 8 digits, the value up to 7 before the point and 19 in
    all, a space or a newline follows, and all of this is within the window.

    The length does not depend on whether it fits, lest the next entry wait for that.
    """
    colon = trailing_zeros(window)
    rest = window & (window - _1)
    first = colon + 1
    end = trailing_zeros(rest)
    minus = end == first
    if minus:  # a sign, or nothing
        if byte(text, at + end) != MINUS:
            return 0, 0.0, 0, False
        rest = rest & (rest - _1)
        first += 1
        end = trailing_zeros(rest)
    n = end - first
    if colon < 1 or colon > 8 or n < 1 or n > 7 or byte(text, at + colon) != COLON:
        return 0, 0.0, 0, False
    name = digits_value(word(text, at), colon)
    whole = digits_value(word(text, at + first), n)
    value = float(whole)
    c = byte(text, at + end)
    fits = True
    if c == POINT:
        tail = at + end + 1
        end = trailing_zeros(rest & (rest - _1))
        value, fits = tenths(text, whole, n, tail, at + end - tail)
        c = byte(text, at + end)
    # So few digits are within the window, if it reached so far when it was taken; and
    # if not, its end would be at 64, and they would be too many.
    fits = fits and c in (SPACE, NEWLINE)
    return name, (-value if minus else value), end, fits


@compiled
def tenths(
    text: Any, whole: int, n_whole: int, tail: int, n: int
) -> tuple[float, bool]:
    """``whole.tail``, of `n_whole` and `n` digits, and whether that is certain."""
    if n < 1 or n + n_whole > MOST_DIGITS:
        return 0.0, False
    if n <= 7:
        ten = TENS[np.uint64(n)]
        below = float(digits_value(word(text, tail), n))
        return (float(whole) * ten + below) / ten, True
    w, _end = take_digits(text, tail, np.uint64(whole))
    return scale(w, -n)
