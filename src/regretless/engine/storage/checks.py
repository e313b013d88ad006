"""Checks of what a file says before anybody relies on it.

Kernels index arrays without looking at their bounds, so the shapes in a file are
checked here, before the arrays come near a kernel.
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from ...parts.documents import Document

__all__ = ["Stored", "checked_array", "checked_fields", "checked_int", "checked_like"]
__all__ += ["largest_array"]

Arrays = TypeVar("Arrays", bound=tuple[Any, ...])
Stored: TypeAlias = dict[str, Any]
"""What is kept of an object in a file: plain values and arrays, by name."""


def checked_array(
    tree: Document, name: str, dtype: Any = np.float64, shape: Any = (None,)
) -> Any:
    """The array `name` of a tree, if it is of this kind and shape (None: any length).

    The very array where it is writable and contiguous, as those from a file are: a
    large one is not copied.
    """
    found: Any = tree[name]
    if not isinstance(found, np.ndarray):
        raise ValueError(f"{name} is not an array")
    found = cast("np.ndarray[Any, Any]", found)
    fits = found.ndim == len(shape) and all(
        wanted is None or side == wanted
        for side, wanted in zip(found.shape, shape, strict=True)
    )
    if found.dtype != dtype or not fits:
        raise ValueError(
            f"{name} is {found.dtype} of shape {found.shape}, which it cannot be"
        )
    return np.require(found, requirements=["C", "A", "W"])


def checked_like(fresh: Arrays, stored: Document) -> Arrays:
    """The arrays of a named tuple from a tree, each of the shape that `fresh` has."""
    kind: Any = type(fresh)
    return kind(
        *(
            checked_array(stored, name, array.dtype, array.shape)
            for name, array in zip(kind._fields, fresh, strict=True)
        )
    )


def checked_int(tree: Document, name: str, low: int, high: int) -> int:
    """The whole number `name` of a tree, if it is in [low, high]."""
    number = tree[name]
    if type(number) is not int or not low <= number <= high:
        raise ValueError(f"{name}={number!r:.40} is not a whole number in its range")
    return number


def largest_array(tree: Any) -> int:
    """How many numbers the largest array of a tree has, however deep it lies."""
    if isinstance(tree, dict):
        inside: Any = cast("dict[str, Any]", tree).values()
    elif isinstance(tree, list | tuple):
        inside = cast("list[Any]", tree)
    else:
        return int(getattr(tree, "size", 0))
    return max((largest_array(one) for one in inside), default=0)


def checked_fields(kind: Any, data: dict[str, Any]) -> Document:
    """The fields of dataclass `kind` that `data` has, if each is of its declared type.

    What `kind` does not know is left out. Types other than numbers, strings, tuples of
    strings and dicts are for the caller to check.
    """
    found: Document = {}
    for field in dataclasses.fields(kind):
        if field.name not in data:
            continue
        value = data[field.name]
        declared = str(field.type).split(" | ")
        if not any(_fits(value, each) for each in declared):
            raise ValueError(f"{field.name}={value!r:.60} is of the wrong kind")
        found[field.name] = value
    return found


def _fits(value: Any, declared: str) -> bool:
    """Whether a value is what an annotation says."""
    if declared in ("int", "float"):
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole or (declared == "float" and isinstance(value, float))
    if declared == "tuple[str, ...]":
        return isinstance(value, tuple) and all(
            isinstance(each, str) for each in cast("tuple[Any, ...]", value)
        )
    simple = {"str": str, "None": type(None), "Document": dict}
    return isinstance(value, simple.get(declared, object))
