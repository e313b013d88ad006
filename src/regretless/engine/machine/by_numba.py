"""A kernel that numba compiles and calls, in memory alone: the way without a store.

It uses nothing but numba's public interface. It compiles for this very processor, not
for the level of the machine, so that the last bits may differ.
"""

# numba has no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import config, njit, types
from numba.np.numpy_support import from_dtype

from ...parts.generic import KERNEL, expose
from ...parts.state import Array

NUMBERS: dict[type, types.Type] = {
    bool: types.boolean,
    int: types.int64,
    float: types.float64,
}


def compile_and_call(
    loop: Callable[..., object], arguments: tuple[object, ...]
) -> Callable[..., Any]:
    """What calls a kernel on arguments like these."""
    expose()
    signature = types_of(arguments)
    compiled = njit(**(KERNEL | getattr(loop, "options", {})))(loop)
    check_enabled()
    compiled.compile(signature)
    return compiled.get_overload(signature)


def check_enabled() -> None:
    """Raise ``OSError`` where numba was told not to compile anything."""
    if getattr(config, "DISABLE_JIT", 0):
        raise OSError(
            "NUMBA_DISABLE_JIT is set, so this machine code cannot be made; unset it"
        )


def types_of(arguments: tuple[object, ...]) -> tuple[types.Type, ...]:
    """The numba types of some arguments."""
    return tuple(map(_type_of, arguments))


def _type_of(argument: object) -> types.Type:
    """The numba type, the same for read-only and writable arrays."""
    if isinstance(argument, np.ndarray):
        array = cast("Array", argument)
        return types.Array(from_dtype(array.dtype), array.ndim, "C")
    if isinstance(argument, tuple):
        items = cast("tuple[object, ...]", argument)
        members = [_type_of(item) for item in items]
        if not hasattr(items, "_fields"):
            return types.Tuple(members)
        if members and all(member == members[0] for member in members):
            return types.NamedUniTuple(members[0], len(members), type(items))
        return types.NamedTuple(members, type(items))
    return NUMBERS[type(argument)]
