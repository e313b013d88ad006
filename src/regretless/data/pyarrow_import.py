"""pyarrow, which is imported when the first file is opened and has no types."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

__all__ = ["arrow", "first_line", "unreadable"]


@cache
def arrow(part: str = "") -> Any:
    """The module ``pyarrow``, or a part of it: ``arrow("csv")``."""
    return importlib.import_module(f"pyarrow.{part}" if part else "pyarrow")


def unreadable() -> tuple[type[Exception], ...]:
    """What is raised where bytes are not what they should be."""
    builtin = (OSError, MemoryError, RecursionError, AttributeError, LookupError)
    return (*builtin, ValueError, TypeError, arrow().ArrowException)


def first_line(error: Exception) -> str:
    """What it says, without the details."""
    return str(error).partition("\n")[0] or type(error).__name__
