"""Blocks of text: how many lines and entries they hold, and which part is safe to read.

A parser reads words of eight bytes without looking at bounds, and stops at a newline.
So it may be let loose on a stretch of text that ends with a newline and has `SPARE`
more bytes behind it. ``survey`` finds the longest such stretch of a block; the few
lines behind it are copied to where there is room.
"""

from __future__ import annotations

from typing import Any

from ...parts.generic import compiled
from .compiled import kernel
from .windows import WINDOW, blanks, colons, newlines, ones
from .words import SPARE, byte

NEWLINES, COLONS, BLANKS, SAFE = range(4)


@kernel
def survey(text: Any, counts: Any) -> None:
    """Count newlines, colons and blanks, and the bytes that are safe to read."""
    n_newlines = 0
    n_colons = 0
    n_blanks = 0
    whole = text.size // WINDOW * WINDOW
    for at in range(0, whole, WINDOW):
        n_newlines += ones(newlines(text, at))
        n_colons += ones(colons(text, at))
        n_blanks += ones(blanks(text, at))
    for at in range(whole, text.size):
        c = text[at]
        n_newlines += c == 10
        n_colons += c == 58
        n_blanks += (c == 32) | (c == 9)
    counts[NEWLINES] = n_newlines
    counts[COLONS] = n_colons
    counts[BLANKS] = n_blanks
    safe = text.size - SPARE
    while safe > 0 and text[safe - 1] != 10:
        safe -= 1
    counts[SAFE] = max(safe, 0)


@compiled
def line_end(text: Any, at: int) -> int:
    """One past the next newline, which there must be."""
    while byte(text, at) != 10:
        at += 1
    return at + 1


@compiled
def skip_blanks(text: Any, at: int) -> int:
    """The first position from `at` on that is neither space nor tab."""
    c = byte(text, at)
    while c in (32, 9):
        at += 1
        c = byte(text, at)
    return at
