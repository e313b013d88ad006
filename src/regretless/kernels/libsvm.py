"""LIBSVM text to sparse rows, in one pass over the bytes.

    [label] [qid:N] index:value index:value ... [# comment]

The loop reads what is well formed, and stops at the first line that is not (or whose
numbers are too hard for it): Python reads that line, says what is wrong with it, and
sends the loop on behind it. So there is not a word about errors here.

A line is read without looking at bounds: the text must end with a newline and have
``words.SPARE`` bytes behind it (see ``kernels.lines``). Every loop below stops at a
newline, since no newline is a digit, a blank or part of a number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled
from ..parts.state import Floats
from .compiled import kernel
from .decimal import TENS, read_number
from .lines import line_end, skip_blanks
from .merge import FULL, OVERFLOW, forget, place
from .windows import WINDOW, no_digits
from .words import byte, digits, digits_value, trailing_zeros, word

__all__ = ["DONE", "GROW", "LOOK", "Found", "Indices", "parse_libsvm"]
__all__ += ["AT", "END", "ENTRIES", "LINE", "ROWS", "WIDTH"]

AT, END, LINE, ROWS, ENTRIES, WIDTH = range(6)
"""What the state holds: where the loop stands, the end of the line it stopped at, lines
so far, rows, entries, and one more than the largest column."""

DONE, LOOK, GROW = range(3)
"""Why the loop returns: all is read; Python must look at a line; `seen` is too small
for the line."""

BAD = -1
NEWLINE, RETURN, SPACE, HASH, POINT, COLON = 10, 13, 32, 35, 46, 58
_1 = np.uint64(1)


class Indices(NamedTuple):
    """How an index becomes a column: ``index - base``, which must be below ``limit``.

    With a mask (not -1) it is ``(index - base) & mask``, and entries of a row that come
    to share a column are added up.
    """

    base: int
    limit: int
    mask: int


class Found(NamedTuple):
    """Where rows are written to."""

    starts: Any
    columns: Any
    values: Floats
    labels: Floats
    lines: Any


def parse_libsvm(mark: str) -> Any:
    """Build ``parse_libsvm(text, size, indices, found, seen, state) -> why``.

    Reads the lines from state[AT] to `size`. Unless DONE, the line from state[AT] to
    state[END] is the one to see to, and the state is that before the line.
    """

    @kernel(mark)
    def parse_libsvm(
        text: Any, size: int, indices: Any, found: Any, seen: Any, state: Any
    ) -> int:
        at = state[AT]
        line = state[LINE]
        row = state[ROWS]
        first = state[ENTRIES]
        width = state[WIDTH]
        why = DONE
        while at < size and why == DONE:
            begin = skip_blanks(text, at)
            if says_no_more(text, begin):
                at = line_end(text, begin)
                line += 1
                continue
            label, where = read_label(text, begin)
            entries = first
            reach = 0
            if where != BAD:
                where, entries, reach = read_entries(
                    text, where, indices, found, first, seen
                )
            if where == BAD:
                why = GROW if entries == FULL else LOOK
                forget(seen)
                state[END] = line_end(text, at)
            else:
                line += 1
                at = line_end(text, where)
                found.labels[row] = label
                found.lines[row] = line
                row += 1
                width = max(width, reach)
                first = entries
                found.starts[row] = first
        state[AT] = at
        state[LINE] = line
        state[ROWS] = row
        state[ENTRIES] = first
        state[WIDTH] = width
        return why

    return parse_libsvm


@compiled
def says_no_more(text: Any, at: int) -> bool:
    """Whether the line says nothing more from here on."""
    c = byte(text, at)
    if c == RETURN:
        return byte(text, at + 1) == NEWLINE
    return c in (NEWLINE, HASH)


@compiled
def read_label(text: Any, at: int) -> tuple[float, int]:
    """The label (nan: none), and where the entries begin; or BAD."""
    label, end = read_number(text, at)
    if end == BAD:
        return label, BAD
    if byte(text, end) == COLON:
        return np.nan, at
    after = skip_blanks(text, end)
    if after == end and not says_no_more(text, end):
        return label, BAD
    if byte(text, after) == 113:  # the q of qid:
        after = skip_query(text, after)
    return label, after


@compiled
def skip_query(text: Any, at: int) -> int:
    """The first position behind ``qid:N`` and blanks; or BAD."""
    if not (
        byte(text, at + 1) == 105
        and byte(text, at + 2) == 100
        and byte(text, at + 3) == COLON
    ):
        return BAD
    begin = at + 4
    at = begin
    while 48 <= byte(text, at) <= 57:
        at += 1
    after = skip_blanks(text, at)
    if at == begin or (after == at and not says_no_more(text, at)):
        return BAD
    return after


@compiled
def read_entries(
    text: Any, at: int, indices: Any, found: Any, k: int, seen: Any
) -> tuple[int, int, int]:
    """Write the entries from `at` on; where they end (or BAD), their end, the width.

    Most entries are short: a look at which of the next 64 bytes are no digits tells
    where several of them end, and none of it waits for what the entry before was.
    """
    last = indices.base - 1
    begin = k
    window = no_digits(text, at)
    new = True
    while True:
        index, value, size = short_entry(text, at, window)
        if size == 0 and not new:
            window = no_digits(text, at)
            new = True
            continue
        if size > 0:
            at += size
        else:
            if says_no_more(text, at):
                break
            index, value, at = long_entry(text, at)
            if at == BAD:
                return BAD, k, 0
        if index <= last:
            return BAD, k, 0
        last = index
        k = store(found, indices, begin, k, index - indices.base, value, seen)
        if k in (FULL, OVERFLOW):
            return BAD, k, 0
        if size > 0 and byte(text, at) == SPACE:
            at += 1
            window = (window >> np.uint64(size)) >> _1
            new = False
            continue
        end = at
        at = skip_blanks(text, at)
        if says_no_more(text, at):
            break
        if at == end:
            return BAD, k, 0
        window = no_digits(text, at)
        new = True
    width = last - indices.base + 1
    return (BAD if width > indices.limit else at), k, width


@compiled
def short_entry(text: Any, at: int, window: Any) -> tuple[int, float, int]:
    """An entry of up to 8 + 7.7 digits within the window: index, value and length.

    The length is 0 for any other entry, and for one that the window cuts off.
    """
    colon = trailing_zeros(window)
    rest = window & (window - _1)
    end = trailing_zeros(rest)
    n = end - colon - 1
    if colon < 1 or colon > 8 or n < 1 or n > 7 or byte(text, at + colon) != COLON:
        return 0, 0.0, 0
    index = digits_value(word(text, at), colon)
    whole = digits_value(word(text, at + colon + 1), n)
    value = float(whole)
    c = byte(text, at + end)
    if c == POINT:
        point = end
        end = trailing_zeros(rest & (rest - _1))
        n = end - point - 1
        if n < 1 or n > 7:
            return 0, 0.0, 0
        ten = TENS[np.uint64(n)]
        value = (value * ten + float(digits_value(word(text, at + point + 1), n))) / ten
        c = byte(text, at + end)
    return index, value, (end if end < WINDOW and c in (SPACE, NEWLINE) else 0)


@compiled
def long_entry(text: Any, at: int) -> tuple[int, float, int]:
    """Any entry: index, value, and where it ends (or BAD)."""
    index, at = read_index(text, at)
    if at == BAD:
        return 0, 0.0, BAD
    value, at = read_number(text, at)
    return index, value, at


@compiled
def store(
    found: Any, indices: Any, begin: int, k: int, column: int, value: float, seen: Any
) -> int:
    """Write an entry of the row that begins at `begin`; the row's end, or why not."""
    if indices.mask >= 0:
        column &= indices.mask
        return place(found.columns, found.values, begin, k, column, value, seen)
    found.columns[np.uint64(k)] = column
    found.values[np.uint64(k)] = value
    return k + 1


@compiled
def read_index(text: Any, at: int) -> tuple[int, int]:
    """The index that begins at `at`, and where its value begins; or BAD."""
    eight = word(text, at)
    n = digits(eight)
    if n == 0:
        return 0, BAD
    index = digits_value(eight, n)
    at += n
    if n == 8:
        eight = word(text, at)
        n = digits(eight)
        if n == 8:
            return 0, BAD
        if n > 0:
            scale = 10
            for _ in range(n - 1):
                scale *= 10
            index = index * scale + digits_value(eight, n)
            at += n
    if byte(text, at) != COLON:
        return 0, BAD
    return index, at + 1
