"""A kernel and its machine code: compiled once for each combination of types.

``entry`` finds the machine code for some arguments: in memory, in the store that came
with the package, in that of the user, or else by compiling it. In exchange for speed
the caller promises the exact types (float64, int64 and int32 C-contiguous arrays);
``canonical`` and the streams keep that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from threading import RLock
from typing import Any, cast, overload

import numpy as np

from ..machine import notice, store
from ..machine.frame import Format, describe
from ..machine.kernel import TRAMPOLINES, ByNumba, Kernel, Stored

__all__ = ["entry", "kernel", "symbol_of"]

Loop = Callable[..., Any]

_entries: dict[tuple[Any, ...], Kernel] = {}
_finding = RLock()  # files are parsed in threads while the learner starts in its own


@overload
def kernel(loop: Loop) -> Loop: ...
@overload
def kernel(**options: Any) -> Callable[[Loop], Loop]: ...
def kernel(loop: Any = None, **options: Any) -> Any:
    """Mark a loop that is compiled when it is first needed.

    Parameters
    ----------
    loop : callable
        It returns numbers, or None, and writes all else into arrays that it is given.
    **options
        Options of ``numba.njit``.
    """
    if loop is None:
        return functools.partial(kernel, **options)
    loop.options = options
    return loop


def entry(loop: Loop, arguments: tuple[Any, ...]) -> Kernel:
    """The machine code of a kernel, for `arguments` like these."""
    key = (loop, _shape(arguments))
    found = _entries.get(key)
    if found is None:
        with _finding:
            found = _entries.get(key)
            if found is None:
                found = _entries[key] = _find(loop, arguments)
    return found


def _find(loop: Any, arguments: tuple[Any, ...]) -> Kernel:
    """Machine code that was kept; or else it is made, and kept."""
    if store.is_off():
        return _by_numba(loop, arguments)
    types = describe(arguments)
    name = f"{loop.__module__}.{loop.__qualname__}"
    key = store.key_of(name, types)
    found = store.shipped(key) or store.kept(key, loop)
    if found is None:
        from ..machine import compiling

        notice.compiling(loop)
        try:
            code = compiling.compile_kernel(loop, arguments, symbol_of(key))
        except compiling.CannotKeep:
            return _by_numba(loop, arguments)
        store.keep(key, code, kernel=name, types=types)
        found = store.Kept("", code.object, code.returns)
    (address,) = found.load((symbol_of(key),))
    holds_lock = not loop.options.get("nogil", True)
    return Stored(
        loop.__qualname__,
        address,
        Format(arguments, found.returns),
        _trampolines,
        None if holds_lock else _packer,  # they are bound, and one of them packs
        holds_lock=holds_lock,
    )


def _packer(layout: Format, frame: Any) -> Callable[[Any], int]:
    """What writes a tuple of arguments into a frame (see ``frames``)."""
    from .frames import ARRAY, FLOAT, INTEGER, TYPES, pack_frame

    codes = {"f": FLOAT, "i": INTEGER, "a": ARRAY}
    program: list[int] = []
    for letter, rank, path in layout.leaves:
        program += [codes[letter], rank, len(path), *path]
    kinds = np.array([id(kind) for kind in TYPES], np.int64)
    words = np.frombuffer(frame, np.int64)[layout.first :]
    arguments = (np.array(program, np.int64), kinds, words)
    return entry(pack_frame, (0, *arguments)).bind_rest(*arguments)


def _by_numba(loop: Any, arguments: tuple[Any, ...]) -> Kernel:
    from ..machine import compiling

    notice.compiling(loop)
    return ByNumba(compiling.by_numba(loop, arguments))


def symbol_of(key: str) -> str:
    """The name of the function that is kept under a key."""
    return f"regretless_{key}"


@functools.cache
def _trampolines() -> tuple[int, ...]:
    """What builtin functions call (see ``machine.kernel``)."""
    key = store.key_of("trampolines", TRAMPOLINES)
    found = store.shipped(key) or store.kept(key, None)
    if found is None:
        from ..machine import compiling

        code = compiling.Code(compiling.compile_text(TRAMPOLINES), "", {})
        store.keep(key, code, kernel="trampolines")
        found = store.Kept("", code.object, "")
    return found.load(("regretless_call", "regretless_call_on"))


def _shape(argument: Any) -> Any:
    """What of an argument decides its machine code: the types, nested as they are."""
    if isinstance(argument, np.ndarray):
        array = cast("np.ndarray[Any, Any]", argument)
        return array.dtype.char, array.ndim
    if isinstance(argument, tuple):
        items = cast("tuple[Any, ...]", argument)
        return type(items), tuple(_shape(item) for item in items)
    return cast("Any", type(argument))
