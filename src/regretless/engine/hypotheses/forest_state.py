"""A forest as arrays by name, for files and checkpoints, and back.

Kernels follow trees from node to child and from a leaf to what it keeps, and look at no
bounds. So a forest from a file is one that could have grown: every node but the roots
is the child of one node before it, every record belongs to one leaf, and all features
are among those that rows have had.
"""

from __future__ import annotations

import numpy as np

from ...parts.documents import Document
from ...parts.panel.forest import (
    ALL_NUMBERS,
    CHILD,
    DEPTH,
    FEATURE,
    FEATURES,
    LEAF,
    LEAVES,
    LIVE,
    MET,
    NODES,
    ROWS,
    SQUARES,
    TRIALS,
    WIDTH,
    Forest,
    Settings,
    new_forest,
)
from ...parts.rows import Ints, Longs
from ...parts.state import Array, Floats
from ..storage import FINITE, SIZES, Range, checked_array

FOREST = "forest_"  # begins the names of a forest's arrays
WHOLE = ("numbers", "sizes", "stack", "covariance", "ranks")  # without room to grow


def forest_arrays(forest: Forest) -> Document:
    """What a forest remembers, by name, without the room it has left; copies.

    Nothing of one that does not play.
    """
    if not forest.numbers[LIVE]:
        return {}
    used = _used(forest.numbers)
    return {
        FOREST + name: array[: used.get(name)].copy()
        for name, array in forest._asdict().items()
    }


def renumbered(forest: Forest, numbers: Longs) -> Forest:
    """The same forest on features with other numbers: that of j becomes numbers[j]."""
    nodes = forest.nodes.copy()
    asked = nodes[:, FEATURE] >= 0  # the others are leaves
    nodes[asked, FEATURE] = numbers[nodes[asked, FEATURE]]
    names = ("known", "last_features", "trial_features")
    told = {name: numbers[getattr(forest, name)].astype(np.int32) for name in names}
    return forest._replace(nodes=nodes, **told)


def forest_from(arrays: Document, settings: Settings, features: int) -> Forest:
    """The forest that :func:`forest_arrays` wrote down; ValueError if it is invalid.

    Parameters
    ----------
    arrays : dict
        By name.
    settings : Settings
        The forest's.
    features : int
        The largest number of a feature that it may know, of which the first is 1.
    """
    if FOREST + "numbers" not in arrays:
        return new_forest(settings, live=False)
    numbers = checked_array(arrays, f"{FOREST}numbers", shape=(ALL_NUMBERS,))
    _check_numbers(numbers, settings, features)
    lanes = len(checked_array(arrays, f"{FOREST}stack", shape=(None, WIDTH)))
    if not 1 <= lanes <= settings.most + 1:
        raise ValueError(f"a forest of {lanes} classes cannot be")
    codes = bool(checked_array(arrays, f"{FOREST}ranks", np.int32).size)
    forest = new_forest(settings, lanes, codes=codes)
    holds, used = _holds(settings, numbers, features), _used(numbers)
    for name, room in forest._asdict().items():
        place = room[: used.get(name)]
        held = holds.get(name, FINITE)
        place[:] = checked_array(arrays, FOREST + name, room.dtype, place.shape, held)
    _check_trees(forest, settings)
    _check_leaves(forest, settings, features)
    return forest


def _used(numbers: Floats) -> dict[str, int]:
    """How many records of the arrays with room to grow are in use."""
    used = dict.fromkeys(set(Forest._fields) - set(WHOLE), int(numbers[LEAVES]))
    used |= dict.fromkeys(("nodes", "cuts"), int(numbers[NODES]))
    return used | {"known": int(numbers[FEATURES])}


def _check_numbers(numbers: Floats, settings: Settings, features: int) -> None:
    """The counts fit each other: every split makes two nodes and one more leaf."""
    nodes, leaves, known = numbers[[NODES, LEAVES, FEATURES]].tolist()
    trees = settings.trees
    split = nodes - trees
    if not (
        numbers[LIVE] == 1.0
        and 0 <= split <= trees * (settings.nodes - 1)
        and split % 2 == 0
        and leaves == trees + split / 2
        and 0 <= known <= min(settings.widest, features)
        and known % 1 == 0
    ):
        raise ValueError("the counts of its forest are out of range")


def _holds(settings: Settings, numbers: Floats, features: int) -> dict[str, Range]:
    """What the arrays of a forest may hold, where that is not any number."""
    leaves, nodes = int(numbers[LEAVES]), int(numbers[NODES])
    feature = Range(0, features)
    return {
        "sizes": Range(1, settings.nodes),
        "nodes": Range(-1, max(nodes, leaves, features)),
        "last_features": feature,
        "trial_features": feature,
        "known": Range(1, features),
        "ranks": Range(0, settings.most + 1),
        "codes": Range(-(2**63), 2**63),
    }


def _check_trees(forest: Forest, settings: Settings) -> None:
    """Every path of children ends at a leaf, and no two paths meet."""
    nodes = forest.nodes[: int(forest.numbers[NODES])]
    inner = np.flatnonzero(nodes[:, FEATURE] >= 0)
    children = nodes[inner, CHILD]
    both = np.sort(np.concatenate([children, children + 1]))
    ends = nodes[nodes[:, FEATURE] < 0, LEAF]
    if not (
        int(forest.sizes.sum()) == len(nodes)
        and np.array_equal(both, np.arange(settings.trees, len(nodes)))
        and bool((children > inner).all())
        and np.array_equal(np.sort(ends), np.arange(ends.size))
        and _are_deep(nodes, inner, children, settings)
    ):
        raise ValueError("the trees of its forest are no trees")


def _are_deep(nodes: Ints, inner: Array, children: Ints, settings: Settings) -> bool:
    """Whether all nodes know how deep they are."""
    depth = nodes[:, DEPTH]
    return bool(
        (depth[: settings.trees] == 0).all()
        and (depth[children] == depth[inner] + 1).all()
        and (depth[children + 1] == depth[inner] + 1).all()
        and depth.max(initial=0) <= settings.depth
    )


def _check_features(forest: Forest, features: int) -> None:
    """All features that are asked for are among those that it knows, each once."""
    known = forest.known[: int(forest.numbers[FEATURES])]
    there = np.zeros(features + 1, np.bool_)
    there[known] = there[0] = True
    if np.count_nonzero(there) <= known.size:
        raise ValueError("its forest knows a feature twice")
    split = np.maximum(forest.nodes[:, FEATURE], 0)  # less than zero: a leaf
    if split.max(initial=0) > features or not all(
        there[asked].all()
        for asked in (split, forest.last_features, forest.trial_features)
    ):
        raise ValueError("the features of its forest are not those that it knows")


def _check_leaves(forest: Forest, settings: Settings, features: int) -> None:
    """Leaves have met and try what there is."""
    leaves = forest.leaves[: int(forest.numbers[LEAVES])]
    trials = Range(0, settings.trials, whole=True).refusal(leaves[:, TRIALS])
    if trials or SIZES.refusal(leaves[:, [ROWS, SQUARES, MET]]):
        raise ValueError("the leaves of its forest are out of range")
    _check_features(forest, features)
    _check_ranks(forest)


def _check_ranks(forest: Forest) -> None:
    """Of many classes: labels are known by the order in which they came."""
    if not forest.ranks.size:
        return
    *came, count = forest.ranks.tolist()
    labels = Range(0, len(came) - 1, whole=True)
    ranked = sorted(rank for rank in came if rank)
    if ranked != list(range(1, count + 1)) or labels.refusal(forest.last_values[:, -1]):
        raise ValueError("the classes of its forest are out of range")
