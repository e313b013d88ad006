"""What a page asks of a run, and of many: what has these can be shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from ..evidence.played_run import PlayedRun
from ..parts.documents import Document

if TYPE_CHECKING:
    from ..evidence.certify import Certificate
    from ..evidence.claims.doubts import Doubts
    from ..evidence.theorems import Theorems
    from ..models import Model


class ReportedRun(PlayedRun, Protocol):
    """A run that says what it proves."""

    @property
    def doubts(self) -> Doubts:
        """Whether it is better than the majority; or diverges."""
        ...

    def lines(self) -> list[tuple[str, str]]:
        """The run as (what, how much), for people."""
        ...

    def theorems(self, *, hindsight: bool = ...) -> Theorems:
        """Every theorem about this learner, evaluated on this very data."""
        ...

    def certificate(self, delta: float = ..., *, runs: int = ...) -> Certificate:
        """An upper bound on the error of the randomized hypothesis."""
        ...

    def model(self, kind: str | None = ...) -> Model:
        """One model out of all the hypotheses of the run."""
        ...


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
    def best(self) -> ReportedRun:
        """The best of those that ended."""
        ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[ReportedRun]: ...

    def __getitem__(self, index: int) -> ReportedRun: ...

    def rows(self, delta: float = ...) -> list[Document]:
        """The table as plain data, the best first."""
        ...

    def lines(self, delta: float = ...) -> list[tuple[str, ...]]:
        """The table as text, with its header."""
        ...
