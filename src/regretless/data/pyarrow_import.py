"""pyarrow, which is imported when the first file is opened and has no types."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

from .chunk import Array

__all__ = [
    "ArrowColumn",
    "ArrowSchema",
    "ArrowType",
    "BatchFile",
    "RecordBatch",
    "arrow",
    "first_line",
    "plain_column",
    "unreadable",
]


class ArrowType(Protocol):
    """The type of a column; of lists and dictionaries, that of their values too."""

    value_type: ArrowType
    list_size: int


class ArrowSchema(Protocol):
    """The names of columns, and what a file says about itself."""

    names: list[str]
    metadata: dict[bytes, bytes] | None


class ArrowColumn(Protocol):
    """A column of Arrow; `offsets` and `values` are those of a column of lists."""

    type: ArrowType
    null_count: int
    offset: int
    offsets: ArrowColumn
    values: ArrowColumn

    def __len__(self) -> int: ...

    def __getitem__(self, some: slice) -> ArrowColumn: ...

    def is_null(self) -> ArrowColumn:
        """Which entries are missing."""
        ...

    def fill_null(self, value: object) -> ArrowColumn:
        """The same with `value` where entries are missing."""
        ...

    def take(self, at: ArrowColumn) -> ArrowColumn:
        """The entries at these places."""
        ...

    def filter(self, keep: ArrowColumn) -> ArrowColumn:
        """The entries where `keep` is true."""
        ...

    def flatten(self) -> ArrowColumn:
        """The values of all lists, end to end."""
        ...

    def dictionary_decode(self) -> ArrowColumn:
        """The values that a dictionary stands for."""
        ...

    def buffers(self) -> list[Any]:
        """Where it lies in memory: which are there, offsets, letters."""
        ...

    def to_numpy(self, *, zero_copy_only: bool = ...) -> Array:
        """The same as an array."""
        ...

    def to_pylist(self) -> list[Any]:
        """The entries as Python has them."""
        ...


class RecordBatch(Protocol):
    """Some rows of an Arrow table, as far as they are looked at here."""

    num_rows: int
    schema: ArrowSchema
    columns: list[ArrowColumn]

    def column(self, name: str | int) -> ArrowColumn:
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


class WithMetadata(Protocol):
    """A record batch, and what stands beside it."""

    custom_metadata: dict[bytes, bytes] | None


class BatchFile(Protocol):
    """An Arrow file, open."""

    schema: ArrowSchema
    num_record_batches: int

    def get_batch(self, i: int) -> RecordBatch:
        """Record batch `i`."""
        ...

    def get_batch_with_custom_metadata(self, i: int) -> WithMetadata:
        """The same, with its metadata."""
        ...


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
