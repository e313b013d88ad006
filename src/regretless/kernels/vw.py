"""Vowpal Wabbit text to sparse rows of hashed features, in one pass over the bytes.

    [label [importance [base]]] ['tag]|namespace[:weight] name[:value] ... |namespace ...

As in ``kernels.libsvm`` the loop reads what is well formed and stops at any other line
for Python to see to; and the text must end with a newline and have ``words.SPARE``
bytes behind it, so that nobody needs to look at bounds: every loop stops at a newline.

Rows are written feature by feature, those of one column added up. Interactions follow
when the line is read, and so need what ``Scratch`` keeps of it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled
from ..parts.state import Floats
from .compiled import kernel
from .decimal import read_number
from .lines import line_end, skip_blanks
from .merge import FULL, forget, place
from .murmur import hash_name, name_end
from .words import byte, digits, digits_value, word

__all__ = ["Found", "Hashing", "Names", "Scratch", "parse_vw"]
__all__ += ["DONE", "GROW", "LOOK", "WIDEN"]
__all__ += ["AT", "END", "ENTRIES", "FRESH", "LINE", "MOST", "NEED", "ROWS"]

AT, END, LINE, ROWS, ENTRIES, FRESH, NEED = range(7)
"""What the state holds: where the loop stands, the end of the line it stopped at, lines
so far, rows, entries, names, and how many entries there must be room for."""

DONE, LOOK, GROW, WIDEN = range(4)
"""Why the loop returns: all is read; Python must look at a line; `seen` is too small
for the line; there is no room for state[NEED] entries."""

MOST = 2**22
"""More interactions than this in a line are refused: they would fill the memory."""

PRIME = 16777619  # of the Fowler-Noll-Vo hash, which joins the hashes of a pair

BAD, NARROW = -1, -4
TAB, NEWLINE, RETURN, SPACE, QUOTE, COLON, BAR = 9, 10, 13, 32, 39, 58, 124


class Hashing(NamedTuple):
    """The columns: 2^bits - 1, and pairs of namespaces' first letters, end to end."""

    mask: int
    pairs: Any


class Found(NamedTuple):
    """Where rows are written to."""

    starts: Any
    columns: Any
    values: Floats
    labels: Floats
    weights: Floats
    lines: Any


class Names(NamedTuple):
    """Which columns have a name (a bit each; none at all: do not ask), and new names.

    A new name is the column, where the namespace and the name begin, and the same two
    of the second feature of an interaction; -1: none.
    """

    known: Any
    fresh: Any


class Scratch(NamedTuple):
    """The features of one line: hash, first letter, value, where the names begin."""

    hashes: Any
    letters: Any
    values: Floats
    spaces: Any
    names: Any


def parse_vw(mark: str) -> Any:
    """Build ``parse_vw(text, size, hashing, found, names, scratch, seen, state)``.

    Reads the lines from state[AT] to `size`, and returns why it stopped. Unless DONE,
    the line from state[AT] to state[END] is the one to see to, and the state is that
    before the line.
    """

    @kernel(mark)
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

    return parse_vw


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
        if after == BAD or after == end:
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
    begin = k = state[ENTRIES]
    fresh = state[FRESH]
    count = 0
    while byte(text, at) == BAR:
        letter, space, seed, weight, at = read_space(text, at + 1)
        nameless = 0
        while at != BAD:
            end = at
            at = skip_blanks(text, at)
            if byte(text, at) == BAR or at_end(text, at):
                break
            if at == end:
                return BAD, k, fresh
            name = at
            hashed, value, at = read_feature(text, at, seed, nameless)
            nameless += byte(text, name) == COLON
            value *= weight
            if not math.isfinite(value):
                at = BAD
            if at == BAD or value == 0.0:
                continue
            column = hashed & hashing.mask
            after = place(found.columns, found.values, begin, k, column, value, seen)
            if after < 0:
                return BAD, after, fresh
            if after > k:
                fresh = note_name(names, fresh, column, space, name, -1, -1)
            k = after
            if hashing.pairs.size > 0:
                scratch.hashes[count] = hashed
                scratch.letters[count] = letter
                scratch.values[count] = value
                scratch.spaces[count] = space
                scratch.names[count] = name
                count += 1
        if at == BAD:
            return BAD, k, fresh
    if hashing.pairs.size > 0:
        k, fresh = interact(
            hashing, found, names, scratch, seen, state, k, count, fresh
        )
        if k < 0:
            return BAD, k, fresh
    if byte(text, at) == RETURN:
        at += 1
    return at, k, fresh


@compiled
def read_space(text: Any, at: int) -> tuple[int, int, int, float, int]:
    """A namespace: first letter, where it begins, hash, weight and its end (or BAD)."""
    c = byte(text, at)
    if c in (SPACE, TAB, BAR) or at_end(text, at):
        return SPACE, -1, 0, 1.0, at
    end = name_end(text, at)
    seed = hash_name(text, at, end, 0)
    weight = 1.0
    after = end
    if byte(text, end) == COLON:
        weight, after = read_number(text, end + 1)
    return c, at, seed, weight, (BAD if end == at else after)


@compiled
def read_feature(
    text: Any, at: int, seed: int, nameless: int
) -> tuple[int, float, int]:
    """A feature: its hash, its value, and where it ends (or BAD)."""
    eight = word(text, at)
    n = digits(eight)
    end = at + n
    c = byte(text, end)
    if 0 < n < 8 and (c in (COLON, SPACE, NEWLINE)):
        hashed = digits_value(eight, n) + seed
    else:
        end = name_end(text, at)
        c = byte(text, end)
        if end > at:
            hashed = hash_name(text, at, end, seed)
        else:
            hashed = seed + nameless
    value = 1.0
    if c == COLON:
        value, end = read_number(text, end + 1)
    elif end == at:
        end = BAD
    return hashed, value, end


@compiled
def note_name(
    names: Any, fresh: int, column: int, space: int, name: int, space2: int, name2: int
) -> int:
    """Remember the name of a column that has none; how many there are now."""
    if names.known.size == 0:
        return fresh
    bit = np.uint64(1) << np.uint64(column & 63)
    bits = names.known[np.uint64(column >> 6)]
    if bits & bit == np.uint64(0):
        names.known[np.uint64(column >> 6)] = bits | bit
        names.fresh[fresh, 0] = column
        names.fresh[fresh, 1] = space
        names.fresh[fresh, 2] = name
        names.fresh[fresh, 3] = space2
        names.fresh[fresh, 4] = name2
        fresh += 1
    return fresh


@compiled
def unname(names: Any, first: int, last: int) -> None:
    """Take back the names of a line that was given up."""
    for i in range(first, last):
        column = names.fresh[i, 0]
        bit = np.uint64(1) << np.uint64(column & 63)
        names.known[column >> 6] ^= bit


@compiled
def interact(
    hashing: Any,
    found: Any,
    names: Any,
    scratch: Any,
    seen: Any,
    state: Any,
    k: int,
    count: int,
    fresh: int,
) -> tuple[int, int]:
    """Write the products of all pairs that were asked for; their end, names' end."""
    begin = state[ENTRIES]
    total = 0
    for p in range(0, hashing.pairs.size, 2):
        left = right = 0
        for i in range(count):
            left += scratch.letters[i] == hashing.pairs[p]
            right += scratch.letters[i] == hashing.pairs[p + 1]
        total += left * right
    if total > MOST:
        return BAD, fresh
    if k + total > found.columns.size:
        state[NEED] = k + total
        return NARROW, fresh
    for p in range(0, hashing.pairs.size, 2):
        same = hashing.pairs[p] == hashing.pairs[p + 1]
        for i in range(count):
            if scratch.letters[i] != hashing.pairs[p]:
                continue
            half = scratch.hashes[i] * PRIME
            for j in range(i if same else 0, count):
                if scratch.letters[j] != hashing.pairs[p + 1]:
                    continue
                value = scratch.values[i] * scratch.values[j]
                if not math.isfinite(value):
                    return BAD, fresh
                column = (half ^ scratch.hashes[j]) & hashing.mask
                after = place(
                    found.columns, found.values, begin, k, column, value, seen
                )
                if after < 0:
                    return after, fresh
                if after > k:
                    fresh = note_name(
                        names,
                        fresh,
                        column,
                        scratch.spaces[i],
                        scratch.names[i],
                        scratch.spaces[j],
                        scratch.names[j],
                    )
                k = after
    return k, fresh
