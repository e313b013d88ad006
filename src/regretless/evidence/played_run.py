"""What evidence asks of a run: what has these can be judged.

A run of any kind is a :class:`PlayedRun`. Its learner names its kind, and the verdicts
of that kind know more: that its ledger is one of rows, say, and who plays again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeGuard, TypeVar

if TYPE_CHECKING:
    from ..data import Source
    from ..data.chunk import Mask
    from ..engine.expert_ledger import ExpertLedger
    from ..engine.feature_names import Names
    from ..engine.ledger import Ledger
    from ..engine.mean_ledger import MeanLedger
    from ..engine.players.linear import LinearPlayer
    from ..engine.players.mean import MeanPlayer
    from ..parts.composition import Composition
    from ..parts.documents import Document
    from ..parts.leader import Leader
    from ..parts.rows import Longs
    from ..parts.state import Floats
    from .claims.guard import Counted
    from .fingerprints import Fingerprints
    from .metrics import Metrics
    from .row_record import RowRecord
    from .snapshots import Recorder


P_co = TypeVar("P_co", covariant=True)
L_co = TypeVar("L_co", bound="PlayedLearner", covariant=True)
K_co = TypeVar("K_co", bound="Ledger | ExpertLedger | MeanLedger", covariant=True)
A_co = TypeVar("A_co", covariant=True)


class PlayedLearner(Protocol):
    """Who played."""

    plays: ClassVar[str]
    """What: "rows", "experts" or "numbers"."""
    comparators: ClassVar[str]
    """The module of ``evidence.verdicts`` that judges its runs."""


class PlayedGame(Protocol):
    """A game that was played: enough to certify the mistakes that were made."""

    @property
    def rounds(self) -> int:
        """Rounds played."""
        ...

    @property
    def mistakes(self) -> int | None:
        """Mistakes made; None where there is nothing to be mistaken about."""
        ...

    @property
    def loss(self) -> float:
        """The learner's total loss."""
        ...

    @property
    def weights(self) -> Floats:
        """The final weights."""
        ...

    @property
    def length(self) -> int | None:
        """How many rounds were declared beforehand."""
        ...

    @property
    def refused(self) -> int:
        """Rows that the learner refused."""
        ...

    @property
    def weighted(self) -> bool:
        """Whether rows had importance weights."""
        ...

    @property
    def recorder(self) -> Recorder | None:
        """Who froze hypotheses on the way."""
        ...

    @property
    def said(self) -> Counted | None:
        """Predictions as they were made, where labels may have come late."""
        ...


class RunOf(PlayedGame, Protocol[L_co, K_co, A_co]):
    """The run of a learner L, with a ledger K, which can be played again as A."""

    @property
    def learner(self) -> L_co:
        """Who played."""
        ...

    @property
    def ledger(self) -> K_co:
        """What was met and paid."""
        ...

    @property
    def seconds(self) -> float:
        """How long the learning took."""
        ...

    @property
    def names(self) -> Names | None:
        """The names of features or experts, where there are any."""
        ...

    @property
    def classes(self) -> tuple[object, ...] | None:
        """The labels as they were given, by their numbers."""
        ...

    @property
    def reading(self) -> Document:
        """How the data were read."""
        ...

    @property
    def ended(self) -> bool:
        """Whether all of the data was played."""
        ...

    @property
    def warm(self) -> bool:
        """Whether it started from a model."""
        ...

    @property
    def replay(self) -> str:
        """That rows came again, in words; empty where none did."""
        ...

    @property
    def seen(self) -> Fingerprints | None:
        """A sample of the rows that were learned."""
        ...

    @property
    def record(self) -> RowRecord | None:
        """What is remembered of the rows."""
        ...

    @property
    def today(self) -> Metrics | None:
        """Those of the rows since the run went on from a state; None: it did not."""
        ...

    @property
    def measured(self) -> Metrics | None:
        """The metrics that were kept on the way."""
        ...

    @property
    def metrics(self) -> Any:  # a cached property fits no other type
        """The metrics, found by playing again where none were kept."""
        ...

    @property
    def stopped(self) -> str:
        """Why it ended before the data did."""
        ...

    @property
    def mistake_rounds(self) -> Longs:
        """The rounds, from 0, that were mistakes."""
        ...

    @property
    def player(self) -> object:
        """The learner at the end of the game."""
        ...

    @property
    def game(self) -> A_co | None:
        """What can be played again; None where nothing was kept."""
        ...

    def replayable(self, what: str) -> A_co:
        """The game, to be played again; an error says why `what` needs it."""
        ...


class PlayedRun(
    RunOf[PlayedLearner, "Ledger | ExpertLedger | MeanLedger", object], Protocol
):
    """The run of any learner, on rows, experts or numbers."""


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


RowRun: TypeAlias = "RunOf[RowLearnerOf[P_co], Ledger, RowsAgain[P_co]]"
"""A run on rows, of a learner for which a P plays."""
LinearRun: TypeAlias = "RunOf[ComposedLearner, Ledger, LinearAgain]"
ExpertRun: TypeAlias = "RunOf[WeighingLearner, ExpertLedger, ExpertsAgain]"
MeanRun: TypeAlias = "RunOf[LeaderLearner, MeanLedger, NumbersAgain]"


def of_rows(run: PlayedRun) -> TypeGuard[RowRun[object]]:
    """Whether rows were played."""
    return run.learner.plays == "rows"


def of_weights(run: PlayedRun) -> TypeGuard[LinearRun]:
    """Whether a linear learner was played."""
    return run.learner.comparators == "linear"


def of_numbers(run: PlayedRun) -> TypeGuard[MeanRun]:
    """Whether the mean game was played."""
    return run.learner.plays == "numbers"
