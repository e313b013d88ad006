"""One event at a time, through the same machine code that plays whole files.

An event is written into buffers that live as long as the game (``event_row``), and the
kernel is called on a batch of one. What is usual takes one call to predict and one to
learn. All else (a new name, a new label, a weight, a bad event) takes the careful
way, which leaves nothing behind if it fails. Threads take turns (``turns``). The lock
is taken and given back by hand where every event passes: that costs half of ``with``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from contextlib import suppress
from math import inf, isfinite
from typing import NamedTuple, cast

import numpy as np

from ...data.encoding import AmountLabels, TwoClassLabels, weight_of
from ...engine.machine.kernel import bound, chained
from ...engine.players.row_player import RowPlayer
from ...engine.refused_rows import too_large
from ...engine.storage import checked_array
from ...errors import BadRow
from ...evidence.event_record import NOTHING
from ...parts.documents import Document
from ...parts.rows import Sparse
from .event_game import Before, EventGame
from .event_row import Event

__all__ = ["Live"]

EARLY = 10_000  # events that may come before a second label does


class Early(NamedTuple):
    """The events of the first label, while no other has come.

    One label alone may not say which class it is ("spam"; 1, before 2 comes). It is
    learned as +1, and where the second label says otherwise, again as -1: then all is
    as if both labels had been known.
    """

    player: RowPlayer
    events: list[tuple[Event, float]]


class Live(EventGame[RowPlayer, TwoClassLabels | AmountLabels]):
    """A game played event by event.

    Attributes
    ----------
    only : float or None
        What stands for the only label so far, of two classes; None where none has come,
        or both have.
    """

    changing = ("player", "labels", "encoder", "weighted", "record", "early", "only")

    def __init__(self, player: RowPlayer, limit: int | None) -> None:
        labels = TwoClassLabels() if player.binary else AmountLabels()
        super().__init__(player, labels, limit)
        self.early: Early | None = None
        self.only: float | None = None
        self._start()

    def learn(self, x: Event, y: Hashable, weight: float = 1.0) -> None:
        """Play one round."""
        try:
            self.lock.acquire()
            if self.begun is not None:
                self.settle()
            self.begun = x
            try:
                self._goal[0] = self._targets[y]
                plain = x.__class__ is dict and self.encoder.plain
                usual = plain and weight == 1.0
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
                if self.begun is x:  # else a handler of a signal has settled it
                    record.labels.append(self._goal[0])
                    self.begun = None
        except BaseException:
            try:  # noqa: SIM105 - the very next call: no handler comes between
                self.lock.release()
            except RuntimeError:  # to wait for it was what ended
                pass
            raise
        self.lock.release()

    def score(self, x: Event) -> float:
        """The score of one event; names never seen have their starting weight."""
        try:
            self.lock.acquire()
            if self.begun is not None:
                self.settle()
            plain = x.__class__ is dict and self.encoder.plain
            others = self._read_and_score(x) if plain else -1
            if others < 0:
                self._write_to_score(x)
                self._compute()
            score = self._found[0]
            self.record.asked = x
        except BaseException:
            try:  # noqa: SIM105 - the very next call: no handler comes between
                self.lock.release()
            except RuntimeError:  # to wait for it was what ended
                pass
            raise
        self.lock.release()
        if not -inf < score < inf and not isinstance(x, str):
            self.encoder.features(x, self.rounds)  # says what is not a finite number
        return score

    def predict(self, x: Event) -> Hashable:
        """The predicted label, or number; see :meth:`label_of`."""
        score = self.score(x)
        label = self.labels.positive if score > 0.0 else self.labels.negative
        usual = label is not None and self.only is None
        return label if usual else self.label_of(score)

    def label_of(self, score: float) -> Hashable:
        """The label, or number, that a score predicts.

        A label that has not come is not predicted: None before the first one, and the
        first one, whatever the score, before the second.
        """
        came = self.came
        if came is None:
            return score
        return came[score > 0.0] if len(came) == 2 else next(iter(came), None)

    @property
    def came(self) -> tuple[Hashable, ...] | None:
        """The labels that have come, that for -1 first; None for numbers."""
        classes = self.labels.classes
        if classes is None or self.only is not None:
            return classes and (classes[self.only == 1.0],)
        return classes if self.rounds else ()

    @property
    def target(self) -> float:
        """The last label that was learned, as kernels take it."""
        return self._goal[0]

    def settle(self) -> None:
        """Make an event that was broken off whole, or undo it; the lock is held."""
        if not isinstance(self.begun, Before):
            if self.begun is not None and self.rounds > self.record.rows:
                self._enter(cast("Event", self.begun), self.target)
            self.begun = None
        super().settle()

    def named_weights(self) -> dict[Hashable, float]:
        """Weights by name."""
        with self.lock:
            self.settle()
            weights = self.player.weights().tolist()
            known = self.encoder.numbers.items()
            return {name: weights[j] for name, j in known if j < len(weights)}

    def state_dict(self) -> Document:
        """The same, with the events of a label that is alone so far."""
        found = super().state_dict() | {"only": self.only}
        if self.early is not None and self.early.events:
            rows = [self._row.encoded(x) for x, _ in self.early.events]
            found["early"] = {
                "starts": np.cumsum([0, *(len(columns) for columns, _ in rows)]),
                "columns": np.array([j for columns, _ in rows for j in columns], int),
                "values": np.array([v for _, values in rows for v in values], float),
                "weights": np.array([weight for _, weight in self.early.events]),
            }
        return found

    def load_state(self, stored: Document, make: Callable[[int], RowPlayer]) -> None:
        """Restore from `stored`; raise ``ValueError`` if it is invalid."""
        start = self.player
        super().load_state(stored, make)
        self.only = stored["only"]
        if self.only not in (None, -1.0, 1.0):
            raise ValueError("its only label is not one of two")
        if "early" in stored and isinstance(self.labels, TwoClassLabels):
            alone = self.labels.alone = self.labels.positive
            self.labels.positive = 1 if alone == 1 else None
            self.early = Early(start, self._early_events(stored["early"]))

    def _early_events(self, stored: Document) -> list[tuple[Event, float]]:
        """The events that :meth:`state_dict` has written as rows."""
        starts = checked_array(stored, "starts", np.int64)
        columns = checked_array(stored, "columns", np.int64)
        weights = checked_array(stored, "weights", shape=(starts.size - 1,))
        values = checked_array(stored, "values", shape=columns.shape)
        names = self.encoder.names
        inside = (columns >= 0).all() and (columns < len(names)).all()
        ends = starts.size > 1 and starts[0] == 0 and starts[-1] == columns.size
        if not inside or not ends or (np.diff(starts) < 0).any():
            raise ValueError("the events of its only label are out of range")
        return [
            (
                {
                    names[j]: value
                    for j, value in zip(
                        columns[low:high].tolist(),
                        values[low:high].tolist(),
                        strict=True,
                    )
                },
                weight,
            )
            for low, high, weight in zip(
                starts[:-1].tolist(), starts[1:].tolist(), weights.tolist(), strict=True
            )
        ]

    def _learn_carefully(self, x: Event, y: Hashable, weight: float) -> None:
        """Play one round, and if that cannot be, leave everything as it was."""
        labels, early, turned = copy.copy(self.labels), self.early, False
        before = self._begin_event(x)
        try:
            if labels.settled or not isinstance(labels, TwoClassLabels):
                target = labels.encode_one(y, before.rounds)
            else:
                if before.rounds == 0:
                    early = Early(copy.deepcopy(self.player), [])
                free = early is not None
                known = labels.alone if free and before.rounds else None
                target = labels.encode_alone(y, before.rounds, free=free)
                turned = known is not None and bool(labels.negative == known)
            importance = weight_of(weight, before.rounds)
            if turned and early is not None:
                self._turn(early)
            self._write(x, before)
            if labels.settled:
                early = None
            elif early is not None:
                kept = x if isinstance(x, str) else dict(x)
                early = early._replace(events=[*early.events, (kept, importance)])
                early = early if len(early.events) < EARLY else None
            before.target = target
            before.after = {
                "labels": labels,
                "early": early,
                "weighted": self.weighted or importance != 1.0,
            }
            if self.player.binary:
                first = before.rounds == 0 or (target == self.only and not turned)
                before.after["only"] = target if first else None
            self._play_coded(before, importance)
        finally:
            self._settle(before)
        if labels.settled and self.player.binary:
            self._remember(y, target)

    def _play_coded(self, before: Before, importance: float) -> None:
        """Play one round, of which only the player will know."""
        self._bind_again()
        self._goal[0] = before.target
        if importance != 1.0:
            arguments = (*self._arguments[:-1], np.array([importance]))
            played = self._kernel(*arguments)
        else:
            played = self._play()
        if played == 0:
            raise BadRow(before.rounds, self._refusal())

    def _turn(self, early: Early) -> None:
        """Learn the events of the only label so far again, as -1."""
        player, record = copy.deepcopy(early.player), self.record.fresh()
        for x, importance in early.events:
            columns, values = self._row.encoded(x)
            starts = np.array([0, len(columns)])
            rows = Sparse(starts, np.array(columns, np.int32), np.array(values, float))
            player.grow(max(columns, default=-1) + 1)
            weights = None if importance == 1.0 else np.array([importance])
            player.play(rows, np.array([-1.0]), weights=weights)
            record.add(rows)
            record.labels.append(-1.0)
        self.player, self.record, self._bound = player, record, None

    def _remember(self, y: Hashable, target: float) -> None:
        """Remember what stands for a label, so that it is not asked again."""
        with suppress(TypeError):  # it may be no key, such as an array of one number
            self._targets[y] = target

    def _write_to_score(self, x: Event) -> None:
        """Write a row to be scored, and forget its new names."""
        # Where the start depends on d, names never seen have weights too; where rows
        # are scaled to length one, they are a part of that length.
        before = self._begin_event(x)
        try:
            if self.player.fixed or self.player.unknown_features_matter:
                self._write(x, before)
            else:
                self._row.write_any(x, before.rounds, None)
        finally:
            self._settle(before)

    def _grow(self, n_features: int) -> None:
        self._bound = None  # to arrays that are replaced
        super()._grow(n_features)

    def _settle(self, before: Before) -> None:
        """Put everything right by what the player has learned."""
        if self.player is not before.player and self.rounds == before.rounds:
            self._bound = None
        super()._settle(before)

    def _follow(self) -> None:
        self._bind_again()

    def _start(self) -> None:
        """Make the buffers, and know nothing of labels."""
        super()._start()
        self._target, self._score = np.zeros(1), np.zeros(1)
        # Views: what is read and written through them are floats, not numpy's.
        self._goal = self._target.data.cast("B").cast("d")
        self._found = self._score.data.cast("B").cast("d")
        self._targets: dict[Hashable, float] = {} if self.player.binary else Reals()
        self._bound: Sparse | None = None
        self._bind_again()

    def _bind_again(self) -> None:
        """Take hold of the machine code and of the arrays it works on, if others."""
        player, row, rows = self.player, self._row, self._row.rows
        if self._bound is rows:
            return
        self._bound = None
        player.make_tile(row.room)
        self._kernel, self._arguments = player.playing(rows, self._target)
        self._play = bound(self._kernel, self._arguments)
        self._read_and_play = chained(row.read, self._play, 1)
        self._read_and_score = self._first_read_and_score
        self._compute = self._first_score
        self._bound = rows

    def _first_score(self) -> None:
        """Take hold of what scores, once it is needed: who only learns never waits."""
        self._compute = bound(*self.player.scoring(self._row.rows, self._score))
        self._read_and_score = chained(self._row.read, self._compute, 0)
        self._compute()

    def _first_read_and_score(self, x: object) -> int:
        self._first_score()
        return self._read_and_score(x)

    def _refusal(self) -> str:
        """What is wrong with the row that the kernel refused."""
        rows, (low, high) = self._row.rows, self.player.allowed
        n = int(rows.starts[1])
        names = self.encoder.names
        for j, number in zip(rows.columns[:n], rows.values[:n].tolist(), strict=True):
            if not isfinite(number):
                return f"feature {names[j]!r}: {number} is not a finite number"
            if not low <= number <= high:
                return (
                    f"feature {names[j]!r}: {number:g} is outside [{low:g}, {high:g}], "
                    f"{self.player.advice}"
                )
        return too_large(rows.values[:n].tolist(), float(self._goal[0]))


class Reals(dict[Hashable, float]):
    """What stands for a label that is a number: itself."""

    def __missing__(self, y: Hashable) -> float:
        if isinstance(y, float) and y.__class__ is float and isfinite(y):
            return y
        raise KeyError(y)
