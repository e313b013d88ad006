"""Whether machine code is still that of the functions it was made from.

Each function is known by its contents: what it does and the constants it refers to, not
where it stands or what is written about it. An edit to one loss concerns the machine
code that uses this loss; an edit to a comment or a docstring concerns none.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

__all__ = ["contents"]


@functools.cache
def contents(function: Any) -> str:
    """A fingerprint: the code, what it is compiled with, the constants it refers to."""
    state = hashlib.sha256()
    for text in _function(function, set()):
        state.update(text.encode())
    return state.hexdigest()[:32]


def _function(function: FunctionType, seen: set[Any]) -> Iterator[str]:
    seen.add(function)
    names: set[str] = set()
    yield from _code(function.__code__, names)
    yield repr((function.__defaults__, vars(function).get("options")))
    for name in sorted(names & function.__globals__.keys()):
        yield f"{name}="
        yield from _value(function.__globals__[name], names, seen)
    for cell in function.__closure__ or ():
        yield from _value(cell.cell_contents, names, seen)


def _code(code: CodeType, names: set[str]) -> Iterator[str]:
    """What the interpreter would do, without the docstring and the line numbers."""
    names.update(code.co_names)
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_argcount, code.co_flags))
    for k, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from _code(constant, names)
        elif k > 0 or not isinstance(constant, str | None):
            yield f"{constant!r},"


def _value(value: Any, names: set[str], seen: set[Any]) -> Iterator[str]:
    """What a global or a closed-over value is, as far as machine code depends on it.

    A function is known by its name alone, because what a kernel really calls is looked
    at by itself. But what defines an instruction runs while numba compiles, so all of
    its code counts, and that of the functions it calls.
    """
    define = vars(value).get("define") if isinstance(value, FunctionType) else None
    if isinstance(value, ModuleType):
        yield value.__name__
        for name in sorted(names & vars(value).keys()):
            if _is_constant(vars(value)[name]):
                yield f"{name}={vars(value)[name]!r},"
    elif isinstance(define, FunctionType):
        yield from _function(define, seen | {"instruction"})
    elif isinstance(value, FunctionType) and "instruction" in seen:
        if value not in seen:
            yield from _function(value, seen)
    elif isinstance(value, FunctionType | type):
        yield f"{value.__module__}.{value.__qualname__}"
        yield repr(getattr(value, "_fields", ""))
    elif isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        yield f"{array.dtype}{array.shape}{array.tobytes().hex()}"
    else:
        yield repr(value) if _is_constant(value) else type(value).__qualname__


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_constant, cast("tuple[Any, ...]", value)))
    return value is None or isinstance(
        value, bool | int | float | complex | str | bytes | np.generic
    )
