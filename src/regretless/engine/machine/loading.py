"""Machine code into memory: a shared library by ctypes, object files by LLVM's linker.

A shared library is there in 0.2 ms. Object files need ``llvmlite.binding`` (40 ms), but
neither numba nor a compiler.
"""

# llvmlite has no types.
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import ctypes
import functools
import itertools
from typing import Any


def from_library(path: str, names: tuple[str, ...]) -> tuple[int, ...]:
    """The addresses of functions in a shared library."""
    found = [getattr(_library(path), name) for name in names]
    return tuple(ctypes.cast(each, ctypes.c_void_p).value or 0 for each in found)


def from_object(code: bytes, names: tuple[str, ...]) -> tuple[int, ...]:
    """The addresses of functions in an object file."""
    from llvmlite import binding

    library = binding.JITLibraryBuilder().add_object_img(code).add_current_process()
    for name in names:
        library.export_symbol(name)
    linked = library.link(_linker(), f"{names[0]}.{next(_numbers)}")
    _linked.append(linked)
    return tuple(linked[name] for name in names)


_linked: list[object] = []  # what is dropped is unloaded
_numbers = itertools.count()


@functools.cache
def _library(path: str) -> ctypes.CDLL:
    return ctypes.CDLL(path)


@functools.cache
def _linker() -> Any:
    """LLVM's linker that puts the sections of an object side by side.

    Its older one (MCJIT) may put them further apart than an instruction can reach, and
    aborts then: in a large process it did.
    """
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    machine = target.create_target_machine(reloc="pic", codemodel="small", jit=True)
    return binding.create_lljit_compiler(machine, use_jit_link=True)
