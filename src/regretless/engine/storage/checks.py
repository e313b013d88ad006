"""Checks of what a file says before anybody relies on it.

Kernels index arrays without looking at their bounds, so the shapes in a file are
checked here, before the arrays come near a kernel.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypeAlias, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from ...parts.documents import Document
from ...parts.state import Array, Floats

__all__ = ["Stored", "checked_array", "checked_fields", "checked_int", "checked_like"]
__all__ += ["largest_array"]

Arrays = TypeVar("Arrays", bound="tuple[Array, ...]")
Number = TypeVar("Number", bound=np.generic)
Shape: TypeAlias = "tuple[int | None, ...]"
Stored: TypeAlias = Document
"""What is kept of an object in a file: plain values and arrays, by name."""


@overload
def checked_array(tree: Document, name: str, *, shape: Shape = (None,)) -> Floats: ...
@overload
def checked_array(
    tree: Document,
    name: str,
    dtype: type[Number] | np.dtype[Number],
    shape: Shape = (None,),
) -> npt.NDArray[Number]: ...
def checked_array(
    tree: Document,
    name: str,
    dtype: npt.DTypeLike = np.float64,
    shape: Shape = (None,),
) -> Array:
    """The array `name` of a tree, if it is of this kind and shape (None: any length).

    The very array where it is writable and contiguous, as those from a file are: a
    large one is not copied.
    """
    found: object = tree[name]
    if not isinstance(found, np.ndarray):
        raise ValueError(f"{name} is not an array")
    found = cast("Array", found)
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
    names: tuple[str, ...] = getattr(fresh, "_fields", ())
    found = [
        checked_array(stored, name, array.dtype, array.shape)
        for name, array in zip(names, fresh, strict=True)
    ]
    return type(fresh)(*found)


def checked_int(tree: Document, name: str, low: int, high: int) -> int:
    """The whole number `name` of a tree, if it is in [low, high]."""
    number = tree[name]
    if type(number) is not int or not low <= number <= high:
        raise ValueError(f"{name}={number!r:.40} is not a whole number in its range")
    return number


def largest_array(tree: object) -> int:
    """How many numbers the largest array of a tree has, however deep it lies."""
    if isinstance(tree, dict):
        inside = list(cast("Document", tree).values())
    elif isinstance(tree, list | tuple):
        inside = list(cast("Sequence[object]", tree))
    else:
        return int(getattr(tree, "size", 0))
    return max((largest_array(one) for one in inside), default=0)


def checked_fields(kind: type, data: Document) -> Document:
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


def _fits(value: object, declared: str) -> bool:
    """Whether a value is what an annotation says."""
    if declared in ("int", "float"):
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole or (declared == "float" and isinstance(value, float))
    if declared == "tuple[str, ...]":
        return isinstance(value, tuple) and all(
            isinstance(each, str) for each in cast("tuple[object, ...]", value)
        )
    simple: dict[str, type] = {"str": str, "None": type(None), "Document": dict}
    return isinstance(value, simple.get(declared, object))
