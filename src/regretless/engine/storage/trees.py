"""Trees of plain values and arrays, as strict JSON and named tensors.

None, booleans, numbers, strings, lists and dicts with string keys are themselves in
JSON. What JSON cannot say has a dict with one marked key in its place ::

    {"$float": "inf"}                              "inf", "-inf" or "nan"
    {"$tuple": [...]}                              a tuple
    {"$tensor": "a/b"}                             the tensor of that name
    {"$sparse": "a/b", "dtype": .., "shape": ..}   zeros, but for tensor "a/b.values" at
                                                   the flat places "a/b.indices"

A tensor is named after where it stands in the tree. It is stored sparsely where that is
shorter; what is left out has all bits zero, so -0.0 comes back as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from ...parts.documents import Document
from ...parts.state import Array
from ..memory import SHARE, physical_memory, zeros

DTYPES: dict[str, type[np.generic]] = {
    "F64": np.float64,
    "F32": np.float32,
    "I64": np.int64,
    "I32": np.int32,
    "U8": np.uint8,
    "BOOL": np.bool_,
}
"""The kinds of numbers that a file may hold, as safetensors calls them."""

LARGEST = 2**32
"""The most bytes of all sparse arrays of a file, so that a small one cannot ask for any
memory it likes: a panel on 2**22 features and its state have half of that. What goes
beyond is stored in full, so that its size shows. Zeros between few numbers are laid out
in small pages, of which the system gives those that are written to."""
FEW = 64  # an array is scattered where fewer than one in so many numbers are stored


class Arrays(dict[str, Array]):
    """Tensors by name, and how many bytes those have that are stored sparsely."""

    expanded: int = 0


def to_plain(value: object, tensors: Arrays, at: str = "") -> object:
    """The JSON of `value`; its arrays are put into `tensors`.

    Raises ``ValueError`` where something is of no kind that a file can hold.
    """
    if isinstance(value, np.generic):
        return to_plain(cast("Any", value).item(), tensors, at)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$float": repr(float(value))}
    if isinstance(value, np.ndarray):
        return _tensor(cast("Array", value), tensors, at)
    return _branches(value, tensors, at)


def copied(tree: Document) -> Document:
    """A tree whose arrays are copies: the others may change before it is written."""
    return {name: _copied(each) for name, each in tree.items()}


def _copied(value: object) -> object:
    if isinstance(value, np.ndarray):
        return cast("Array", value).copy()
    if isinstance(value, dict):
        return copied(cast("Document", value))
    if isinstance(value, list):
        return [_copied(each) for each in cast("list[object]", value)]
    return value


def _branches(value: object, tensors: Arrays, at: str) -> object:
    packed = getattr(value, "packed", None)
    value = value if packed is None else packed()  # when it is written, not before
    if isinstance(value, list | tuple):
        several = cast("list[object]", value)
        inside = [to_plain(v, tensors, f"{at}/{i}") for i, v in enumerate(several)]
        return {"$tuple": inside} if isinstance(value, tuple) else inside
    if isinstance(value, Mapping):
        branches = cast("Mapping[object, object]", value)
        found: Document = {}
        for key, each in branches.items():
            if not isinstance(key, str) or key.startswith("$"):
                raise ValueError(f"{at}: the key {key!r:.60} cannot be stored")
            found[key] = to_plain(each, tensors, f"{at}/{key}" if at else key)
        return found
    raise ValueError(
        f"{at}: {value!r:.60} cannot be stored: a file holds numbers, strings, "
        "booleans, None, and tuples of them"
    )


def _tensor(array: Array, tensors: Arrays, at: str) -> Document:
    """Put an array into `tensors`, in the shorter way."""
    code = next((c for c, kind in DTYPES.items() if array.dtype == kind), None)
    if code is None:
        raise ValueError(f"{at}: an array of {array.dtype} cannot be stored")
    whole = np.ascontiguousarray(array)
    flat = whole.reshape(-1)
    at_most = np.int32 if flat.size <= 2**31 else np.int64
    bits = flat.view(f"i{flat.itemsize}") if flat.itemsize > 1 else flat
    # Not by value: -0.0 is a zero.
    some = int(np.count_nonzero(bits))
    sparse = some * (flat.itemsize + np.dtype(at_most).itemsize) < flat.nbytes
    if not sparse or tensors.expanded + flat.nbytes > LARGEST:
        _add(tensors, at, whole)
        return {"$tensor": at}
    tensors.expanded += flat.nbytes
    indices = np.flatnonzero(bits)
    _add(tensors, f"{at}.indices", indices.astype(at_most))
    _add(tensors, f"{at}.values", flat[indices])
    return {"$sparse": at, "dtype": code, "shape": list(array.shape)}


def _add(tensors: Arrays, name: str, array: Array) -> None:
    if name in tensors or name == "__metadata__":
        raise ValueError(f"{name}: two arrays cannot be stored under one name")
    tensors[name] = array


def from_plain(node: object, tensors: Arrays) -> Any:
    """The tree that :func:`to_plain` turned into JSON and tensors.

    Raises ``ValueError`` or ``KeyError`` where they were never made by it.
    """
    if isinstance(node, list):
        return [from_plain(each, tensors) for each in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    branches = cast("Document", node)
    mark = next((key for key in branches if key.startswith("$")), None)
    if mark is not None:
        return _MARKED[mark](branches, tensors)
    return {key: from_plain(each, tensors) for key, each in branches.items()}


def _dense(node: Document, tensors: Arrays) -> Array:
    """An array that was stored sparsely."""
    at, shape = node["$sparse"], node["shape"]
    indices, values = tensors[f"{at}.indices"], tensors[f"{at}.values"]
    if not all(type(side) is int and side >= 0 for side in shape):
        raise ValueError(f"{at} has an impossible shape")
    dtype, size = np.dtype(DTYPES[node["dtype"]]), math.prod(shape)
    tensors.expanded += size * dtype.itemsize
    if tensors.expanded > min(LARGEST, SHARE * physical_memory()):
        raise ValueError(
            f"it says that it has {tensors.expanded:,} bytes of zeros, too many"
        )
    places = np.asarray(indices, np.int64)
    rising = places.size == 0 or (
        places[0] >= 0 and places[-1] < size and bool((np.diff(places) > 0).all())
    )
    if places.ndim != 1 or places.shape != values.shape or not rising:
        raise ValueError(f"the places of {at} are not in order")
    if values.dtype != dtype:
        raise ValueError(f"{at} is of the wrong kind")
    out: Array = zeros((size,), dtype, scattered=FEW * places.size < size)
    out[places] = values
    return out.reshape(shape)


_SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_MARKED: dict[str, Callable[[Document, Arrays], object]] = {
    "$float": lambda node, tensors: _SPECIAL[node["$float"]],
    "$tuple": lambda node, tensors: tuple(from_plain(node["$tuple"], tensors)),
    "$tensor": lambda node, tensors: tensors[node["$tensor"]],
    "$sparse": _dense,
}
