"""Call a kernel without paying for type inspection at every call.

numba looks at every argument of every call to find the right machine code, 4 us for a
tuple of parts. ``entry`` does so once for each combination of part types, then hands out
the machine code itself: 0.4 us a call. In exchange the caller promises the exact types
(float64, int64 and int32 C-contiguous arrays); ``canonical`` and the streams keep that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.np.numpy_support import from_dtype

from ..generic import digest, expose

__all__ = ["KERNEL", "entry"]

Entry = Callable[..., Any]
Build = Callable[[str], Any]

KERNEL: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",  # 1/0 is inf, and no branch guards against it
    "_nrt": False,  # kernels allocate nothing, so they count no references
}

_kernels: dict[tuple[Build, str], Any] = {}
_entries: dict[tuple[Any, ...], Entry] = {}


def entry(build: Build, arguments: tuple[Any, ...]) -> Entry:
    """The machine code of the kernel that `build` makes, for `arguments` like these."""
    key = (build, _shape(arguments))
    found = _entries.get(key)
    if found is None:
        expose()
        found = _entries[key] = _compile(build, arguments)
    return found


def _compile(build: Build, arguments: tuple[Any, ...]) -> Entry:
    mark = digest(_kinds(arguments))
    kernel = _kernels.get((build, mark))
    if kernel is None:
        kernel = _kernels[build, mark] = build(mark)
    signature = tuple(_numba_type(argument) for argument in arguments)
    kernel.compile(signature)
    return kernel.get_overload(signature)


def _shape(argument: Any) -> Any:
    """What of an argument decides its machine code: the types, nested as they are."""
    if isinstance(argument, tuple):
        inner: Any = tuple(_shape(item) for item in argument)  # pyright: ignore
        return type(argument), inner  # pyright: ignore
    if isinstance(argument, np.ndarray):
        return argument.dtype.char, argument.ndim  # pyright: ignore
    return type(argument)


def _kinds(argument: Any) -> list[type]:
    if not isinstance(argument, tuple):
        return []
    inner: list[type] = []
    for item in argument:  # pyright: ignore
        inner += _kinds(item)
    return [type(argument), *inner] if hasattr(argument, "_fields") else inner  # pyright: ignore


def _numba_type(argument: Any) -> Any:
    """The numba type, the same for read-only and writable arrays."""
    if isinstance(argument, np.ndarray):
        return types.Array(from_dtype(argument.dtype), argument.ndim, "C")  # pyright: ignore
    if isinstance(argument, tuple):
        members: list[Any] = [_numba_type(item) for item in argument]  # pyright: ignore
        kind: Any = type(argument)  # pyright: ignore
        if not hasattr(kind, "_fields"):
            return types.Tuple(members)
        if members and all(member == members[0] for member in members):
            return types.NamedUniTuple(members[0], len(members), kind)
        return types.NamedTuple(members, kind)
    if isinstance(argument, bool):
        return types.boolean
    if isinstance(argument, int):
        return types.int64
    if isinstance(argument, float):
        return types.float64
    raise TypeError(f"a kernel cannot take {type(argument).__name__}")
