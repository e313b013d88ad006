"""What games that are played event by event share: names, labels, what is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from ...data.encoding import Encoder
from ...data.encoding.labels import Labels
from ...engine.ledger import Ledger
from ...engine.players.restored import player_for
from ...engine.shared_game import SharedGame
from ...evidence.fingerprints import Fingerprints, OneByOne
from ...parts.documents import Document
from .event_row import EventRow

if TYPE_CHECKING:
    from ...engine.players.classes import ClassPlayer
    from ...engine.players.row_player import RowPlayer

__all__ = ["EventGame"]

GamePlayer = TypeVar("GamePlayer", bound="RowPlayer | ClassPlayer")
GameLabels = TypeVar("GameLabels", bound=Labels)


class EventGame(SharedGame, Generic[GamePlayer, GameLabels]):
    """A player, the names of its features, and its labels.

    Attributes
    ----------
    weighted : bool
        Whether an event had a weight other than 1.
    seen : OneByOne
        Fingerprints of the events.
    """

    def __init__(
        self, player: GamePlayer, labels: GameLabels, limit: int | None
    ) -> None:
        self.player = player
        self.labels = labels
        self.encoder = Encoder(limit)
        self.weighted = False
        self.seen = OneByOne()

    @property
    def rounds(self) -> int:
        """How many have been played."""
        return self.player.rounds

    def ledger(self) -> Ledger:
        """The ledger of the events so far."""
        with self.lock:
            return self.player.ledger()

    def state_dict(self) -> Document:
        """All that the events to come depend on, as plain data and arrays."""
        return {
            "player": self.player.state_dict(),
            "labels": self.labels.state_dict(),
            "features": self.encoder.state_dict(),
            "weighted": self.weighted,
            "seen": self.seen.now().state_dict(),
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
        if len(self.encoder.numbers) > self.player.n_features:
            raise ValueError("it names more features than it has weights")
        self.weighted = stored["weighted"] is True
        seen = Fingerprints()
        seen.load_state(stored["seen"])
        self.seen = OneByOne(seen)
        self._start()

    def _start(self) -> None:
        super()._start()
        self._row = EventRow(self.encoder)

    def _forget(self, known: int) -> None:
        """Drop all names but the first `known`."""
        if len(self.encoder.numbers) > known:
            self.encoder.forget(known)
            self._row.forget()
