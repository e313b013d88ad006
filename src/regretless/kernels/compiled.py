"""Call a kernel without paying for type inspection at every call.

numba looks at every argument of every call to find the right machine code, 4 us for a
tuple of parts. ``entry`` does so once for each combination of part types, then hands
out the machine code itself: 0.4 us a call. In exchange the caller promises the exact
types (float64, int64 and int32 C-contiguous arrays); ``canonical`` and the streams keep
that.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, TypeAlias, cast

import numpy as np
from numba import njit, types
from numba.np.numpy_support import from_dtype

from ..generic import digest, expose
from .kept import keep

__all__ = ["entry", "kernel"]

Array: TypeAlias = "np.ndarray[Any, Any]"
Entry = Callable[..., Any]
Build = Callable[[str], Any]

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # 1/0 is inf, and no branch guards against it
    "_nrt": False,  # kernels allocate nothing, so they count no references
}

_kernels: dict[tuple[Build, str], Any] = {}
_entries: dict[tuple[Any, ...], Entry] = {}
_compiling = RLock()  # files are parsed in threads while the learner starts in its own


def kernel(mark: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile the decorated loop, and cache its machine code under `mark`.

    `mark` is a digest of all sources that go into it. It becomes part of the name, so
    that each digest has a cache index of its own. numba looks only at the kernel's file
    to tell whether its cache is stale; and it reads an index whole, so one that names a
    user's module would be of no use to anyone who cannot import that module.
    """

    def compile_later(loop: Callable[..., Any]) -> Any:
        loop.__qualname__ = f"{loop.__qualname__}.{mark[:16]}"
        return keep(njit(**(OPTIONS | options))(loop))

    return compile_later


def entry(build: Build, arguments: tuple[Any, ...]) -> Entry:
    """The machine code of the kernel that `build` makes, for `arguments` like these."""
    key = (build, _shape(arguments))
    found = _entries.get(key)
    if found is None:
        with _compiling:
            expose()
            found = _entries[key] = _compile(build, arguments)
    return found


def _compile(build: Build, arguments: tuple[Any, ...]) -> Entry:
    mark = digest(_kinds(arguments))
    loop = _kernels.get((build, mark))
    if loop is None:
        loop = _kernels[build, mark] = build(mark)
    signature = tuple(_numba_type(argument) for argument in arguments)
    loop.compile(signature)
    return loop.get_overload(signature)


def _shape(argument: Any) -> Any:
    """What of an argument decides its machine code: the types, nested as they are."""
    if isinstance(argument, np.ndarray):
        array = cast("Array", argument)
        return array.dtype.char, array.ndim
    if isinstance(argument, tuple):
        items = cast("tuple[Any, ...]", argument)
        return type(items), tuple(_shape(item) for item in items)
    return cast("Any", type(argument))


def _kinds(argument: Any) -> list[type]:
    """The types of all parts in an argument."""
    if not isinstance(argument, tuple):
        return []
    items = cast("tuple[Any, ...]", argument)
    inner = [kind for item in items for kind in _kinds(item)]
    return [type(items), *inner] if hasattr(items, "_fields") else inner


def _numba_type(argument: Any) -> Any:
    """The numba type, the same for read-only and writable arrays."""
    if isinstance(argument, np.ndarray):
        array = cast("Array", argument)
        return types.Array(from_dtype(array.dtype), array.ndim, "C")
    if isinstance(argument, tuple):
        items = cast("tuple[Any, ...]", argument)
        members = [_numba_type(item) for item in items]
        if not hasattr(items, "_fields"):
            return types.Tuple(members)
        if members and all(member == members[0] for member in members):
            return types.NamedUniTuple(members[0], len(members), type(items))
        return types.NamedTuple(members, type(items))
    return {bool: types.boolean, int: types.int64, float: types.float64}[type(argument)]
