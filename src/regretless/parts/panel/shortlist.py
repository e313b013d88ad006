"""Which classes play a row where there are many: those that a Perceptron ranks first.

    s_k = W_k.a/|a|,  a: view A of the row;  listed: the 128 classes of the largest s_k
    then y: if n > 0 of the listed k != y have s_k >= s_y,
    W_y += a/|a|,  W_k -= a/(|a| n) of each of them

Only the listed ones and, once it is known, that of the label score the row and learn
it. So of what a row costs, only the ranking goes with the number of classes: a product
a class and feature, where a panel takes some hundred of them. The ranking is the
Perceptron of many classes (Crammer and Singer, 2003), whose step all share who were
ahead. It only has to find the first 128, which is a lot easier than to find the first.

Of the probability, a share is kept for the classes that are not listed: how often one
of them was right so far. They share it equally.

Up to 128 classes all are listed, and nothing changes; the ranking learns from 65 on.
"""

from __future__ import annotations

import math
from typing import Any

from ..generic import compiled

LISTED = 128  # classes that play a row; a forest has fewer (see ``forest.SETTINGS``)
OTHERS = 2  # that play it too: the rest, and the class of the label

# listing
LIVE = 0  # 0: a game of an earlier version, in which all play
SEEN = 1  # rows whose label was a class that had come
MISSED = 2  # those whose label was not listed
LISTING = 3


@compiled
def is_ranked(panels: Any, classes: int) -> bool:
    """Whether the ranking learns: half as many classes have come as are listed."""
    return panels.listing[LIVE] != 0.0 and 2 * classes > panels.shortlist.size - OTHERS


@compiled
def rank_classes(panels: Any, row: Any, n: int, length: float, classes: int) -> None:
    """Write down s_k of the first classes."""
    ranks, ranker = panels.ranks, panels.ranker
    for k in range(classes):
        ranks[k] = 0
    scale = ranks.dtype.type(1.0 / length)
    for i in range(n):
        first = row.columns[i]
        weights, v = ranker[first : first + classes], row.values[i] * scale
        for k in range(classes):
            ranks[k] += weights[k] * v


@compiled
def list_classes(panels: Any, candidates: int) -> int:
    """List those of the largest s_k among the first classes, in order; how many.

    A heap holds the best so far, the worst of them on top.
    """
    ranks, listed = panels.ranks, panels.shortlist
    count = min(candidates, listed.size - OTHERS)
    for k in range(count):
        listed[k] = k
    if candidates == count:
        return count
    for at in range(count // 2 - 1, -1, -1):
        sink(ranks, listed, at, count)
    for k in range(count, candidates):
        if ranks[k] > ranks[listed[0]]:
            listed[0] = k
            sink(ranks, listed, 0, count)
    for i in range(1, count):
        k, at = listed[i], i
        while at > 0 and listed[at - 1] > k:
            listed[at] = listed[at - 1]
            at -= 1
        listed[at] = k
    return count


@compiled
def sink(ranks: Any, heap: Any, at: int, count: int) -> None:
    """Let the class at a place of the heap go down to where it belongs."""
    moving = heap[at]
    while 2 * at + 1 < count:
        below = 2 * at + 1
        if below + 1 < count and ranks[heap[below + 1]] < ranks[heap[below]]:
            below += 1
        if ranks[moving] <= ranks[heap[below]]:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = moving


@compiled
def learn_ranks(
    panels: Any, row: Any, n: int, length: float, label: int, count: int
) -> None:
    """Learn the label of a row for which so many classes were listed."""
    ranks, ranker, listed = panels.ranks, panels.ranker, panels.shortlist
    ahead = 0
    for at in range(count):
        k = listed[at]
        ahead += k != label and ranks[k] >= ranks[label]
    if ahead == 0:
        return
    scale = ranks.dtype.type(1.0 / length)
    share = ranks.dtype.type(1.0 / ahead)
    for i in range(n):
        first, v = row.columns[i], row.values[i] * scale
        ranker[first + label] += v
        for at in range(count):
            k = listed[at]
            if k != label and ranks[k] >= ranks[label]:
                ranker[first + k] -= v * share


@compiled
def rank_all(
    panels: Any,
    row: Any,
    n: int,
    length: float,
    classes: int,
    example: tuple[int, float],
) -> None:
    """Let the ranking learn a row that all classes play, by its label and weight."""
    label, c = example
    if c > 0.0:
        rank_classes(panels, row, n, length, classes)
        count = list_classes(panels, classes)
        learn_ranks(panels, row, n, length, label, count)


@compiled
def say_odds(panels: Any, odds: Any, count: int, candidates: int, out: Any) -> None:
    """From the log-odds among the listed classes to those of all candidates."""
    others = candidates - count
    missed = 0.0
    if others > 0:
        listing = panels.listing
        prior = others / candidates
        missed = (listing[MISSED] + prior) / (listing[SEEN] + 1.0)
        each = missed / others
        rest = math.log(each / (1.0 - each))
        for k in range(candidates):
            out[k] = rest
    for at in range(count):
        z = odds[at]
        small = math.exp(-abs(z))
        p = (1.0 if z > 0.0 else small) / (1.0 + small)
        q = (small if z > 0.0 else 1.0) / (1.0 + small)
        kept = (1.0 - missed) * p
        out[panels.shortlist[at]] = (
            z if missed == 0.0 else math.log(kept / (q + missed * p))
        )
