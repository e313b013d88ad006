"""Checks of what a file says, before it is relied on.

Kernels index arrays without looking at their bounds, and with numbers that they find in
other arrays. So every array of a file is declared: its type, its shape, and which
numbers it may hold. It is checked here, before it comes near a kernel.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from inspect import formatannotation
from typing import NamedTuple, TypeAlias, TypeVar, cast, get_type_hints, overload

import numpy as np
import numpy.typing as npt

from ...parts.documents import Document
from ...parts.state import Array, Floats

LARGEST = float(np.finfo(np.float64).max)
Number = TypeVar("Number", bound=np.generic)
Shape: TypeAlias = "tuple[int | None, ...]"


class Range(NamedTuple):
    """Which numbers an array of a file may hold.

    Parameters
    ----------
    low, high : float
        The least and the largest. Of an array that refers to others: their first and
        their last place.
    whole : bool
        Whether they are whole numbers.
    nan : bool
        Whether nan may be among them, for what is not known.
    """

    low: float = -LARGEST
    high: float = LARGEST
    whole: bool = False
    nan: bool = False

    def refusal(self, array: Array) -> str:
        """Why an array cannot hold what it does; "" if it can."""
        if self == ANYTHING:  # not even looked at
            return ""
        if self.nan and array.dtype.kind == "f":
            array = array[~np.isnan(array)]
        if array.dtype == np.bool_ or not array.size:
            return ""
        for number in (array.min().item(), array.max().item()):  # nan is both
            if not self.low <= number <= self.high:
                return f"{number:g} is not in [{self.low:g}, {self.high:g}]"
        if self.whole and array.dtype.kind == "f" and (array % 1.0).any():
            return "it has a number that is not whole"
        return ""


FINITE = Range()
SIZES = Range(0.0)  # that are not negative, such as sums of squares
COUNTS = Range(0, 2**62, whole=True)
UNBOUNDED = Range(-np.inf, np.inf)  # infinities too: sums that may overflow
ANYTHING = Range(-np.inf, np.inf, nan=True)

KINDS: Document = {
    "bool": bool,
    "int": int,
    "float": (int, float),
    "str": str,
    "None": None,
    "Document": dict,
    "list[str]": [str],
    "dict[str, float]": dict,
}
"""Annotations of fields, as kinds."""


@overload
def checked_array(
    tree: Document, name: str, *, shape: Shape = (None,), holds: Range = FINITE
) -> Floats: ...
@overload
def checked_array(
    tree: Document,
    name: str,
    dtype: type[Number] | np.dtype[Number],
    shape: Shape = (None,),
    holds: Range = FINITE,
) -> npt.NDArray[Number]: ...
def checked_array(
    tree: Document,
    name: str,
    dtype: npt.DTypeLike = np.float64,
    shape: Shape = (None,),
    holds: Range = FINITE,
) -> Array:
    """The array `name` of a tree, if it is as declared.

    Parameters
    ----------
    tree : dict
        What a file has.
    name : str
        That of the array.
    dtype, shape
        Of the array; a side that is None may have any length.
    holds : Range
        What it may hold.

    Returns
    -------
    array
        The very array where it is writable and contiguous, as those from a file are: a
        large one is not copied.
    """
    found: object = tree.get(name)
    if not isinstance(found, np.ndarray):
        raise ValueError(f"there is no array {name!r}")
    found = cast("Array", found)
    fits = found.ndim == len(shape) and all(
        wanted is None or side == wanted
        for side, wanted in zip(found.shape, shape, strict=True)
    )
    if found.dtype != dtype or not fits:
        raise ValueError(
            f"{name} is {found.dtype} of shape {found.shape}, which it cannot be"
        )
    if refused := holds.refusal(found):
        raise ValueError(f"{name}: {refused}")
    return np.require(found, requirements=["C", "A", "W"])


def check_kinds(tree: Document, declared: Document) -> None:
    """Refuse plain values that are not of the kinds that are declared for them.

    A kind is a type, None, a :class:`Range` of numbers, a tuple of kinds of which it
    may be any, a list of those that the items of a list may be of, or a table of kinds
    by name.
    """
    for name, kind in declared.items():
        if name not in tree:
            raise KeyError(name)
        value = tree[name]
        inside = cast("Document", kind) if isinstance(kind, dict) else None
        if inside is not None and isinstance(value, dict):
            check_kinds(cast("Document", value), inside)
        elif not _is(value, cast("object", kind)):
            raise ValueError(f"{name}={value!r:.40} is of the wrong kind")


def _is(value: object, kind: object) -> bool:
    if isinstance(kind, Range):
        number = type(value) is int or (type(value) is float and not kind.whole)
        some = cast("float", value)
        return number and (
            kind.low <= some <= kind.high or (kind.nan and math.isnan(some))
        )
    if isinstance(kind, tuple):
        return any(_is(value, each) for each in cast("tuple[object, ...]", kind))
    if isinstance(kind, list):
        kinds = tuple(cast("list[object]", kind))
        return isinstance(value, list) and all(
            _is(item, kinds) for item in cast("list[object]", value)
        )
    if isinstance(kind, dict):
        table = cast("Document", value) if isinstance(value, dict) else {}
        each = cast("Document", kind).items()
        return all(name in table and _is(table[name], one) for name, one in each)
    if kind is None:
        return value is None
    return isinstance(kind, type) and type(value) is kind


def checked_int(tree: Document, name: str, low: float, high: float) -> int:
    """The whole number `name` of a tree, if it is in [low, high]."""
    number = tree[name]
    if not _is(number, Range(low, high, whole=True)):
        raise ValueError(f"{name}={number!r:.40} is not a whole number in its range")
    return cast("int", number)


def checked_float(tree: Document, name: str, holds: Range = FINITE) -> float:
    """The number `name` of a tree, if it is one that `holds` declares."""
    number = tree[name]
    if not _is(number, holds):
        raise ValueError(f"{name}={number!r:.40} is not a number in its range")
    return float(cast("float", number))


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

    What `kind` does not know is left out. Types other than plain values and tuples of
    them are for the caller to check.
    """
    found: Document = {}
    for field in dataclasses.fields(kind):
        if field.name not in data:
            continue
        value = data[field.name]
        declared = str(field.type)
        if declared.startswith("Annotated"):  # an option, with its help
            declared = formatannotation(get_type_hints(kind)[field.name])
        if not any(_fits(value, each) for each in declared.split(" | ")):
            raise ValueError(f"{field.name}={value!r:.60} is of the wrong kind")
        found[field.name] = value
    return found


def _fits(value: object, declared: str) -> bool:
    """Whether a value is what an annotation says."""
    if declared.startswith("tuple["):
        if not isinstance(value, tuple):
            return False
        items, each = cast("tuple[object, ...]", value), declared[len("tuple[") : -1]
        alike = each.removesuffix(", ...")
        kinds = [alike] * len(items) if alike != each else each.split(", ")
        return len(kinds) == len(items) and all(map(_fits, items, kinds))
    return declared not in KINDS or _is(value, KINDS[declared])
