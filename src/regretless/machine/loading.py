"""Machine code into memory: a shared library by ctypes, object files by LLVM's linker.

A shared library is there in 0.2 ms. Object files need ``llvmlite.binding`` (40 ms), but
neither numba nor a compiler.
"""

# llvmlite has no types.
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import ctypes
import functools
from typing import Any

__all__ = ["from_library", "from_object"]


def from_library(path: str, names: tuple[str, ...]) -> tuple[int, ...]:
    """The addresses of functions in a shared library."""
    found = [getattr(_library(path), name) for name in names]
    return tuple(ctypes.cast(each, ctypes.c_void_p).value or 0 for each in found)


def from_object(code: bytes, names: tuple[str, ...]) -> tuple[int, ...]:
    """The addresses of functions in an object file."""
    from llvmlite import binding

    linker = _linker()
    linker.add_object_file(binding.ObjectFileRef.from_data(code))
    linker.finalize_object()
    return tuple(map(linker.get_function_address, names))


@functools.cache
def _library(path: str) -> ctypes.CDLL:
    return ctypes.CDLL(path)


@functools.cache
def _linker() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    machine = target.create_target_machine(jit=True)
    return binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
