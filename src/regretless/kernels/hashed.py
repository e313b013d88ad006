"""Hashed features of one line: written to their columns, named, and multiplied.

The product of two features has the column ``(hash_a * PRIME) ^ hash_b``, cut to the
mask: Vowpal Wabbit's rule, after Fowler, Noll and Vo.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled
from ..parts.state import Floats
from .merge import OVERFLOW, place

__all__ = ["MOST", "NARROW", "PRIME", "Found", "Hashing", "Names", "Scratch"]
__all__ += ["AT", "END", "ENTRIES", "FRESH", "LINE", "NEED", "ROWS"]
__all__ += ["add", "interact", "keep", "unname"]

AT, END, LINE, ROWS, ENTRIES, FRESH, NEED = range(7)
"""What the state holds: where the loop stands, the end of the line it stopped at, lines
so far, rows, entries, names, and how many entries there must be room for."""

MOST = 2**22
"""More interactions than this in a line are refused: they would fill the memory."""

NARROW = -4
PRIME = 16777619

_0, _1 = np.uint64(0), np.uint64(1)


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
    """What interactions need of a line's features; empty where there are none.

    Letters of the namespaces, hashes, values, where namespaces and names begin: each
    with room for all features of the block.
    """

    letters: Any
    hashes: Any
    values: Floats
    spaces: Any
    names: Any


@compiled
def add(
    hashing: Any,
    found: Any,
    names: Any,
    seen: Any,
    state: Any,
    k: int,
    fresh: int,
    feature: Any,
) -> tuple[int, int]:
    """Write a feature as entry `k`, or add it to its like; the row's end, names' end.

    The row's end is negative where that fails, and then says why.
    """
    _letter, hashed, value, space, name = feature
    if not math.isfinite(value):
        return OVERFLOW, fresh
    column = hashed & hashing.mask
    begin = state[ENTRIES]
    end = place(found.columns, found.values, begin, k, column, value, seen)
    if end > k:
        fresh = note_name(names, fresh, column, space, name, -1, -1)
    return end, fresh


@compiled
def keep(scratch: Any, count: int, feature: Any) -> int:
    """Keep what interactions need of a feature; how many are kept."""
    if scratch.letters.size == 0:
        return 0
    letter, hashed, value, space, name = feature
    scratch.letters[count] = letter
    scratch.hashes[count] = hashed
    scratch.values[count] = value
    scratch.spaces[count] = space
    scratch.names[count] = name
    return count + 1


@compiled
def note_name(
    names: Any, fresh: int, column: int, space: int, name: int, space2: int, name2: int
) -> int:
    """Remember the name of a column that has none; how many are remembered."""
    if names.known.size == 0:
        return fresh
    bit = _1 << np.uint64(column & 63)
    bits = names.known[np.uint64(column >> 6)]
    if bits & bit == _0:
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
        names.known[column >> 6] ^= _1 << np.uint64(column & 63)


@compiled
def interact(
    hashing: Any,
    found: Any,
    names: Any,
    scratch: Any,
    seen: Any,
    state: Any,
    k: int,
    fresh: int,
    count: int,
) -> tuple[int, int]:
    """Write the products of all pairs that were asked for; their end, names' end."""
    total = 0
    for p in range(0, hashing.pairs.size, 2):
        left = tally(scratch.letters, count, hashing.pairs[p])
        total += left * tally(scratch.letters, count, hashing.pairs[p + 1])
    if total > MOST:
        return OVERFLOW, fresh
    # Behind the products, all features of the lines to come must find room unasked.
    room = k + total + scratch.letters.size
    if room > found.columns.size:
        state[NEED] = room
        return NARROW, fresh
    begin = state[ENTRIES]
    for p in range(0, hashing.pairs.size, 2):
        left = hashing.pairs[p]
        right = hashing.pairs[p + 1]
        for i in range(count):
            for j in range(i if left == right else 0, count):
                if scratch.letters[i] != left or scratch.letters[j] != right:
                    continue
                value = scratch.values[i] * scratch.values[j]
                column = scratch.hashes[i] * PRIME ^ scratch.hashes[j]
                column &= hashing.mask
                end = place(found.columns, found.values, begin, k, column, value, seen)
                if end < 0 or not math.isfinite(value):
                    return (end if end < 0 else OVERFLOW), fresh
                if end > k:
                    fresh = note_name(
                        names,
                        fresh,
                        column,
                        scratch.spaces[i],
                        scratch.names[i],
                        scratch.spaces[j],
                        scratch.names[j],
                    )
                k = end
    return k, fresh


@compiled
def tally(letters: Any, count: int, letter: int) -> int:
    """How many of the first `count` letters are this one."""
    found = 0
    for i in range(count):
        found += letters[i] == letter
    return found
