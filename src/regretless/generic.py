"""Generic functions: one name, one implementation per part, in Python and in numba.

A *part* (a loss, a geometry, a step...) is a ``NamedTuple``: its type picks the code,
its fields are numbers. A *generic* is a function that looks at the type of its first
argument. The same call works in plain Python and inside a compiled kernel, where numba
picks the implementation while it compiles, so that dispatch costs nothing at run time.

>>> from typing import NamedTuple
>>> from regretless.generic import generic, implement
>>> @generic
... def area(shape):
...     '''The area of a shape.'''
>>> class Square(NamedTuple):
...     side: float
>>> @implement(area, Square)
... def _(shape):
...     return shape.side * shape.side
>>> area(Square(3.0))
9.0

Numba is imported only when a kernel asks for machine code (:func:`expose`).
"""

from __future__ import annotations

import functools
import hashlib
import sys
import typing
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast, overload

__all__ = [
    "FAST",
    "canonical",
    "compiled",
    "digest",
    "expose",
    "generic",
    "implement",
    "implemented",
    "require",
]

Function = TypeVar("Function", bound=Callable[..., Any])

_generics: list[tuple[Any, dict[str, Any]]] = []
_compiled: list[tuple[Any, dict[str, Any]]] = []
_exposed = [0, 0]
# A call that is not inlined, and counting references to arrays that nobody frees, cost
# 5 ns each, per row and per generic: so parts are inlined and must not allocate arrays.
FAST = {"forceinline": True, "_nrt": False}


@overload
def generic(function: Function) -> Function: ...
@overload
def generic(**options: Any) -> Callable[[Function], Function]: ...
def generic(function: Any = None, **options: Any) -> Any:
    """Make `function` a generic.

    Parameters
    ----------
    function : callable
        Its docstring is the contract every implementation keeps; its body is not used.
    **options
        Options of ``numba.njit`` for every implementation (``fastmath``).
    """
    if function is None:
        return functools.partial(generic, **options)
    template: Any = function

    @functools.wraps(template)
    def unknown(part: Any, *args: Any) -> Any:
        kind = type(part).__name__
        name = template.__name__
        raise TypeError(
            f"{name}() is not implemented for {kind}: "
            f"write one with @implement({name}, {kind})"
        )

    dispatcher: Any = functools.singledispatch(unknown)
    _generics.append((dispatcher, options))
    return dispatcher


def implement(function: Any, part: type) -> Callable[[Function], Function]:
    """Register the decorated function as `function` for parts of type `part`.

    The name of the decorated function does not matter. It is renamed after the generic
    and the part, because numba confuses two cached functions that share a qualified
    name.
    """

    def register(implementation: Function) -> Function:
        name = f"{function.__name__}__{part.__module__}__{part.__qualname__}"
        implementation.__name__ = implementation.__qualname__ = (
            name.replace(".", "_").replace("<", "").replace(">", "")
        )
        function.register(part)(implementation)
        return implementation

    return register


def implemented(function: Any, part: Any) -> bool:
    """Whether `function` knows what to do with a part like this one."""
    found = function.dispatch(part.__class__)
    return found is not function.dispatch(object)


@overload
def compiled(function: Function) -> Function: ...
@overload
def compiled(**options: Any) -> Callable[[Function], Function]: ...
def compiled(function: Any = None, **options: Any) -> Any:
    """Let kernels call this plain Python function too (it does not dispatch)."""
    if function is None:
        return functools.partial(compiled, **options)
    _compiled.append((function, options))
    return function


def expose() -> None:
    """Tell numba about every generic and compiled function known so far."""
    from numba.extending import overload as numba_overload

    while _exposed[0] < len(_generics):
        dispatcher, options = _generics[_exposed[0]]
        _exposed[0] += 1
        jit_options: Any = FAST | options
        numba_overload(dispatcher, strict=False, jit_options=jit_options)(
            _chooser(dispatcher)
        )
    while _exposed[1] < len(_compiled):
        function, options = _compiled[_exposed[1]]
        _exposed[1] += 1
        jit_options: Any = FAST | options
        numba_overload(function, strict=False, jit_options=jit_options)(
            _constant_chooser(function)
        )


def _chooser(dispatcher: Any) -> Callable[..., Any]:
    """Numba's side of a generic: pick the implementation by the part's numba type."""

    def choose(part: Any, *args: Any) -> Any:
        kind = getattr(part, "instance_class", None)
        if kind is None:
            return None
        found = dispatcher.dispatch(kind)
        return None if found is dispatcher.dispatch(object) else found

    return choose


def _constant_chooser(function: Any) -> Callable[..., Any]:
    def choose(*args: Any) -> Any:
        return function

    return choose


def canonical(part: Any) -> Any:
    """The same part with every field coerced to its annotated type, checked.

    ``Constant(1)`` and ``Constant(1.0)`` must be one compiled specialization, not two.
    A part may define ``check()``, which raises ``ValueError`` on a bad parameter.
    """
    kind = cast("Any", type(part))
    hints = typing.get_type_hints(kind)
    fields: list[Any] = []
    for name, given in zip(part._fields, part, strict=True):
        wanted: Any = hints.get(name)
        if wanted in (int, float):
            try:
                if isinstance(given, str | bytes):
                    raise TypeError
                fields.append(wanted(given))
            except (TypeError, ValueError):
                raise ValueError(
                    f"{kind.__name__}({name}={given!r}): {name} must be a number"
                ) from None
        else:
            part_given = isinstance(given, tuple) and hasattr(given, "_fields")  # pyright: ignore[reportUnknownArgumentType]
            fields.append(canonical(given) if part_given else given)
    result = kind(*fields)
    if hasattr(result, "check"):
        result.check()
    return result


def require(good: bool, part: Any, name: str, allowed: str) -> None:
    """Raise ``ValueError`` saying what `name` of `part` must be, unless `good`."""
    if not good:
        raise ValueError(
            f"{type(part).__name__}({name}={getattr(part, name)!r}): "
            f"{name} must be {allowed}"
        )


def digest(kinds: Iterable[type]) -> str:
    """A fingerprint of all sources that machine code for these parts is made from.

    numba's cache looks only at the file a kernel is written in. Kernels carry this text
    in their name, which names their cache, so that an edit to any part's file (ours or
    a third party's) is never answered with stale machine code.
    """
    state = hashlib.sha256(_own_sources().encode())
    for kind in sorted(
        set(kinds), key=lambda kind: (kind.__module__, kind.__qualname__)
    ):
        if kind.__module__.startswith(f"{__package__}."):
            continue
        state.update(f"{kind.__module__}.{kind.__qualname__}".encode())
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        if file is not None and Path(file).exists():
            state.update(Path(file).read_bytes())
        for dispatcher, _ in _generics:
            code = getattr(dispatcher.dispatch(kind), "__code__", None)
            if code is not None:
                state.update(code.co_code + repr(code.co_consts).encode())
    return state.hexdigest()


@functools.cache
def _own_sources() -> str:
    state = hashlib.sha256()
    root = Path(__file__).parent
    for folder in (root / "parts", root / "kernels"):
        for file in sorted(folder.rglob("*.py")):
            state.update(file.read_bytes())
    state.update(Path(__file__).read_bytes())
    return state.hexdigest()
