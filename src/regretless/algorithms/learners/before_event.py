"""What a game writes down before an event, to go back to or to go on from."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...engine.players.row_player import Mark
from ...evidence.event_record import EventRecord
from ...parts.documents import Document
from .event_row import Event

if TYPE_CHECKING:
    from ...engine.players.classes import ClassPlayer
    from ...engine.players.row_player import RowPlayer


@dataclass(slots=True)
class Before:
    """What was before an event, and what comes of it where it is learned.

    Attributes
    ----------
    x : event
        The event.
    known : (int, int)
        How many names and features there were.
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
    known: tuple[int, int]
    rounds: int
    player: RowPlayer | ClassPlayer
    mark: Mark
    record: EventRecord
    names: tuple[Hashable, ...] = ()
    target: float = 0.0
    after: Document = field(default_factory=Document)
