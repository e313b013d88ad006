"""Names of numba and llvmlite that instructions are written with, imported when used.

Machine code that is kept needs neither of the two (``regretless.engine.machine``), so
that the files of kernels must not import them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["cgutils", "ir", "make_array", "types"]


class Later:
    """Something that is made when one of its attributes, or a call, is asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make(), name)

    def __call__(self, *arguments: Any) -> Any:
        return self._make()(*arguments)


ir: Any = Later(lambda: import_module("llvmlite.ir"))
types: Any = Later(lambda: import_module("numba").types)
cgutils: Any = Later(lambda: import_module("numba.core.cgutils"))
make_array: Any = Later(lambda: import_module("numba.np.arrayobj").make_array)
