"""What a page asks of many runs: what has these can be shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from ..evidence.judged_run import JudgedRun
from ..parts.documents import Document

if TYPE_CHECKING:
    pass


class ChosenBy(Protocol):
    """What the best of many runs is chosen by."""

    @property
    def name(self) -> str:
        """As it is typed."""
        ...

    @property
    def title(self) -> str:
        """As it is shown."""
        ...


class ReportedRuns(Protocol):
    """Many runs over the same rows."""

    @property
    def measure(self) -> ChosenBy:
        """What the best is chosen by."""
        ...

    @property
    def best(self) -> JudgedRun:
        """The best of those that ended."""
        ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[JudgedRun]: ...

    def __getitem__(self, index: int) -> JudgedRun: ...

    def rows(self, delta: float = ...) -> list[Document]:
        """The table as plain data, the best first."""
        ...

    def lines(self, delta: float = ...) -> list[tuple[str, ...]]:
        """The table as text, with its header."""
        ...
