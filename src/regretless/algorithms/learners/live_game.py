"""One event of two classes, or of amounts: by the code that plays whole files."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from ...data.encoding import AmountLabels, TwoClassLabels, weight_of
from ...data.schema import Schema
from ...engine.feature_names import numbered, weights_by_name
from ...engine.players.row_player import Call, RowPlayer
from ...engine.storage import Range, checked_array, keep
from ...parts.documents import Document
from ...parts.rows import Sparse
from ...parts.state import Floats
from .event_game import NOT_BOUND, EventGame
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


class Live(EventGame[RowPlayer, TwoClassLabels | AmountLabels, float]):
    """A game played event by event.

    Attributes
    ----------
    only : float or None
        What stands for the only label so far, of two classes; None where none has come,
        or both have.
    """

    changing = ("player", "labels", "encoder", "weighted", "record", "early", "only")

    kept = keep(only=(None, Range(-1.0, -1.0), Range(1.0, 1.0)))

    def __init__(
        self, player: RowPlayer, limit: int | None, schema: Schema | None
    ) -> None:
        labels = TwoClassLabels() if player.binary else AmountLabels()
        super().__init__(player, labels, limit, schema)
        self.early: Early | None = None
        self.only: float | None = None
        self._start()

    @property
    def learns_again(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether all events so far had one label."""
        return self.early is not None

    def _learning(self) -> list[Call]:
        """What the player calls to learn the row."""
        return self.player.learning(self._row.rows, self._target, self._importance)

    def _said(self, x: Event) -> float:
        """The score."""
        score = self._found[0]
        if not -inf < score < inf and not isinstance(x, str):
            self.encoder.features(x, self.rounds)  # says what is not a finite number
        return score

    def _new_answer(self) -> Floats:
        answer = np.zeros(1)
        self._found = answer.data.cast("B").cast("d")
        return answer

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

    def named_weights(self) -> dict[Hashable, float]:
        """Weights by name."""
        self.refuse_inner()
        with self.lock:
            self.settle()
            return weights_by_name(self.encoder.names, self.player.weights())

    def state_dict(self) -> Document:
        """The same, with the events of a label that is alone so far."""
        found = super().state_dict()
        if self.early is not None and self.early.events:
            rows = [self._row.encoded(x) for x, _ in self.early.events]
            found["early"] = {
                "starts": np.cumsum([0, *(len(columns) for columns, _ in rows)]),
                "columns": np.array([j for columns, _ in rows for j in columns], int),
                "values": np.array([v for _, values in rows for v in values], float),
                "weights": np.array([weight for _, weight in self.early.events]),
            }
        return found

    def resume(self, stored: Document, make: Callable[[int], RowPlayer]) -> None:
        """Restore from `stored`; raise ``ValueError`` if it is invalid."""
        start = self.player
        super().resume(stored, make)
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
        names = dict(numbered(self.encoder.names, self.encoder.width))
        inside = all(j in names for j in columns.tolist())
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
            features = self._write(x, before)
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
            self._play_coded(before, importance, features)
        finally:
            self._settle(before)
        if labels.settled and self.player.binary:
            self._remember(y, target)

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
        self.player, self.record, self._held = player, record, NOT_BOUND

    def _start(self) -> None:
        super()._start()
        if not self.player.binary:
            self._targets = Reals()


class Reals(dict[Hashable, float]):
    """What stands for a label that is a number: itself."""

    def __missing__(self, y: Hashable) -> float:
        if isinstance(y, float) and y.__class__ is float and isfinite(y):
            return y
        raise KeyError(y)
