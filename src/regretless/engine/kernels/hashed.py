"""Hashed features of one line: written to their columns, named, and multiplied.

The product of two features has the column ``(hash_a * PRIME) ^ hash_b``, cut to the
mask, that of three ``(((hash_a * PRIME) ^ hash_b) * PRIME) ^ hash_c``: Vowpal Wabbit's
rule, after Fowler, Noll and Vo.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...parts.generic import compiled
from ...parts.state import Floats
from .merge import OVERFLOW
from .met_columns import NEW, place_of

AT, END, LINE, ROWS, ENTRIES, FRESH, FEATURES, NEED = range(8)
"""What the state holds: where the loop stands, the end of the line it stopped at, lines
so far, rows, entries, names, how many features the block may have, and how many entries
there must be room for."""

MOST = 2**22
"""More interactions than this in a line are refused: they would fill the memory."""

NARROW = -4
PRIME = 16777619


class Hashing(NamedTuple):
    """What becomes of features, which go by the first letters of their namespaces.

    2^bits - 1; groups of two or three letters that are multiplied, three entries each
    (the last is -1 for a pair); and for each letter 1 if it is read, 0 if it is not.
    """

    mask: int
    groups: Any
    kept: Any


class HashedRows(NamedTuple):
    """Where rows are written to."""

    starts: Any
    columns: Any
    values: Floats
    labels: Floats
    weights: Floats
    lines: Any


class Names(NamedTuple):
    """What asks for names: the table of columns that have come, and new names.

    Without a table they are not asked for. Of the table only the first `known` columns
    count: others may be entered while a block is parsed, and all of it must see the
    same. A new name is the column, and where the namespace and the name begin, of up to
    three features that are multiplied; -1: none. `seen` has new columns, each at a
    place that its last bits say, until another comes there: so most of them are named
    once a block, and some more often. Where `numbered` is 1, columns are written as
    their numbers, and new ones as NEW + column.
    """

    table: Any
    known: int
    numbered: int
    seen: Any
    fresh: Any


class Space(NamedTuple):
    """A namespace: first letter, where it begins (-1: no name), hash and weight."""

    letter: int
    at: int
    seed: int
    weight: float


class Scratch(NamedTuple):
    """What interactions need of a line's features; empty where there are none.

    How many features of the row begin with each letter; and letters of the namespaces,
    hashes, where namespaces and names begin, each at k for the entry k.
    """

    counts: Any
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
    number = number_of(names, column)
    found.columns[np.uint64(k)] = written(names, column, number)
    found.values[np.uint64(k)] = value
    if scratch.letters.size > 0:
        scratch.letters[k] = space.letter
        scratch.hashes[k] = hashed
        scratch.spaces[k] = space.at
        scratch.names[k] = name
    if number == 0 and is_new(names, column):
        names.fresh[fresh, 0] = column
        names.fresh[fresh, 1] = space.at
        names.fresh[fresh, 2] = name
        names.fresh[fresh, 4] = -1
        fresh += 1
    return fresh


@compiled
def number_of(names: Any, column: int) -> int:
    """The number of a column, counted from 1; 0 where it has none, or none is asked."""
    if names.table.size == 0:
        return 0
    number = names.table[place_of(names.table, column)] >> 32
    return number if number <= names.known else 0


@compiled
def written(names: Any, column: int, number: int) -> int:
    """What is written for a column that has this number, or 0 for none."""
    if names.numbered == 0:
        return column
    return number - 1 if number > 0 else NEW + column


@compiled
def is_new(names: Any, column: int) -> bool:
    """Whether the name of a new column is asked for; then it is not soon again."""
    if names.seen.size == 0:
        return False
    place = np.uint64(column & (names.seen.size - 1))
    if names.seen[place] == column:
        return False
    names.seen[place] = column
    return True


@compiled
def unname(names: Any, first: int, last: int) -> None:
    """Take back the names of a line that was given up."""
    for i in range(first, last):
        names.seen[names.fresh[i, 0] & (names.seen.size - 1)] = -1


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
    """Write the products of all groups that were asked for; their end, names' end."""
    first = state[ENTRIES]
    last = k
    counts = scratch.counts
    groups = hashing.groups
    if groups.size == 0:
        return k, fresh
    for i in range(first, last):
        counts[scratch.letters[i]] += 1
    total = 0
    for p in range(0, groups.size, 3):
        some = counts[groups[p]] * counts[groups[p + 1]]
        if groups[p + 2] >= 0:
            some *= counts[groups[p + 2]]
        total += min(some, MOST + 1)
    # Behind the products, all features of the lines to come must find room unasked.
    room = k + total + state[FEATURES]
    if total > MOST:
        k = OVERFLOW
    elif total > 0 and room > found.columns.size:
        state[NEED] = room
        k = NARROW
    else:
        for p in range(0, groups.size, 3):
            if counts[groups[p]] * counts[groups[p + 1]] > 0:
                k, fresh = multiply(
                    hashing, p, found, names, scratch, first, last, k, fresh
                )
    for i in range(first, last):
        counts[scratch.letters[i]] = 0
    return k, fresh


@compiled
def multiply(
    hashing: Any,
    p: int,
    found: Any,
    names: Any,
    scratch: Any,
    first: int,
    last: int,
    k: int,
    fresh: int,
) -> tuple[int, int]:
    """Write the products of the group at `p`; their end, names' end."""
    letters = scratch.letters
    left = hashing.groups[p]
    middle = hashing.groups[p + 1]
    right = hashing.groups[p + 2]
    for i in range(first, last):
        if letters[i] != left:
            continue
        for j in range(i if left == middle else first, last):
            if letters[j] != middle:
                continue
            if right < 0:
                k, fresh = add_product(
                    i, j, -1, hashing, found, names, scratch, k, fresh
                )
                continue
            for m in range(j if middle == right else first, last):
                if letters[m] == right:
                    k, fresh = add_product(
                        i, j, m, hashing, found, names, scratch, k, fresh
                    )
    return k, fresh


@compiled
def add_product(
    i: int,
    j: int,
    m: int,
    hashing: Any,
    found: Any,
    names: Any,
    scratch: Any,
    k: int,
    fresh: int,
) -> tuple[int, int]:
    """Write the product of the entries i, j and m (-1: of two) as entry `k`."""
    hashed = scratch.hashes[i] * PRIME ^ scratch.hashes[j]
    value = found.values[i] * found.values[j]
    if m >= 0:
        hashed = hashed * PRIME ^ scratch.hashes[m]
        value *= found.values[m]
    column = hashed & hashing.mask
    number = number_of(names, column)
    found.columns[k] = written(names, column, number)
    found.values[k] = value
    if number == 0 and is_new(names, column):
        names.fresh[fresh, 0] = column
        names.fresh[fresh, 1] = scratch.spaces[i]
        names.fresh[fresh, 2] = scratch.names[i]
        names.fresh[fresh, 3] = scratch.spaces[j]
        names.fresh[fresh, 4] = scratch.names[j]
        names.fresh[fresh, 6] = -1
        if m >= 0:
            names.fresh[fresh, 5] = scratch.spaces[m]
            names.fresh[fresh, 6] = scratch.names[m]
        fresh += 1
    return k + 1, fresh
