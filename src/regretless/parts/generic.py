"""Generic functions: one name, one implementation per part, in Python and in numba.

A *part* (a loss, a geometry, a step...) is a ``NamedTuple``: its type picks the code,
its fields are numbers. A *generic* is a function that looks at the type of its first
argument. The same call works in plain Python and inside a compiled kernel, where numba
picks the implementation while it compiles, so that dispatch costs nothing at run time.

>>> from typing import NamedTuple
>>> from regretless.parts.generic import generic, implement
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

Numba is imported only when machine code has to be made (:func:`expose`).
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast, overload

from .documents import Document

Function = TypeVar("Function", bound=Callable[..., Any])
APart = TypeVar("APart")

_named: dict[str, FunctionType] = {}
_ambiguous: set[str] = set()
_overridden: set[str] = set()
_of_part: dict[type, list[str]] = {}
_unexposed: list[Callable[[], None]] = []
# 1/0 is inf in kernels, and no branch guards against it; kernels allocate nothing, so
# they count no references.
KERNEL: Document = {"nogil": True, "error_model": "numpy", "_nrt": False}
# A call that is not inlined, and counting references to arrays that are not freed, cost
# 5 ns each, per row and per generic: so parts are inlined and must not allocate arrays.
FAST = {"forceinline": True, "_nrt": False, "no_cfunc_wrapper": True}


@overload
def generic(function: Function) -> Function: ...
@overload
def generic(**options: Any) -> Callable[[Function], Function]: ...
def generic(function: FunctionType | None = None, **options: object) -> Any:
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
    name = function.__name__

    @functools.wraps(function)
    def unknown(part: object, *args: object) -> object:
        kind = type(part).__name__
        raise TypeError(
            f"{name}() is not implemented for {kind}: "
            f"write one with @implement({name}, {kind})"
        )

    dispatcher: Any = functools.singledispatch(unknown)
    dispatcher.options = options
    _unexposed.append(lambda: _expose(dispatcher, _chooser(dispatcher), options))
    return dispatcher


def implement(function: Any, part: type) -> Callable[[Function], Function]:
    """Register the decorated function as `function` for parts of type `part`.

    The name of the decorated function does not matter. It is renamed after the generic
    and the part: machine code lists the functions that it was made from by name.
    """

    def register(implementation: Function) -> Function:
        name = _plain(f"{place_of(function)}__{place_of(part)}")
        known = "options" in vars(implementation)  # it implements another one, too
        own: Any = _copy(implementation) if known else implementation
        own.__name__ = own.__qualname__ = name
        own.options = function.options
        function.register(part)(own)
        _register(name, own)
        _of_part.setdefault(part, []).append(name)
        if is_ours(part) and not is_ours(own):
            _overridden.add(name)
        return implementation

    return register


def implemented(function: Callable[..., object], part: object) -> bool:
    """Whether `function` knows what to do with a part like this one."""
    return _written(function, part.__class__) is not None


def _written(function: Any, kind: type) -> FunctionType | None:
    """What a generic does with parts of this kind; None where nothing is written."""
    found = function.dispatch(kind)
    return None if found is function.dispatch(object) else found


@overload
def compiled(function: Function) -> Function: ...
@overload
def compiled(**options: Any) -> Callable[[Function], Function]: ...
def compiled(function: FunctionType | None = None, **options: object) -> Any:
    """Let kernels call this plain Python function too (it does not dispatch)."""
    if function is None:
        return functools.partial(compiled, **options)
    name = _plain(place_of(function))
    alike = _copy(function)
    alike.__name__ = alike.__qualname__ = name
    vars(alike)["options"] = vars(function)["options"] = options
    _register(name, alike)
    _unexposed.append(lambda: _expose(function, lambda *args: alike, options))
    return function


def instruction(define: FunctionType) -> Any:
    """Make an instruction for kernels, spelled out for LLVM as a numba intrinsic is."""

    def instruction(*args: object) -> object:
        raise TypeError(f"{define.__name__}() works in kernels only")

    functools.update_wrapper(instruction, define)
    instruction.define = define  # pyright: ignore[reportFunctionMemberAccess]
    _unexposed.append(lambda: _expose_instruction(instruction, define))
    return instruction


def function_named(name: str) -> FunctionType | None:
    """What :func:`implement` or :func:`compiled` registered by this name.

    None if there is none, or several: names of machine code must be clear.
    """
    return None if name in _ambiguous else _named.get(name)


def is_ambiguous(name: str) -> bool:
    """Whether several functions were registered by this name."""
    return name in _ambiguous


def overridden() -> bool:
    """Whether other code has implemented a part of this package."""
    return bool(_overridden)


def registered_elsewhere() -> list[FunctionType]:
    """What has been registered by modules that are not of this package."""
    return [function for function in _named.values() if not is_ours(function)]


def implementations(part: type) -> list[str]:
    """The names of the functions that are written for parts of this very type."""
    return sorted(set(_of_part.get(part, [])))


def expose() -> None:
    """Tell numba about everything that kernels may call, as far as it is known."""
    while _unexposed:
        _unexposed.pop()()


def _expose(
    function: Callable[..., object], choose: Callable[..., object], options: Document
) -> None:
    from numba.extending import overload as numba_overload

    jit_options: Any = FAST | options
    numba_overload(function, strict=False, jit_options=jit_options)(choose)


def _expose_instruction(instruction: object, define: FunctionType) -> None:
    from numba.core import types
    from numba.core.typing import templates as their_templates

    templates: Any = their_templates
    template = templates.make_intrinsic_template(instruction, define, define.__name__)
    templates.infer(template)
    templates.infer_global(instruction, types.Function(template))


def _chooser(dispatcher: object) -> Callable[..., FunctionType | None]:
    """Numba's side of a generic: pick the implementation by the part's numba type."""

    def choose(part: object, *args: object) -> FunctionType | None:
        kind = getattr(part, "instance_class", None)
        return None if kind is None else _written(dispatcher, kind)

    return choose


def _register(name: str, function: FunctionType) -> None:
    if _named.get(name, function) is not function:
        _ambiguous.add(name)
    _named[name] = function


def is_ours(thing: object) -> bool:
    """Whether a class or a function is of this package."""
    return str(thing.__module__).startswith("regretless.")


def place_of(thing: FunctionType | type) -> str:
    """The name of a class or a function in the keys of machine code.

    Of this package only the file counts, not its folder: a file that is moved compiles
    nothing. That no two have one name is tested.
    """
    module = str(thing.__module__)
    if is_ours(thing):
        module = f"regretless.{module.rpartition('.')[2]}"
    return f"{module}.{thing.__qualname__}"


def _copy(function: FunctionType) -> FunctionType:
    """Another function that does the same."""
    alike = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    alike.__kwdefaults__ = function.__kwdefaults__
    alike.__module__ = function.__module__
    return alike


def _plain(name: str) -> str:
    """A name that LLVM takes as it is, and that no other name becomes."""
    return "".join(c if c.isalnum() else f"_{ord(c):x}_" for c in name)


def canonical(part: APart) -> APart:
    """The same part with every field coerced to its annotated type, checked.

    ``Constant(1)`` and ``Constant(1.0)`` must be one compiled specialization, not two.
    A part may define ``check()``, which raises ``ValueError`` on a bad parameter.
    """
    kind = cast("Any", type(part))
    hints = _hints(kind)
    fields: list[object] = []
    for name, given in zip(kind._fields, cast("Any", part), strict=True):
        wanted = hints.get(name)
        if wanted in (int, float):
            try:
                if isinstance(given, str | bytes):
                    raise TypeError
                fields.append(wanted(given))
            except (TypeError, ValueError, OverflowError):
                raise ValueError(
                    f"{kind.__name__}({name}={given!r}): {name} must be a number"
                ) from None
        else:
            is_part = hasattr(given, "_fields") and not isinstance(given, type)
            fields.append(canonical(given) if is_part else given)
    result = kind(*fields)
    if hasattr(result, "check"):
        result.check()
    return result


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    """The annotated types of a part's fields."""
    return typing.get_type_hints(kind)


def require(good: bool, part: object, name: str, allowed: str) -> None:
    """Raise ``ValueError`` saying what `name` of `part` must be, unless `good`."""
    if not good:
        raise ValueError(
            f"{type(part).__name__}({name}={getattr(part, name)!r}): "
            f"{name} must be {allowed}"
        )
