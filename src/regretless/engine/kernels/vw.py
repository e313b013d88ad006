"""Vowpal Wabbit text to sparse rows of hashed features, in one pass over the bytes.

    [label [importance [base]]] ['tag]|namespace[:weight] name[:value] ... |...

As in ``kernels.libsvm`` the loop reads what is well formed and stops at any other line
for Python to see to; and the text must end with a newline and have ``words.SPARE``
bytes behind it, so that bounds need no check: every loop stops at a newline.

Features are written one by one (``kernels.hashed``), interactions at a line's end.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...parts.generic import compiled
from .compiled import kernel
from .decimal import read_number
from .entries import short_entry
from .hashed import (
    AT,
    END,
    ENTRIES,
    FRESH,
    LINE,
    NARROW,
    ROWS,
    Space,
    add,
    interact,
    unname,
)
from .lines import line_end, skip_blanks
from .merge import FULL, fold, forget
from .murmur import hash_name, name_end
from .windows import no_digits
from .words import byte, digits, digits_value, word

DONE, LOOK, GROW, WIDEN = range(4)
"""Why the loop returns: all is read; Python must look at a line; `seen` is too small
for the line; there is no room for state[NEED] entries."""

BAD = -1
_1 = np.uint64(1)
TAB, NEWLINE, RETURN, SPACE, QUOTE, COLON, BAR = 9, 10, 13, 32, 39, 58, 124


@kernel
def parse_vw(
    text: Any,
    size: int,
    hashing: Any,
    found: Any,
    names: Any,
    scratch: Any,
    seen: Any,
    state: Any,
) -> int:
    """Parse lines of Vowpal Wabbit text; why it stopped.

    Reads the lines from state[AT] to `size`, and returns why it stopped. Unless DONE,
    the line from state[AT] to state[END] is the one to see to, and the state is that
    before the line.
    """
    why = DONE
    while state[AT] < size and why == DONE:
        at = state[AT]
        begin = skip_blanks(text, at)
        if at_end(text, begin):
            state[AT] = line_end(text, begin)
            state[LINE] += 1
            continue
        row = state[ROWS]
        where = read_front(text, begin, found, row)
        entries = state[ENTRIES]
        fresh = state[FRESH]
        if where != BAD:
            where, entries, fresh = read_spaces(
                text, where, hashing, found, names, scratch, seen, state
            )
        if where == BAD:
            why = GROW if entries == FULL else WIDEN if entries == NARROW else LOOK
            unname(names, state[FRESH], fresh)
            forget(seen)
            state[END] = line_end(text, at)
        else:
            state[AT] = where + 1
            state[LINE] += 1
            state[ROWS] = row + 1
            state[ENTRIES] = entries
            state[FRESH] = fresh
            found.lines[row] = state[LINE]
            found.starts[row + 1] = entries
    return why


@compiled
def at_end(text: Any, at: int) -> bool:
    """Whether the line ends here."""
    c = byte(text, at)
    return c == NEWLINE or (c == RETURN and byte(text, at + 1) == NEWLINE)


@compiled
def read_front(text: Any, at: int, found: Any, row: int) -> int:
    """Read what stands before the first bar, and say where the bar is; or BAD.

    A word that touches the bar is a tag, and so is one that begins with a quote.
    """
    found.labels[row] = math.nan
    found.weights[row] = 1.0
    count = 0
    c = byte(text, at)
    while c != BAR:
        value, end = read_number(text, at) if c != QUOTE else (0.0, BAD)
        after = skip_blanks(text, end) if end != BAD else BAD
        if after in (BAD, end):
            tagged = count > 0 or c == QUOTE or c > 57
            return skip_tag(text, at) if tagged else BAD
        if count == 0:
            found.labels[row] = value
        elif count == 1:
            found.weights[row] = value
        if count > 2 or (count == 1 and value < 0.0):
            return BAD
        count += 1
        at = after
        c = byte(text, at)
    return at


@compiled
def skip_tag(text: Any, at: int) -> int:
    """Where the bar is behind the tag at `at`; or BAD."""
    quoted = byte(text, at) == QUOTE
    end = name_end(text, at)
    while byte(text, end) == COLON:
        end = name_end(text, end + 1)
    after = skip_blanks(text, end)
    if byte(text, after) != BAR or (after > end and not quoted):
        return BAD
    return after


@compiled
def read_spaces(
    text: Any,
    at: int,
    hashing: Any,
    found: Any,
    names: Any,
    scratch: Any,
    seen: Any,
    state: Any,
) -> tuple[int, int, int]:
    """Write the features from the bar on; the newline (or BAD), their end, names' end.

    Where it is BAD, the end of the features may say why: FULL, or NARROW.
    """
    first = state[ENTRIES]
    k = first
    fresh = state[FRESH]
    while byte(text, at) == BAR:
        space, at = read_space(text, at + 1, hashing.kept)
        if at != BAD:
            k, fresh, at = read_features(
                text, at, space, hashing, found, names, scratch, k, fresh
            )
        if at == BAD:
            return BAD, k, fresh
    k, fresh = interact(hashing, found, names, scratch, state, k, fresh)
    if k >= 0:
        k = fold(found.columns, found.values, first, k, seen)
    if byte(text, at) == RETURN:
        at += 1
    return (BAD if k < 0 else at), k, fresh


@compiled
def read_features(
    text: Any,
    at: int,
    space: Any,
    hashing: Any,
    found: Any,
    names: Any,
    scratch: Any,
    k: int,
    fresh: int,
) -> tuple[int, int, int]:
    """Write the features of one namespace; their end, names' end, the bar or end."""
    nameless = 0
    while True:
        end = at
        at = skip_blanks(text, at)
        c = byte(text, at)
        if c == BAR or at_end(text, at):
            return k, fresh, at
        if at == end:
            return k, fresh, BAD
        name = at
        if 48 <= c <= 57:
            k, fresh, at = short_features(
                text, at, space, hashing, found, names, scratch, k, fresh
            )
            if at > name:
                continue
        hashed, value, at = read_feature(text, at, space.seed, nameless)
        if at == BAD:
            return k, fresh, BAD
        nameless += c == COLON
        value *= space.weight
        if value != 0.0:
            fresh = add(
                space, hashed, value, name, hashing, found, names, scratch, k, fresh
            )
            k += 1


@compiled
def short_features(
    text: Any,
    at: int,
    space: Any,
    hashing: Any,
    found: Any,
    names: Any,
    scratch: Any,
    k: int,
    fresh: int,
) -> tuple[int, int, int]:
    """Write features that are short and named by numbers, within one window.

    Returns the features' end, names' end, and where the last of them ends.
    """
    window = no_digits(text, at)
    end = at
    while True:
        number, value, size, fits = short_entry(text, at, window)
        if not fits:
            return k, fresh, end
        value *= space.weight
        if value != 0.0:
            hashed = number + space.seed
            fresh = add(
                space, hashed, value, at, hashing, found, names, scratch, k, fresh
            )
            k += 1
        end = at + size
        if byte(text, end) == NEWLINE:
            return k, fresh, end
        at = end + 1
        window = (window >> np.uint64(size)) >> _1


@compiled
def read_space(text: Any, at: int, kept: Any) -> tuple[Any, int]:
    """A namespace, and where it ends (or BAD); where it is not read, it weighs 0."""
    c = byte(text, at)
    if c in (SPACE, TAB, BAR) or at_end(text, at):
        return Space(SPACE, -1, 0, kept[SPACE]), at
    end = name_end(text, at)
    seed = hash_name(text, at, end, 0)
    weight = 1.0
    after = end
    if byte(text, end) == COLON:
        weight, after = read_number(text, end + 1)
    return Space(c, at, seed, weight * kept[c]), (BAD if end == at else after)


@compiled
def read_feature(
    text: Any, at: int, seed: int, nameless: int
) -> tuple[int, float, int]:
    """A feature: its hash, its value, and where it ends (or BAD)."""
    eight = word(text, at)
    n = digits(eight)
    end = at + n
    c = byte(text, end)
    if 0 < n < 8 and c in (COLON, SPACE, NEWLINE):
        hashed = digits_value(eight, n) + seed
    else:
        end = name_end(text, at)
        c = byte(text, end)
        hashed = hash_name(text, at, end, seed) if end > at else seed + nameless
    value = 1.0
    if c == COLON:
        value, end = read_number(text, end + 1)
    elif end == at:
        end = BAD
    return hashed, value, end
