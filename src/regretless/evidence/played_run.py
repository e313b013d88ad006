"""What evidence asks of a run: what has these can be judged.

A run of any kind is a :class:`PlayedRun`. Its learner names its kind, and the verdicts
of that kind know more: that its ledger is one of rows, say, and who plays again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias, TypeGuard, TypeVar

if TYPE_CHECKING:
    from ..data import Source
    from ..data.chunk import Mask
    from ..engine.expert_ledger import ExpertLedger
    from ..engine.ledger import Ledger
    from ..engine.mean_ledger import MeanLedger
    from ..engine.players.linear import LinearPlayer
    from ..engine.players.mean import MeanPlayer
    from ..parts.composition import Composition
    from ..parts.leader import Leader
    from ..parts.state import Floats
    from .run_data import RunData
    from .snapshots import Recorder


P_co = TypeVar("P_co", covariant=True)


class PlayedLearner(Protocol):
    """Who played."""

    plays: ClassVar[str]
    """What: "rows", "experts" or "numbers"."""
    comparators: ClassVar[str]
    """The module of ``evidence.verdicts`` that judges its runs."""


class RowsAgain(Protocol[P_co]):
    """A game of rows that can be played again."""

    @property
    def source(self) -> Source:
        """The rows, which can be read again."""
        ...

    @property
    def rounds(self) -> int:
        """How many were played."""
        ...

    def player(self) -> P_co:
        """A player at the start of this game."""
        ...

    def record(self, kinds: Iterable[str], length: int | None) -> Recorder:
        """Play again and keep these kinds of models."""
        ...


class RowLearnerOf(PlayedLearner, Protocol[P_co]):
    """A learner of rows, and who plays for it."""

    def player(self, n_features: int | None, /) -> P_co:
        """A player at the start of a game."""
        ...


class ComposedLearner(PlayedLearner, Protocol):
    """A learner that is a composition of parts."""

    comparator: ClassVar[str]
    """Whom its theorems are about, in words that ``verdicts.linear`` knows."""
    lifts_rows: ClassVar[bool]
    """Whether a theorem is about rows of the form (2x, -1)."""

    @property
    def bias(self) -> bool:
        """Whether every row has one more feature, always 1."""
        ...

    @property
    def n_features(self) -> int | None:
        """The number of features that was declared."""
        ...

    def composition(self, n_weights: int) -> Composition:
        """Its parts, for so many weights."""
        ...

    def player(self, n_features: int | None, *, seen: bool = False) -> LinearPlayer:
        """A player at the start of a game; `seen`: of rows seen through its view."""
        ...


class LinearAgain(RowsAgain["LinearPlayer"], Protocol):
    """A game of a linear learner that can be played again."""

    def full_path(self) -> Floats:
        """All weights (the bias first) before the first round and after every round."""
        ...

    def wrong(self, path: Floats) -> Mask:
        """Whether hypothesis i, row i of `path`, errs on round t."""
        ...


class WeighingLearner(PlayedLearner, Protocol):
    """A learner that weighs experts by a rule."""

    def rule(self, n_experts: int, /) -> object:
        """How `n_experts` are weighed."""
        ...


class ExpertsAgain(Protocol):
    """A game of experts that can be played again."""

    def losses(self) -> Floats:
        """Every expert's loss in every round, nan where it slept."""
        ...

    def ledgers(self, stops: Sequence[int], /) -> Iterator[ExpertLedger]:
        """The ledger after each of these rounds, which are in increasing order."""
        ...


class LeaderLearner(PlayedLearner, Protocol):
    """A learner of the mean game, which declares where numbers lie."""

    low: float
    high: float

    def leader(self) -> Leader:
        """What it begins with."""
        ...

    def player(self) -> MeanPlayer:
        """A player at the start of a game."""
        ...


class NumbersAgain(Protocol):
    """A mean game that can be played again."""

    @property
    def numbers(self) -> Floats:
        """What it saw."""
        ...

    def ledgers(self, stops: Sequence[int], /) -> Iterator[MeanLedger]:
        """The ledger after each of these rounds, which are in increasing order."""
        ...


PlayedRun: TypeAlias = (
    "RunData[PlayedLearner, Ledger | ExpertLedger | MeanLedger, object]"
)
"""The run of any learner, on rows, experts or numbers."""
RowRun: TypeAlias = "RunData[RowLearnerOf[P_co], Ledger, RowsAgain[P_co]]"
"""A run on rows, of a learner for which a P plays."""
LinearRun: TypeAlias = "RunData[ComposedLearner, Ledger, LinearAgain]"
ExpertRun: TypeAlias = "RunData[WeighingLearner, ExpertLedger, ExpertsAgain]"
MeanRun: TypeAlias = "RunData[LeaderLearner, MeanLedger, NumbersAgain]"


def of_rows(run: PlayedRun) -> TypeGuard[RowRun[object]]:
    """Whether rows were played."""
    return run.learner.plays == "rows"


def of_weights(run: PlayedRun) -> TypeGuard[LinearRun]:
    """Whether a linear learner was played."""
    return run.learner.comparators == "linear"


def of_numbers(run: PlayedRun) -> TypeGuard[MeanRun]:
    """Whether the mean game was played."""
    return run.learner.plays == "numbers"
