"""numba's side: compile a kernel for some types, and make object code that can be kept.

numba compiles a kernel as ever, but for the level of this machine (``level``), and it
emits nothing: its optimized module is joined with a small function that takes the
arguments out of a frame (``frame``) and calls the kernel. That becomes an object file.
What was really compiled into it is read off numba's own list of linked libraries.

This relies on a few internals of numba and llvmlite. Where they have changed, or code
refers to something that cannot be kept, :func:`compile_kernel` raises ``CannotKeep``,
and the kernel is compiled and called by numba alone (``by_numba``).
"""

# numba and llvmlite have no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false, reportUntypedBaseClass=false
# pyright: reportPrivateUsage=false, reportGeneralTypeIssues=false
# pyright: reportArgumentType=false

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from llvmlite import binding, ir
from numba import njit, types
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.np.arrayobj import make_array, populate_array

from ...parts.documents import Document
from ...parts.generic import (
    KERNEL,
    expose,
    function_named,
    is_ambiguous,
    is_ours,
    overridden,
    registered_elsewhere,
)
from .by_numba import check_enabled, types_of
from .contents import Unknown, contents
from .frame import HEAD, kinds
from .level import level

KNOWN = {
    *("memset", "memcpy", "memmove", "exp", "exp2", "expm1", "log", "log1p", "log2"),
    *("log10", "pow", "sqrt", "sin", "cos", "tan", "tanh", "sinh", "cosh", "fmod"),
    *("asin", "acos", "atan", "atan2", "cbrt", "erf", "erfc", "lgamma", "tgamma"),
    *("floor", "ceil", "trunc", "rint", "round", "copysign", "ldexp", "frexp"),
    *("hypot", "fma", "nextafter", "lround", "nearbyint", "asinh", "acosh", "atanh"),
}
"""What code that is kept may ask of the C library. Of Python it may ask anything that
its stable interface has."""


class CannotKeep(Exception):  # noqa: N818 - not an error: there is another way
    """Machine code cannot be kept; numba can still compile and call it."""


class CompiledKernel(NamedTuple):
    """Machine code and what it was made from."""

    object: bytes
    returns: str
    functions: dict[str, str]


def compile_kernel(
    loop: Callable[..., object], arguments: tuple[object, ...], name: str
) -> CompiledKernel:
    """Object code of ``int64 name(int64 *frame)`` for arguments like these.

    Raises
    ------
    CannotKeep
        Where it has no contents to be known by, or numba is not as it is known here.
    """
    expose()
    _refuse_unknown(loop, arguments)
    signature = types_of(arguments)
    try:
        codegen = _kept_at_level(level())
        with _generating(codegen):
            result = _compiled(loop, signature)
            library = result.library
            wrapper, returns = _wrapper(result, name)
            library.add_ir_module(wrapper)
            library.finalize()
            made_from = {"": contents(loop), **_contents_of(library)}
            return CompiledKernel(_emit(codegen, library, name), returns, made_from)
    except (CannotKeep, NumbaError):
        raise
    except Exception as error:  # numba's internals have changed
        raise CannotKeep(f"{type(error).__name__}: {error}") from error


def _refuse_unknown(loop: Callable[..., object], arguments: tuple[object, ...]) -> None:
    """Refuse before anything is compiled: numba would keep what it has compiled here.

    A foreign function that numba compiles by itself could not be called from
    Python any more.
    """
    try:
        contents(loop)
        if overridden() or not all(map(is_ours, kinds(arguments))):
            for function in registered_elsewhere():
                contents(function)
    except Unknown as found:
        raise CannotKeep(f"it refers to {found}") from None


def _compiled(
    loop: Callable[..., object], signature: tuple[types.Type, ...]
) -> CompileResult:
    options = KERNEL | getattr(loop, "options", {})
    wrappers: Document = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher = njit(**(options | wrappers))(loop)
    check_enabled()
    dispatcher.compile(signature)
    return dispatcher.overloads[signature]


def compile_text(text: str) -> bytes:
    """Object code of a module that is written in LLVM's own language."""
    codegen = _kept_at_level(level())
    return codegen.emitter.emit_object(binding.parse_assembly(text))


class _Library(JITCodeLibrary):
    """A library that is linked into others, and never run where it was compiled."""

    def _finalize_specific(self) -> None:
        """Emit nothing."""

    def get_pointer_to_function(self, name: str) -> int:
        """An address for numba's dispatcher, which is never called."""
        return 1


class _KeptAtLevel(JITCPUCodegen):
    """Code for a level of processors, which is emitted once, as an object to keep."""

    _library_class = _Library

    def __init__(self, cpu: str) -> None:
        self._cpu = cpu
        super().__init__("regretless")
        target = binding.Target.from_triple(binding.get_process_triple())
        self.emitter = target.create_target_machine(
            cpu=cpu, features="", opt=3, reloc="pic", codemodel="default"
        )

    def _customize_tm_options(self, options: Document) -> None:
        super()._customize_tm_options(options)
        options["cpu"] = self._cpu

    def _customize_tm_features(self) -> str:
        return ""

    def _add_module(self, module: object) -> None:
        """Leave it out of the engine."""

    def set_env(self, env_name: str, env: object) -> None:
        """Leave it: kernels do not look at their Python environment."""


_kept_at_level = functools.cache(_KeptAtLevel)


@contextmanager
def _generating(codegen: _KeptAtLevel) -> Generator[None]:
    """Let numba generate code by `codegen`, while no other thread compiles.

    Compiling makes no garbage worth a fifth of its time in looking for it.
    """
    context = cpu_target.target_context
    collects = gc.isenabled()
    with global_compiler_lock:
        theirs = context._internal_codegen
        context._internal_codegen = codegen
        gc.disable()
        try:
            yield
        finally:
            context._internal_codegen = theirs
            if collects:
                gc.enable()


def _contents_of(library: CPUCodeLibrary) -> dict[str, str]:
    """The functions that a library was made from, and their contents."""
    found: dict[str, str] = {}
    for other in (library, *library._linking_libraries):
        if other.has_dynamic_globals:
            raise CannotKeep("it holds an address of this process")
    for other in library._linking_libraries:
        function = function_named(other.name)
        if function is not None:
            found[other.name] = contents(function)
        elif is_ambiguous(other.name):
            raise CannotKeep(f"there are several functions named {other.name}")
        found |= _contents_of(other)
    return found


def _wrapper(result: CompileResult, name: str) -> tuple[ir.Module, str]:
    """A module with ``int64 name(int64 *frame)``, and what that returns."""
    context, described = result.target_context, result.fndesc
    word = ir.IntType(64)
    module = result.library.create_ir_module(name)
    function = ir.Function(module, ir.FunctionType(word, [word.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    returns = _letters(described.restype)
    places = _Places(builder, function.args[0], HEAD + max(1, len(returns.strip("()"))))
    given = [_take(context, builder, places, kind) for kind in described.argtypes]
    callee = context.declare_function(module, described)
    status, value = context.call_conv.call_function(
        builder, callee, described.restype, described.argtypes, given
    )
    places.at = HEAD
    _give(builder, places, described.restype, value)
    builder.ret(builder.sext(status.code, word))
    return module, returns


class _Places:
    """The words of a frame, one after the other."""

    def __init__(self, builder: ir.IRBuilder, frame: ir.Value, at: int) -> None:
        self.builder, self.frame, self.at = builder, frame, at

    def next(self) -> ir.Value:
        self.at += 1
        return self.builder.gep(self.frame, [ir.IntType(64)(self.at - 1)])


def _take(
    context: BaseContext, builder: ir.IRBuilder, places: _Places, kind: types.Type
) -> Any:
    """An argument from the frame."""
    if isinstance(kind, types.BaseTuple):
        items = [_take(context, builder, places, member) for member in kind]
        return context.make_tuple(builder, kind, items)
    if isinstance(kind, types.Array):
        return _take_array(context, builder, places, kind)
    found = builder.load(places.next())
    if kind == types.boolean:
        return builder.trunc(found, ir.IntType(1))
    return builder.bitcast(found, ir.DoubleType()) if kind == types.float64 else found


def _take_array(
    context: BaseContext, builder: ir.IRBuilder, places: _Places, kind: types.Array
) -> ir.Value:
    word = ir.IntType(64)
    array = make_array(kind)(context, builder)
    data = builder.inttoptr(builder.load(places.next()), array.data.type)
    shape = [builder.load(places.next()) for _ in range(kind.ndim)]
    size = word(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for n in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], n))
    populate_array(
        array,
        data=data,
        shape=cgutils.pack_array(builder, shape, word),
        strides=cgutils.pack_array(builder, strides, word),
        itemsize=size,
        meminfo=None,
    )
    return array._getvalue()


def _give(builder: ir.IRBuilder, places: _Places, kind: types.Type, value: Any) -> None:
    """Put a returned value into the frame."""
    if isinstance(kind, types.BaseTuple):
        for k, member in enumerate(kind):
            _give(builder, places, member, builder.extract_value(value, k))
    elif kind == types.float64:
        builder.store(builder.bitcast(value, ir.IntType(64)), places.next())
    elif kind != types.none:
        signed = isinstance(kind, types.Integer) and kind.signed
        if value.type.width < 64:
            extend = builder.sext if signed else builder.zext
            value = extend(value, ir.IntType(64))
        builder.store(value, places.next())


def _letters(kind: types.Type) -> str:
    """The letters of a type that is returned (see ``frame.Format``)."""
    if isinstance(kind, types.BaseTuple):
        inner = [_letters(member) for member in kind]
        if any(len(letter) != 1 for letter in inner):
            raise CannotKeep(f"a kernel returns {kind}")
        return f"({''.join(inner)})"
    if kind == types.none:
        return ""
    if isinstance(kind, types.Boolean):
        return "b"
    if isinstance(kind, types.Integer):
        return "i" if kind.signed else "u"
    if kind == types.float64:
        return "f"
    raise CannotKeep(f"a kernel returns {kind}")


def _emit(codegen: _KeptAtLevel, library: CPUCodeLibrary, name: str) -> bytes:
    """Object code with one name that others can see."""
    module = library._final_module
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.name != name:
            one.linkage = "internal"
    manager = binding.create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_strip_dead_prototype_pass()
    manager.run(module, codegen._pass_builder())
    for one in module.functions:
        outside = one.is_declaration and not one.name.startswith("llvm.")
        known = {one.name, one.name.removesuffix("f")} & KNOWN
        if outside and not known and not one.name.startswith("Py"):
            raise CannotKeep(f"machine code refers to {one.name}")
    return codegen.emitter.emit_object(module)
