"""What evidence asks of a run: whoever has these can be judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ..engine.feature_names import Names
from ..parts.state import Floats

if TYPE_CHECKING:
    from .fingerprints import Fingerprints
    from .metrics import Metrics
    from .snapshots import Recorder

__all__ = ["PlayedGame", "PlayedRun"]


class PlayedGame(Protocol):
    """A game that was played: enough to certify the mistakes that were made."""

    @property
    def learner(self) -> Any:
        """Who played."""
        ...

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


class PlayedRun(PlayedGame, Protocol):
    """The run of one learner, on rows, experts or numbers."""

    @property
    def ledger(self) -> Any:
        """What was met and paid: that of rows, of experts or of the mean game."""
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
    def classes(self) -> tuple[Any, ...] | None:
        """The labels as they were given, by their numbers."""
        ...

    @property
    def reading(self) -> Mapping[str, Any]:
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
    def today(self) -> Metrics | None:
        """Those of the rows since the run went on from a state; None: it did not."""
        ...

    @property
    def measured(self) -> Metrics | None:
        """The metrics that were kept on the way."""
        ...

    @property
    def metrics(self) -> Any:
        """The metrics, found by playing again where none were kept."""
        ...

    @property
    def bias(self) -> Any:
        """The weight of the bias; of many classes, one a class."""
        ...

    @property
    def player(self) -> Any:
        """The learner at the end of the game."""
        ...

    @property
    def game(self) -> Any:
        """What can be played again; None where nothing was kept."""
        ...

    @property
    def stopped(self) -> str:
        """Why it ended before the data did."""
        ...

    def replayable(self, what: str) -> Any:
        """The game, to be played again; an error says why `what` needs it."""
        ...
