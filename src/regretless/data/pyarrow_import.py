"""pyarrow, which is imported when the first file is opened and has no types."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

Arrow: TypeAlias = Any
"""An object of pyarrow, or a part of it: a type checker knows nothing of them."""
ArrowType: TypeAlias = Arrow
ArrowSchema: TypeAlias = Arrow
ArrowColumn: TypeAlias = Arrow
ArrowTable: TypeAlias = Arrow
RecordBatch: TypeAlias = Arrow
BatchFile: TypeAlias = Arrow
BatchStream: TypeAlias = Arrow
ArrowSource: TypeAlias = Arrow


READING = (OSError, MemoryError, ArithmeticError, LookupError, ValueError, TypeError)
"""What reading a damaged file may raise."""


@cache
def arrow(part: str = "") -> Arrow:
    """The module ``pyarrow``, or a part of it: ``arrow("csv")``."""
    return importlib.import_module(f"pyarrow.{part}" if part else "pyarrow")


def plain_column(values: Sequence[object]) -> ArrowColumn:
    """Values as a column; where they are of several kinds they are words."""
    try:
        return arrow().array(values, from_pandas=True)
    except arrow().ArrowException:
        words = [None if value is None else str(value) for value in values]
        return arrow().array(words, arrow().string())


def unreadable() -> tuple[type[Exception], ...]:
    """What is raised where bytes are not what they should be."""
    return (*READING, RecursionError, AttributeError, arrow().ArrowException)


def first_line(error: Exception) -> str:
    """What it says, without the details."""
    return str(error).partition("\n")[0] or type(error).__name__
