"""A forest as arrays by name, for files and checkpoints, and back."""

from __future__ import annotations

from ...parts.documents import Document
from ...parts.panel.forest import (
    FEATURES,
    LEAVES,
    LIVE,
    NODES,
    Forest,
    Settings,
    new_forest,
)

__all__ = ["FOREST", "forest_arrays", "forest_from"]

FOREST = "forest_"  # begins the names of a forest's arrays


def forest_arrays(forest: Forest) -> Document:
    """What a forest remembers, by name, without the room it has left; copies.

    Nothing of one that does not play.
    """
    if not forest.numbers[LIVE]:
        return {}
    nodes, leaves = int(forest.numbers[NODES]), int(forest.numbers[LEAVES])
    used = dict.fromkeys(Forest._fields, leaves)
    used |= {"nodes": nodes, "cuts": nodes}
    used["known"] = int(forest.numbers[FEATURES])
    whole = ("numbers", "sizes", "stack", "covariance", "ranks")
    return {
        FOREST + name: array.copy() if name in whole else array[: used[name]].copy()
        for name, array in forest._asdict().items()
    }


def forest_from(arrays: Document, settings: Settings) -> Forest:
    """The forest that :func:`forest_arrays` wrote down; ValueError if it is invalid."""
    if FOREST + "numbers" not in arrays:
        return new_forest(settings, live=False)
    if any(FOREST + name not in arrays for name in Forest._fields):
        raise ValueError("the state has only a part of a forest")
    given = {name: arrays[FOREST + name] for name in Forest._fields}
    codes, lanes = given["codes"], len(given["stack"])
    forest = new_forest(settings, lanes, codes=len(codes) > 0)
    for name, room in forest._asdict().items():
        array = given[name]
        fits = array.shape[1:] == room.shape[1:] and len(array) <= len(room)
        if not fits or array.dtype != room.dtype:
            raise ValueError(
                f"{FOREST}{name} is {array.dtype}{list(array.shape)}, but a forest has "
                f"at most {room.dtype}{list(room.shape)}"
            )
        room[: len(array)] = array
    return forest
