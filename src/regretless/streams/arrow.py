"""pyarrow, which is imported when the first file is opened and has no types."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

__all__ = ["arrow"]


@cache
def arrow(part: str = "") -> Any:
    """The module ``pyarrow``, or a part of it: ``arrow("csv")``."""
    return importlib.import_module(f"pyarrow.{part}" if part else "pyarrow")
