"""What games that are played event by event share: names, labels, what is written.

An event is written into buffers that live as long as the game (``event_row``), and the
kernels of the player are called on a batch of one. What is usual takes one call to
predict and one to learn. All else (a new name, a new label, a weight, a bad event)
takes the careful way, which leaves nothing behind if it fails: what a game knows beside
its player is put right by what the player has learned (see ``engine.shared_game``).

Calls are prepared once, and again where arrays that they hold on to are replaced.
Arrays double as names come, so that is rare. Threads take turns. The lock is taken and
given back by hand where every event passes: that costs half of ``with``.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Hashable
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Generic, TypeVar, cast

import numpy as np

from ...data.encoding import Encoder
from ...data.encoding.labels import Labels
from ...data.schema import Schema
from ...engine.feature_names import name_of
from ...engine.ledger import Ledger
from ...engine.machine.kernel import bound, chained
from ...engine.players.restored import player_for
from ...engine.players.row_player import Call
from ...engine.refused_rows import too_large
from ...engine.shared_game import SharedGame
from ...engine.storage import keep
from ...errors import BadRow
from ...evidence.event_record import NOTHING, EventRecord
from ...evidence.row_record import RowRecord
from ...parts.documents import Document
from ...parts.state import Floats
from .before_event import Before
from .event_row import Event, EventRow

if TYPE_CHECKING:
    from ...engine.players.classes import ClassPlayer
    from ...engine.players.row_player import RowPlayer

__all__ = ["NOT_BOUND", "Before", "EventGame"]

NOT_BOUND: tuple[object, ...] = (None,)

GamePlayer = TypeVar("GamePlayer", bound="RowPlayer | ClassPlayer")
GameLabels = TypeVar("GameLabels", bound=Labels)
Said = TypeVar("Said")  # of an event: a number, or one for each class


class EventGame(SharedGame, Generic[GamePlayer, GameLabels, Said]):
    """A player, the names of its features, and its labels.

    Attributes
    ----------
    weighted : bool
        Whether an event had a weight other than 1.
    record : EventRecord
        What is remembered of the events.
    learns_again : bool
        Whether events may be learned again: then no name is forgotten.
    """

    kept = keep("player", "labels", "encoder", "weighted", "remembered")

    learns_again = False

    def __init__(
        self,
        player: GamePlayer,
        labels: GameLabels,
        limit: int | None,
        schema: Schema | None,
    ) -> None:
        self.player = player
        self.labels = labels
        self.encoder = Encoder(limit, schema)
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
        self.refuse_inner()
        with self.lock:
            self.settle()
            return self.player.ledger()

    def state_dict(self) -> Document:
        """All that the events to come depend on, as plain data and arrays."""
        self.settle()
        names = self.encoder.width if self.rounds else 0
        if names > self.player.n_features or self.record.rows != self.rounds:
            raise RuntimeError(
                f"{names} names and {self.record.rows} events are remembered, and "
                f"{self.player.n_features} features and {self.rounds} events learned"
            )
        return super().state_dict()

    @property
    def remembered(self) -> RowRecord:
        """What is known of the rows, as files have it."""
        return self.record.now()

    @remembered.setter
    def remembered(self, record: RowRecord) -> None:
        self.record = EventRecord(record)

    def check_state(self) -> None:
        """It knows the features and the rows that its player has learned."""
        if self.rounds and self.encoder.width > self.player.n_features:
            raise ValueError("it names more features than it has weights")
        if self.record.rows != self.rounds:
            raise ValueError("it remembers other events than it has learned")

    def resume(self, stored: Document, make: Callable[[int], GamePlayer]) -> None:
        """Restore from `stored`; raise ``ValueError`` if it is invalid.

        Parameters
        ----------
        stored : dict
            What :meth:`state_dict` gave.
        make : callable
            From a number of features to a player at the start.
        """
        self.player = player_for(make, stored["player"])
        self.load_state(stored)
        self._start()

    def _start(self) -> None:
        """Make the buffers, and know nothing of labels."""
        super()._start()
        self._row = EventRow(self.encoder)
        self._target, self._importance = np.zeros(1), np.ones(1)
        # Views: what is read and written through them are floats, not numpy's.
        self._goal = self._target.data.cast("B").cast("d")
        self._weight = self._importance.data.cast("B").cast("d")
        self._targets: dict[Hashable, float] = {}
        self._held = NOT_BOUND
        self._bind_again()

    def learn(self, x: Event, y: Hashable, weight: float = 1.0) -> None:
        """Play one round; a bad event changes nothing."""
        if self.begun is not None:
            self.refuse_inner()
        try:
            self.lock.acquire()
            if self.begun is not None:
                self.settle()
            self.begun = x
            try:
                self._goal[0] = self._targets[y]
                usual = x.__class__ is dict and self.encoder.plain and weight == 1.0
                others = self._read_and_play(x) if usual else -1
            except (KeyError, TypeError):  # a label that is new, or cannot be a key
                others = -1
            if others < 0:
                self._learn_carefully(x, y, weight)
            else:
                record = self.record
                if record.asked is not NOTHING:
                    record.answer(x)
                if len(record.labels) >= record.skips:
                    record.add(self._row.rows)
                record.labels.append(self._goal[0])
                self.begun = None
        except BaseException:
            try:  # noqa: SIM105 - the very next call: no handler comes between
                self.lock.release()
            except RuntimeError:  # to wait for it was what ended
                pass
            raise
        self.lock.release()

    def score(self, x: Event) -> Said:
        """What is said of one event; names never seen have their starting weight."""
        if self.begun is not None:
            self.refuse_inner()
        try:
            self.lock.acquire()
            if self.begun is not None:
                self.settle()
            self.begun = x
            usual = x.__class__ is dict and self.encoder.plain
            others = self._read_and_score(x) if usual else -1
            if others < 0:
                self._score_carefully(x)
                self.begun = x
            said = self._said(x)
            self.record.asked = x
            self.begun = None
        except BaseException:
            try:  # noqa: SIM105 - the very next call: no handler comes between
                self.lock.release()
            except RuntimeError:  # to wait for it was what ended
                pass
            raise
        self.lock.release()
        return said

    @property
    def target(self) -> float:
        """The last label that was learned, as kernels take it."""
        return self._goal[0]

    @abc.abstractmethod
    def _said(self, x: Event) -> Said:
        """What was computed of an event, which the row holds."""

    @abc.abstractmethod
    def _new_answer(self) -> Floats:
        """Room for what is computed of an event."""

    @abc.abstractmethod
    def _learn_carefully(self, x: Event, y: Hashable, weight: float) -> None:
        """Play one round, and if that cannot be, leave everything as it was."""

    def _play_coded(self, before: Before, importance: float, features: object) -> None:
        """Play one round that was written, of which only the player will know."""
        self._goal[0], self._weight[0] = before.target, importance
        if self._read_and_play(features) < 0:
            raise BadRow(before.rounds, self._refusal())

    def _score_carefully(self, x: Event) -> None:
        """Compute what is said of an event, and forget its new names."""
        # Where the start depends on d, names never seen have weights too; where rows
        # are scaled to length one, they are a part of that length.
        player, before = self.player, self._begin_event(x)
        try:
            matter = player.fixed or player.unknown_features_matter
            # Where names are hashed, there may be a weight of a new one.
            matter |= self.encoder.hashed is not None
            features = self._write(x, before, new=matter)
            if self._read_and_score(features) < 0:  # its arrays have just changed
                raise BadRow(before.rounds, self._refusal())
        finally:
            self._settle(before)

    def settle(self) -> None:
        """Make an event that was broken off whole, or undo it; the lock is held."""
        if isinstance(self.begun, Before):
            self._settle(self.begun)
        elif self.begun is not None and self.rounds > self.record.rows:
            self._enter(cast("Event", self.begun), self.target)
        self.begun = None

    def _begin_event(self, x: Event) -> Before:
        """Write down what is before an event."""
        if not self.learns_again:
            self.encoder.tidy()
        self.begun = found = Before(
            x,
            self.encoder.mark(),
            self.rounds,
            self.player,
            self.player.mark(),
            self.record,
        )
        return found

    def _settle(self, before: Before) -> None:
        """Put everything right by what the player has learned; it may be done twice."""
        if self.rounds > before.rounds:
            if len(self.encoder.numbers) < before.known[0] + len(before.names):
                self.encoder.add(before.names, 0)
            self.player.grow(self.encoder.width)
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
        self._weight[0] = 1.0
        self._bind_again()
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

    def _write(self, x: Event, before: Before, *, new: bool = True) -> object:
        """Write a row of an event; the dict of its features, to be read again.

        Room is made for new names, and then they are added; or they are left out.
        """

        def grow(names: list[Hashable]) -> None:
            before.names = tuple(names)
            self.player.grow(self.encoder.width + len(names) * numbered)

        numbered = self.encoder.hashed is None
        found = self._row.write_any(x, before.rounds, grow if new else None)
        self.player.meet(self._row.rows)
        self._bind_again()
        return found

    def _remember(self, y: Hashable, target: float) -> None:
        """Remember what stands for a label, so that it is not asked again."""
        with suppress(TypeError):  # it may be no key, such as an array of one number
            self._targets[y] = target

    def _bind_again(self) -> None:
        """Take hold of the machine code and of the arrays it works on, if others."""
        player, row = self.player, self._row
        if self._held[0] is not row.rows:
            player.make_tile(row.room)
        held = (row.rows, *player.held())
        if [*map(id, held)] == [*map(id, self._held)]:
            return
        self._held = NOT_BOUND
        calls = [bound(*call) for call in (*row.folding(1), *self._learning())]
        self._read_and_play = chained(row.read, calls, 1)
        self._read_and_score = self._first_score
        self._held = held

    @abc.abstractmethod
    def _learning(self) -> list[Call]:
        """What the player calls to learn the row."""

    def _first_score(self, x: object) -> int:
        """Take hold of what scores, once it is needed: who only learns never waits."""
        self._answer = self._new_answer()
        asking = self.player.asking(self._row.rows, self._answer)
        calls = [bound(*call) for call in (*self._row.folding(0), *asking)]
        self._read_and_score = chained(self._row.read, calls, 0)
        return self._read_and_score(x)

    def _refusal(self) -> str:
        """What is wrong with the row that the kernel refused."""
        rows, (low, high) = self._row.rows, self.player.allowed
        n = int(rows.starts[1])
        names, entries = self.encoder.names, rows.values[:n].tolist()
        for j, number in zip(rows.columns[:n].tolist(), entries, strict=True):
            name = name_of(names, j)
            if not isfinite(number):
                return f"feature {name!r}: {number} is not a finite number"
            if not low <= number <= high:
                return (
                    f"feature {name!r}: {number:g} is outside [{low:g}, {high:g}], "
                    f"{self.player.advice}"
                )
        return too_large(rows.values[:n].tolist(), float(self._goal[0]))
