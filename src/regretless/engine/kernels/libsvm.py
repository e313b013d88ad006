"""LIBSVM text to sparse rows, in one pass over the bytes.

    [label] [qid:N] index:value index:value ... [# comment]

The loop reads what is well formed, and stops at the first line that is not (or whose
numbers are too hard for it): Python says what is wrong with it, or spells its numbers
anew for the loop, which goes on behind it. So there is not a word about errors here.

A line is read without looking at bounds: the text must end with a newline and have
``words.SPARE`` bytes behind it (see ``kernels.lines``). Every loop below stops at a
newline, since no newline is a digit, a blank or part of a number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...parts.generic import compiled
from ...parts.state import Floats
from .compiled import kernel
from .decimal import MOST_DIGITS, read_number, take_digits
from .entries import short_entry
from .lines import line_end, skip_blanks
from .merge import FULL, fold, forget
from .windows import no_digits
from .words import byte, digits, digits_value, word

AT, END, LINE, ROWS, ENTRIES, WIDTH = range(6)
"""What the state holds: where the loop stands, the end of the line it stopped at, lines
so far, rows, entries, and one more than the largest column."""

DONE, LOOK, GROW = range(3)
"""Why the loop returns: all is read; Python must look at a line; `seen` is too small
for the line."""

BAD = -1
NEWLINE, RETURN, HASH, COLON, QUERY = 10, 13, 35, 58, 113
_1 = np.uint64(1)


class Indices(NamedTuple):
    """How an index becomes a column: ``index - base``, which must be below ``limit``.

    With a mask (not -1) it is ``(index - base) & mask``, and entries of a row that come
    to share a column are added up.
    """

    base: int
    limit: int
    mask: int


class ParsedRows(NamedTuple):
    """Where rows are written to."""

    starts: Any
    columns: Any
    values: Floats
    labels: Floats
    lines: Any


@kernel
def parse_libsvm(
    text: Any, size: int, indices: Any, found: Any, seen: Any, state: Any
) -> int:
    """Parse lines of LIBSVM text; why it stopped.

    Reads the lines from state[AT] to `size`. Unless DONE, the line from state[AT] to
    state[END] is the one to see to, and the state is that before the line.
    """
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
    if byte(text, at) == QUERY:
        return np.nan, skip_query(text, at)
    label, end = read_number(text, at)
    if end == BAD:
        return label, BAD
    if byte(text, end) == COLON:
        return np.nan, at
    after = skip_blanks(text, end)
    if after == end and not says_no_more(text, end):
        return label, BAD
    if byte(text, after) == QUERY:
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

    Where it is BAD, the end of the entries may say why: FULL.
    """
    begin = k
    last = indices.base - 1
    while True:
        origin = at
        k, last, at = short_entries(text, at, indices, found, k, last)
        if says_no_more(text, at):
            break
        if at > origin:
            continue
        index, value, at = long_entry(text, at)
        if at == BAD or index <= last:
            return BAD, k, 0
        last = index
        found.columns[np.uint64(k)] = (index - indices.base) & indices.mask
        found.values[np.uint64(k)] = value
        k += 1
        end = at
        at = skip_blanks(text, at)
        if at == end and not says_no_more(text, at):
            return BAD, k, 0
    width = last - indices.base + 1
    if indices.mask >= 0:
        k = fold(found.columns, found.values, begin, k, seen)
    return (BAD if k < 0 or width > indices.limit else at), k, width


@compiled
def short_entries(
    text: Any, at: int, indices: Any, found: Any, k: int, last: int
) -> tuple[int, int, int]:
    """Write short entries, one blank between them, while they are well within a window.

    Returns the end of the entries, the last index, and the first position not read: a
    newline, or an entry that is longer, or cut off by the window, or wrong.
    """
    window = no_digits(text, at)
    while True:
        index, value, size, fits = short_entry(text, at, window)
        if not fits or index <= last:
            return k, last, at
        last = index
        found.columns[np.uint64(k)] = (index - indices.base) & indices.mask
        found.values[np.uint64(k)] = value
        k += 1
        at += size
        if byte(text, at) == NEWLINE:
            return k, last, at
        at += 1
        window = (window >> np.uint64(size)) >> _1


@compiled
def long_entry(text: Any, at: int) -> tuple[int, float, int]:
    """Any entry: index, value, and where it ends (or BAD)."""
    index, at = read_index(text, at)
    if at == BAD:
        return 0, 0.0, BAD
    value, at = read_number(text, at)
    return index, value, at


@compiled
def read_index(text: Any, at: int) -> tuple[Any, int]:
    """The index that begins at `at`, and where its value begins; or BAD."""
    eight = word(text, at)
    n = digits(eight)
    index, begin = np.int64(0), at
    if n < 8:
        index, at = np.int64(digits_value(eight, max(n, 1))), at + n
    else:
        many, at = take_digits(text, at, np.uint64(0))
        index = np.int64(many)
    if at == begin or at > begin + MOST_DIGITS:
        return 0, BAD
    if byte(text, at) != COLON:
        return 0, BAD
    return index, at + 1
