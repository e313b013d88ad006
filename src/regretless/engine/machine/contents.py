"""Whether machine code is still that of the functions it was made from.

Each function is known by its contents: what it does and the constants it refers to, not
where it stands or what is written about it. An edit to one loss concerns the machine
code that uses this loss; an edit to a comment or a docstring concerns none.

What is not understood here (a function that numba compiles by itself, an object of a
class of one's own) makes a function `Unknown`: its machine code is never kept.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import cast

import numpy as np

from ...parts.documents import Document
from ...parts.generic import is_ours, place_of
from ...parts.state import Array

NAMED = (math, np)
"""Modules of which only the names of functions count."""

HAS_DOCSTRING = 0x4000000  # a flag of code since Python 3.13

_own: dict[FunctionType, str] = {}  # the constants of this package do not change


class Unknown(Exception):  # noqa: N818 - it is what the value is
    """A function refers to something whose contents cannot be told."""


def contents(function: FunctionType) -> str:
    """A fingerprint: the code, what it is compiled with, the constants it refers to."""
    found = _own.get(function)
    if found is None:
        state = hashlib.sha256()
        for text in _function(function, set()):
            state.update(text.encode())
        found = state.hexdigest()[:32]
        if is_ours(function):
            _own[function] = found
    return found


def _function(function: FunctionType, seen: set[object]) -> Iterator[str]:
    seen.add(function)
    names: set[str] = set()
    yield from _code(function.__code__, names)
    for option, given in sorted(vars(function).get("options", {}).items()):
        yield f"{option}={_ordered(given)},"
    for value in (function.__defaults__, function.__kwdefaults__):
        yield from _value(value, names, seen)
    for name in sorted(names & function.__globals__.keys()):
        yield f"{name}="
        yield from _value(function.__globals__[name], names, seen)
    for cell in function.__closure__ or ():
        yield from _value(cell.cell_contents, names, seen)


def _code(code: CodeType, names: set[str]) -> Iterator[str]:
    """What the interpreter would do, without the docstring and the line numbers."""
    names.update(code.co_names)
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_argcount, code.co_flags & ~HAS_DOCSTRING))
    for k, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from _code(constant, names)
        elif k > 0 or not isinstance(constant, str | None):
            yield f"{_ordered(constant)},"


def _ordered(value: object) -> str:
    """A constant as text; the order of a set is another one in every process."""
    if isinstance(value, set | frozenset):
        return str(sorted(map(repr, cast("set[object]", value))))
    return repr(value)


def _value(value: object, names: set[str], seen: set[object]) -> Iterator[str]:
    """What a global or a closed-over value is, as far as machine code depends on it."""
    if isinstance(value, np.ndarray):
        array = cast("Array", value)
        yield f"{array.dtype}{array.shape}{array.tobytes().hex()}"
    elif isinstance(value, tuple):
        yield from _several(cast("tuple[object, ...]", value), names, seen)
    elif isinstance(value, dict):
        yield from _several(cast("Document", value).values(), names, seen)
    elif isinstance(value, bool | int | float | complex | str | bytes | np.generic):
        yield repr(cast("object", value))
    elif isinstance(value, ModuleType):
        yield from _module(value, names, seen)
    elif isinstance(value, FunctionType):
        yield from _called(value, seen)
    elif isinstance(value, Enum):
        yield repr(value.value)
    elif isinstance(value, type):
        yield place_of(value)
        yield repr(getattr(value, "_fields", ""))
        if issubclass(value, Enum):
            yield repr([member.value for member in value])
    elif isinstance(value, BuiltinFunctionType | np.ufunc):
        yield value.__name__
    elif value is None or "instruction" in seen:
        yield type(value).__qualname__  # numba's and LLVM's own, while they compile
    else:
        raise Unknown(f"{value!r:.60}")


def _several(
    values: Iterable[object], names: set[str], seen: set[object]
) -> Iterator[str]:
    for value in values:
        yield from _value(value, names, seen)
        yield ","


def _module(module: ModuleType, names: set[str], seen: set[object]) -> Iterator[str]:
    yield module.__name__.rpartition(".")[2]
    if module not in NAMED and module not in seen:
        seen.add(module)
        for name in sorted(names & vars(module).keys()):
            yield f"{name}="
            yield from _value(vars(module)[name], names, seen)
        seen.discard(module)


def _called(function: FunctionType, seen: set[object]) -> Iterator[str]:
    """A function that is called.

    One that is registered (``generic``) is known by its name alone, because what a
    kernel really links is looked at by itself. What defines an instruction runs while
    numba compiles, so all of its code counts, and that of the functions it calls.
    """
    define = vars(function).get("define")
    if isinstance(define, FunctionType):
        yield from _function(define, seen | {"instruction"})
    elif "instruction" in seen:
        if function not in seen:
            yield from _function(function, seen)
    elif "options" in vars(function):
        yield place_of(function)
    else:
        raise Unknown(place_of(function))
