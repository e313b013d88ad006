"""Hashed features of one line: written to their columns, named, and multiplied.

The product of two features has the column ``(hash_a * PRIME) ^ hash_b``, cut to the
mask: Vowpal Wabbit's rule, after Fowler, Noll and Vo.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...parts.generic import compiled
from ...parts.state import Floats
from .merge import OVERFLOW

__all__ = [
    "MOST",
    "NARROW",
    "PRIME",
    "HashedRows",
    "Hashing",
    "Names",
    "Scratch",
    "Space",
]
__all__ += ["AT", "END", "ENTRIES", "FEATURES", "FRESH", "LINE", "NEED", "ROWS"]
__all__ += ["add", "interact", "unname"]

AT, END, LINE, ROWS, ENTRIES, FRESH, FEATURES, NEED = range(8)
"""What the state holds: where the loop stands, the end of the line it stopped at, lines
so far, rows, entries, names, how many features the block may have, and how many entries
there must be room for."""

MOST = 2**22
"""More interactions than this in a line are refused: they would fill the memory."""

NARROW = -4
PRIME = 16777619

_0, _1 = np.uint64(0), np.uint64(1)


class Hashing(NamedTuple):
    """The columns: 2^bits - 1, and pairs of namespaces' first letters, end to end."""

    mask: int
    pairs: Any


class HashedRows(NamedTuple):
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


class Space(NamedTuple):
    """A namespace: first letter, where it begins (-1: no name), hash and weight."""

    letter: int
    at: int
    seed: int
    weight: float


class Scratch(NamedTuple):
    """What interactions need of a line's features; empty where there are none.

    Letters of the namespaces, hashes, where namespaces and names begin, each at k for
    the entry k.
    """

    letters: Any
    hashes: Any
    spaces: Any
    names: Any


@compiled
def add(
    space: Any,
    hashed: int,
    value: float,
    name: int,
    hashing: Any,
    found: Any,
    names: Any,
    scratch: Any,
    k: int,
    fresh: int,
) -> int:
    """Write the feature at `name` as entry `k`, note its name if new; names' end."""
    column = hashed & hashing.mask
    found.columns[np.uint64(k)] = column
    found.values[np.uint64(k)] = value
    if scratch.letters.size > 0:
        scratch.letters[k] = space.letter
        scratch.hashes[k] = hashed
        scratch.spaces[k] = space.at
        scratch.names[k] = name
    return note_name(names, fresh, column, space.at, name, -1, -1)


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
    state: Any,
    k: int,
    fresh: int,
) -> tuple[int, int]:
    """Write the products of all pairs that were asked for; their end, names' end."""
    first = state[ENTRIES]
    last = k
    total = 0
    for p in range(0, hashing.pairs.size, 2):
        left = tally(scratch.letters, first, last, hashing.pairs[p])
        total += left * tally(scratch.letters, first, last, hashing.pairs[p + 1])
    if total > MOST:
        return OVERFLOW, fresh
    # Behind the products, all features of the lines to come must find room unasked.
    room = k + total + state[FEATURES]
    if total > 0 and room > found.columns.size:
        state[NEED] = room
        return NARROW, fresh
    for p in range(0, hashing.pairs.size, 2):
        left = hashing.pairs[p]
        right = hashing.pairs[p + 1]
        for i in range(first, last):
            for j in range(i if left == right else first, last):
                if scratch.letters[i] != left or scratch.letters[j] != right:
                    continue
                column = scratch.hashes[i] * PRIME ^ scratch.hashes[j]
                column &= hashing.mask
                found.columns[k] = column
                found.values[k] = found.values[i] * found.values[j]
                k += 1
                fresh = note_name(
                    names,
                    fresh,
                    column,
                    scratch.spaces[i],
                    scratch.names[i],
                    scratch.spaces[j],
                    scratch.names[j],
                )
    return k, fresh


@compiled
def tally(letters: Any, first: int, last: int, letter: int) -> int:
    """How many of the letters from `first` to `last` are this one."""
    found = 0
    for i in range(first, last):
        found += letters[i] == letter
    return found
