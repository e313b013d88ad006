"""Machine code kept on disk between processes; in memory alone where that cannot be.

numba keeps compiled functions beside their source, or in the user's cache folder, or
where ``NUMBA_CACHE_DIR`` says. It fails where none of these can be written: a system
user without a home, a container with read-only packages, a full disk. Here that costs
time, and nothing else. What lies beside the source is used even where it cannot be
written, so that an image may be built with its machine code.
"""

# numba has no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import os
import warnings
from contextlib import suppress
from typing import Any

from numba.core import caching

__all__ = ["keep"]

_told = [False]


class _BesideTheSource(caching.InTreeCacheLocator):
    """The folder that numba prefers, for reading."""

    def ensure_cache_path(self) -> None:
        if not os.path.isdir(self.get_cache_path()):  # noqa: PTH112
            raise OSError


class _AnyPlace(caching.CompileResultCacheImpl):
    """numba's places, then the read-only one."""

    _locator_classes = (
        *caching.CompileResultCacheImpl._locator_classes,
        _BesideTheSource,
    )


class _Kept(caching.FunctionCache):
    """numba's cache, which gives up in peace."""

    _impl_class = _AnyPlace

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep it, if that is possible."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.disable()
            _tell(error.strerror or str(error))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was kept; None if it cannot be read, and then it is forgotten."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            # Whatever half a file says, the sources say it better.
            with suppress(OSError):
                self.flush()
            return None


def keep(dispatcher: Any) -> Any:
    """Let a compiled function be kept on disk; return it."""
    try:
        dispatcher._cache = _Kept(dispatcher.py_func)
    except (RuntimeError, OSError):
        _tell("there is no folder that can be written")
    return dispatcher


def _tell(why: str) -> None:
    if not _told[0]:
        _told[0] = True
        warnings.warn(
            f"machine code cannot be kept on disk: {why.lower()}. It is compiled in "
            "memory, which takes some seconds at every start; set NUMBA_CACHE_DIR to a "
            "folder that can be written",
            RuntimeWarning,
            stacklevel=2,
        )
