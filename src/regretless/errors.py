"""The one error that data can cause, and how it says where."""

from __future__ import annotations

from typing import Any

__all__ = ["BadRow"]


class BadRow(ValueError):  # noqa: N818 - it is the row that is named
    """A row (or label) that cannot be learned from; nothing of it was learned.

    Attributes
    ----------
    row : int
        Its number, from 0.
    where : str
        "file:line" where it stands in a file, else "row N".
    run : Run or None
        Where the data were a stream: the run of all the rows before it.
    """

    def __init__(self, row: int, problem: str, where: str = "") -> None:
        self.where = where or f"row {row}"
        super().__init__(f"{self.where}: {problem}")
        self.row = row
        self.problem = problem
        self.run: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.row, self.problem, self.where)
