"""A kernel and its machine code: compiled once for each combination of types.

``entry`` finds the machine code for some arguments: in memory, in the store that came
with the package, in that of the user, or else by compiling it. In exchange for speed
the caller promises the exact types (float64, int64 and int32 C-contiguous arrays);
``canonical`` and the streams keep that.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from threading import RLock
from typing import Any, overload

import numpy as np

from ...parts.generic import place_of
from ..machine import notice, store
from ..machine.frame import Format, describe
from ..machine.kernel import TRAMPOLINES, ByNumba, FromStore, Kernel

Loop = Callable[..., Any]

_entries: dict[tuple[Any, ...], Kernel] = {}
_finding = RLock()  # files are parsed in threads while the learner starts in its own


TYPED = slice(None)  # no argument of a kernel is of this type


def _renew_lock() -> None:
    """Let a forked process begin with a lock of its own, which is free."""
    global _finding  # noqa: PLW0603
    _finding = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


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


def entry(loop: Loop, arguments: tuple[Any, ...], *, typed_by: object = None) -> Kernel:
    """The machine code of a kernel, for `arguments` like these.

    Many arguments take a while to look at. Where the types of a few decide those of
    all, these may be given as `typed_by`.
    """
    key = (loop, _shape(arguments if typed_by is None else (TYPED, typed_by)))
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
    name = place_of(loop)
    key = store.key_of(name, types)
    symbols = (f"regretless_{key}",)
    for found in (store.shipped(key), store.kept(key, loop)):
        address = None if found is None else found.load(symbols)
        if found is not None and address is not None:
            return _stored(loop, address[0], arguments, found.returns)
    from ..machine import compiling

    notice.compiling(loop)
    try:
        code = compiling.compile_kernel(loop, arguments, symbols[0])
    except compiling.CannotKeep as reason:
        store.say_once(f"the machine code of {name} cannot be kept: {reason}")
        return _by_numba(loop, arguments)
    address = store.StoredCode("", code.object, code.returns).load(symbols)
    if address is None:
        return _by_numba(loop, arguments)
    store.keep(key, code, kernel=name, types=types)
    return _stored(loop, address[0], arguments, code.returns)


def _stored(loop: Any, address: int, arguments: Any, returns: str) -> Kernel:
    holds_lock = not loop.options.get("nogil", True)
    return FromStore(
        loop.__qualname__,
        address,
        Format(arguments, returns),
        _trampolines,
        None if holds_lock else _packer,  # they are bound, and one of them packs
        holds_lock=holds_lock,
    )


def _by_numba(loop: Any, arguments: tuple[Any, ...]) -> Kernel:
    from ..machine.by_numba import compile_and_call

    return ByNumba(compile_and_call(loop, arguments))


def _packer(layout: Format, frame: Any) -> Callable[[Any], int]:
    """What writes a tuple of arguments into a frame (see ``frames``)."""
    from .frames import ARRAY, FLOAT, INTEGER, TYPES, pack_frame

    codes = {"f": FLOAT, "i": INTEGER, "a": ARRAY}
    program: list[int] = []
    for letter, rank, path in layout.leaves:
        program += [codes[letter], rank, len(path)]
        program += [x for kind, n, k in path for x in (id(kind), n, k)]
    kinds = np.array([id(kind) for kind in TYPES], np.int64)
    words = np.frombuffer(frame, np.int64)[layout.first :]
    arguments = (np.array(program, np.int64), kinds, words)
    return entry(pack_frame, (0, *arguments)).bind_rest(*arguments)


def _trampolines() -> tuple[int, ...]:
    """What builtin functions call (see ``machine.kernel``)."""
    with _finding:
        if not _found_trampolines:
            _found_trampolines.extend(_find_trampolines())
    return tuple(_found_trampolines)


_found_trampolines: list[int] = []


def _find_trampolines() -> tuple[int, ...]:
    key = store.key_of("trampolines", TRAMPOLINES)
    names = ("regretless_call", "regretless_call_on", "regretless_call_chain")
    for found in (store.shipped(key), store.kept(key, None)):
        addresses = None if found is None else found.load(names)
        if addresses is not None:
            return addresses
    from ..machine import compiling

    code = compiling.CompiledKernel(compiling.compile_text(TRAMPOLINES), "", {})
    addresses = store.StoredCode("", code.object, "").load(names)
    if addresses is None:
        raise OSError("machine code that was made here cannot be loaded")
    store.keep(key, code, kernel="trampolines")
    return addresses


def _shape(argument: Any) -> Any:
    """What of an argument decides its machine code: the types, nested as they are.

    It is asked for at every call, so of every event: some fifty times of a panel.
    """
    kind = argument.__class__
    if kind is np.ndarray:
        return argument.dtype.char, argument.ndim
    if issubclass(kind, tuple):
        return kind, *map(_shape, argument)
    if issubclass(kind, np.ndarray):
        return argument.dtype.char, argument.ndim
    return kind
