"""Entering a row: its values are laid out, and it falls into a leaf of each tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..generic import compiled, generic, implement
from ..rows import begin, column, end, entry
from .forest import CHILD, FEATURE, FEATURES, LEAF, LIVE, Forest
from .state import ROUNDS


@generic
def enter_row(forest: Any, row: Any, rows: Any, i: int) -> int:
    """Find the leaves of row `i`; return what :func:`~.growing.end_round` asks for."""
    ...


@implement(enter_row, Forest)
def _(forest: Forest, row: Any, rows: Any, i: int) -> int:
    # Lay the row out; return how many nonzeros it has.
    values, features, places = row.values, row.features, row.places
    lo, hi = begin(rows, i), end(rows, i)
    n = 0
    for k in range(lo, hi):
        x = entry(rows, k, hi)
        if x != 0.0:
            j = np.int64(column(rows, k, lo, hi)) + 1
            values[j] = x
            features[n] = j
            n += 1
    last = places.shape[0] - 1
    for t in range(0, last + 1, 4):
        find_leaves(
            forest, row, t, min(t + 1, last), min(t + 2, last), min(t + 3, last)
        )
    return n


@compiled
def find_leaves(forest: Any, row: Any, t: int, u: int, v: int, w: int) -> None:
    """Find the leaves of four trees, side by side: each step waits for the one before.

    The root of a tree is the node of its number.
    """
    nodes, cuts, values = forest.nodes, forest.cuts, row.values
    a, b, c, d = t, u, v, w
    while True:
        i, j = nodes[np.uint64(a), FEATURE], nodes[np.uint64(b), FEATURE]
        k, m = nodes[np.uint64(c), FEATURE], nodes[np.uint64(d), FEATURE]
        if i & j & k & m < 0:
            break
        a = next_node(nodes, cuts, values, a, i)
        b = next_node(nodes, cuts, values, b, j)
        c = next_node(nodes, cuts, values, c, k)
        d = next_node(nodes, cuts, values, d, m)
    note_leaf(nodes, row.places, t, a)
    note_leaf(nodes, row.places, u, b)
    note_leaf(nodes, row.places, v, c)
    note_leaf(nodes, row.places, w, d)


@compiled
def next_node(nodes: Any, cuts: Any, values: Any, node: int, feature: int) -> int:
    """The child that a row falls to; a leaf itself."""
    right = values[np.uint64(max(feature, 0))] > cuts[np.uint64(node)]
    child: Any = np.int64(nodes[np.uint64(node), CHILD]) + (1 if right else 0)
    return node if feature < 0 else child


@compiled
def note_leaf(nodes: Any, places: Any, t: int, node: int) -> None:
    """Write down where a row has fallen to in tree `t`."""
    places[np.uint64(t), 0] = node
    places[np.uint64(t), 1] = nodes[np.uint64(node), LEAF]


@generic
def leave_row(forest: Any, row: Any, entered: int) -> None:
    """Make the room empty again."""
    ...


@implement(leave_row, Forest)
def _(forest: Forest, row: Any, entered: int) -> None:
    for k in range(entered):
        row.values[row.features[k]] = 0.0


@compiled
def count_round(forest: Any, row: Any, n: int) -> None:
    """One more round: get to know new features, or give up if there are too many."""
    numbers, known, marks = forest.numbers, forest.known, row.marks
    numbers[ROUNDS] += 1.0
    for k in range(n):
        j = np.uint64(row.features[k])
        if marks[j] == 0:
            if numbers[FEATURES] == known.size:
                numbers[LIVE] = 0.0
                return
            marks[j] = 1
            known[int(numbers[FEATURES])] = j
            numbers[FEATURES] += 1.0
