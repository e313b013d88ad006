"""pyarrow, which is imported when the first file is opened and has no types."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any, Protocol

__all__ = ["RecordBatch", "arrow", "first_line", "unreadable"]


class RecordBatch(Protocol):
    """Some rows of an Arrow table, as far as they are looked at here."""

    num_rows: int
    schema: Any
    columns: list[Any]

    def column(self, name: str | int) -> Any:
        """A column, by its name or its number."""
        ...

    def slice(self, begin: int, n: int = ...) -> RecordBatch:
        """Some consecutive rows."""
        ...

    def select(self, columns: list[str]) -> RecordBatch:
        """Some columns."""
        ...

    def validate(self, *, full: bool) -> None:
        """Raise an error if it is not what it says."""
        ...


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
