"""pyarrow, which is imported when the first file is opened and has no types."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

ArrowType: TypeAlias = Any
ArrowSchema: TypeAlias = Any
ArrowColumn: TypeAlias = Any
RecordBatch: TypeAlias = Any
BatchFile: TypeAlias = Any
"""What pyarrow calls DataType, Schema, Array, RecordBatch and RecordBatchFileReader."""


@cache
def arrow(part: str = "") -> Any:
    """The module ``pyarrow``, or a part of it: ``arrow("csv")``."""
    return importlib.import_module(f"pyarrow.{part}" if part else "pyarrow")


def plain_column(values: Sequence[Any]) -> ArrowColumn:
    """Values as a column; where they are of several kinds they are words."""
    try:
        return arrow().array(values, from_pandas=True)
    except arrow().ArrowException:
        words = [None if value is None else str(value) for value in values]
        return arrow().array(words, arrow().string())


def unreadable() -> tuple[type[Exception], ...]:
    """What is raised where bytes are not what they should be."""
    builtin = (OSError, MemoryError, RecursionError, AttributeError, LookupError)
    return (*builtin, ValueError, TypeError, arrow().ArrowException)


def first_line(error: Exception) -> str:
    """What it says, without the details."""
    return str(error).partition("\n")[0] or type(error).__name__
