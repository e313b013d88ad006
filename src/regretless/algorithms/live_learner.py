"""What learners of rows, experts and numbers share: a game that events go on with."""

from __future__ import annotations

import abc
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from ..engine.shared_game import SharedGame, begun
from ..parts.documents import Document
from ..parts.notebook_html import as_pairs, as_text
from .played import GameKind
from .saved_learners import NO_FACTS, save_learner

if TYPE_CHECKING:
    from ..evidence.theorems import Theorem


Game = TypeVar("Game", bound=SharedGame)


class LiveLearner(abc.ABC, Generic[Game]):
    """A dataclass of parameters, and the game that its events have played so far.

    Threads may share a learner: each event is learned whole, one after another, in the
    order in which they happen to come.
    """

    facts: ClassVar[Mapping[str, object]] = NO_FACTS
    """What was saved beside it, where it was loaded."""
    theorems: ClassVar[str | tuple[Theorem[Any], ...]] = ""
    """What is proven of it: theorems, or lists of ``evidence.theorems`` by name."""
    games: ClassVar[tuple[str, ...]] = ()
    """The game that reaches most of its bound, and one that it plays well."""
    plays: ClassVar[str]
    """What it is played over: "rows", "experts" or "numbers"."""
    comparators: ClassVar[str]
    """The module of ``evidence.verdicts`` that knows what it competes with."""
    _live: Game | None

    @classmethod
    def for_game(cls, game: GameKind, rounds: int) -> Self:
        """The learner with the parameters that its theorems take for such a game."""
        return cls()

    @abc.abstractmethod
    def _begin(self) -> Game:
        """A game at its start."""

    @property
    def live(self) -> Game:
        """The game that ``learn_one`` plays."""
        return self._live or begun(self, self._begin)

    def save(
        self, path: str | os.PathLike[str], *, facts: Document | None = None
    ) -> None:
        """Write the learner and all that it has learned one event at a time to a file.

        :func:`~regretless.load_learner` reads it, and goes on to the same bits. The
        file is replaced as a whole, or left as it was. Other threads wait while the
        state is copied, not while it is written. To predict rows only, save a model.

        Parameters
        ----------
        path : path
            The file.
        facts : dict
            What else is to be of the same moment, such as how far a stream was read:
            plain JSON, the ``facts`` of the learner that is loaded.
        """
        save_learner(self, path, facts)

    def resume(self, stored: Document) -> None:
        """Go on from the state of a game (see :func:`~regretless.load_learner`)."""
        live = self._begin()
        live.load_state(stored)
        self._live = live

    def forget(self) -> None:
        """Return to the start: forget every event learned one at a time."""
        self._live = None

    def _repr_html_(self) -> str:
        """The call that makes it; and its ledger, where it has learned events."""
        live = self._live
        if not isinstance(live, SharedGame) or not live.rounds:
            return as_text(repr(self))
        return as_pairs(live.ledger().lines(), repr(self))
