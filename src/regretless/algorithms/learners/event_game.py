"""What games that are played event by event share: names, labels, what is written.

And how an event is whole, whatever breaks it off (see ``engine.shared_game``): what a
game knows beside its player is put right by what the player has learned.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from ...data.encoding import Encoder
from ...data.encoding.labels import Labels
from ...engine.ledger import Ledger
from ...engine.players.restored import player_for
from ...engine.players.row_player import Mark
from ...engine.shared_game import SharedGame
from ...evidence.event_record import NOTHING, EventRecord
from ...evidence.row_record import RowRecord
from ...parts.documents import Document
from .event_row import Event, EventRow

if TYPE_CHECKING:
    from ...engine.players.classes import ClassPlayer
    from ...engine.players.row_player import RowPlayer

__all__ = ["EventGame"]

GamePlayer = TypeVar("GamePlayer", bound="RowPlayer | ClassPlayer")
GameLabels = TypeVar("GameLabels", bound=Labels)


@dataclass
class Before:
    """What was before an event, and what comes of it where it is learned.

    Attributes
    ----------
    x : event
        The event.
    known : int
        How many names there were.
    names : tuple
        Those that it adds.
    rounds : int
        How many events had been learned.
    player : player
        That of the game, and its ``mark``.
    record : EventRecord
        That of the game.
    target : float
        Its label, as kernels take it.
    after : dict
        Attributes of the game that are others when it is learned.
    """

    x: Event
    known: int
    rounds: int
    player: RowPlayer | ClassPlayer
    mark: Mark
    record: EventRecord
    names: tuple[Hashable, ...] = ()
    target: float = 0.0
    after: Document = field(default_factory=Document)


class EventGame(SharedGame, Generic[GamePlayer, GameLabels]):
    """A player, the names of its features, and its labels.

    Attributes
    ----------
    weighted : bool
        Whether an event had a weight other than 1.
    record : EventRecord
        What is remembered of the events.
    """

    def __init__(
        self, player: GamePlayer, labels: GameLabels, limit: int | None
    ) -> None:
        self.player = player
        self.labels = labels
        self.encoder = Encoder(limit)
        self.weighted = False
        self.record = self._new_record()

    @property
    def task(self) -> str:
        """What is learned: "binary", "classes" or "real"."""
        player = self.player
        return "classes" if player.classes else "binary" if player.binary else "real"

    def _new_record(self) -> EventRecord:
        return EventRecord(RowRecord(self.task))

    @property
    def rounds(self) -> int:
        """How many have been played."""
        return self.player.rounds

    def ledger(self) -> Ledger:
        """The ledger of the events so far."""
        with self.lock:
            self.settle()
            return self.player.ledger()

    def state_dict(self) -> Document:
        """All that the events to come depend on, as plain data and arrays."""
        self.settle()
        names = self.encoder.width
        if names > self.player.n_features or self.record.rows != self.rounds:
            raise RuntimeError(
                f"{names} names and {self.record.rows} events are remembered, and "
                f"{self.player.n_features} features and {self.rounds} events learned"
            )
        return {
            "player": self.player.state_dict(),
            "labels": self.labels.state_dict(),
            "features": self.encoder.state_dict(),
            "weighted": self.weighted,
            "record": self.record.now().state_dict(),
        }

    def load_state(self, stored: Document, make: Callable[[int], GamePlayer]) -> None:
        """Restore from `stored`; raise ``ValueError`` if it is invalid.

        Parameters
        ----------
        stored : dict
            What :meth:`state_dict` gave.
        make : callable
            From a number of features to a player at the start.
        """
        self.player = player_for(make, stored["player"])
        self.player.load_state(stored["player"])
        self.labels.load_state(stored["labels"])
        self.encoder.load_state(stored["features"])
        if self.encoder.width > self.player.n_features:
            raise ValueError("it names more features than it has weights")
        self.weighted = stored["weighted"] is True
        record = RowRecord(self.task)
        record.load_state(stored["record"])
        self.record = EventRecord(record)
        if self.record.rows != self.rounds:
            raise ValueError("it remembers other events than it has learned")
        self._start()

    def _start(self) -> None:
        super()._start()
        self._row = EventRow(self.encoder)

    def settle(self) -> None:
        """Make an event that was broken off whole, or undo it; the lock is held."""
        if isinstance(self.begun, Before):
            self._settle(self.begun)

    def _begin_event(self, x: Event) -> Before:
        """Write down what is before an event."""
        self.begun = found = Before(
            x,
            len(self.encoder.numbers),
            self.rounds,
            self.player,
            self.player.mark(),
            self.record,
        )
        return found

    def _settle(self, before: Before) -> None:
        """Put everything right by what the player has learned; it may be done twice."""
        if self.rounds > before.rounds:
            self.encoder.add(before.names, 0)
            self._grow(len(self.encoder.numbers))
            vars(self).update(before.after)
            if self.rounds > self.record.rows:
                self._enter(before.x, before.target)
        else:
            self.player = cast("GamePlayer", before.player)
            self.record = before.record
            self.encoder.forget(before.known)
            self.player.return_to(before.mark)
            self._row.forget()
        self._follow()
        self.begun = None

    def _follow(self) -> None:
        """Put right what goes by the player, after an event or without it."""

    def _enter(self, x: Event, target: float) -> None:
        """Enter the event that was learned, whose row is still there, in the record."""
        record = self.record
        if record.asked is not NOTHING:
            record.answer(x)
        record.add(self._row.rows)
        record.labels.append(target)

    def _write(self, x: Event, before: Before) -> None:
        """Write a row of an event: room is made for new names, then they are added."""

        def grow(names: list[Hashable]) -> None:
            before.names = tuple(names)
            self._grow(before.known + len(names))

        self._row.write_any(x, before.rounds, grow)

    def _grow(self, n_features: int) -> None:
        self.player.grow(n_features)
