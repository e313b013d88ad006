"""One event at a time, through the same machine code that plays whole files.

An event is written into buffers that live as long as the game, and the kernel is called
on a batch of one. Streams often repeat the names of the last event (all of them, where
the schema is fixed), and events are predicted before they are learned, so what was
written last is kept and compared: equal objects cost nothing to compare, and packing
seventy numbers costs as much as all the rest.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np

from ..encoding import Encoder, Labels
from ..errors import BadRow
from ..panel_player import PanelPlayer
from ..parts.observers import ROUNDS
from ..parts.rows import Sparse
from ..player import Player, too_large
from ..regression_player import RegressionPlayer

__all__ = ["Live"]


class Live:
    """A game played event by event."""

    def __init__(
        self, player: Player | PanelPlayer | RegressionPlayer, limit: int | None
    ) -> None:
        self.player = player
        self.labels = Labels(player.binary)
        self.encoder = Encoder(limit)
        self.rounds = int(player.books.counts[ROUNDS])
        self._target = np.zeros(1)
        self._score = np.zeros(1)
        self._make_buffers(64)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs; it makes its own buffers."""
        names = ("player", "labels", "encoder", "rounds")
        return {name: getattr(self, name) for name in names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._target = np.zeros(1)
        self._score = np.zeros(1)
        self._make_buffers(64)

    def learn(self, x: Mapping[Any, Any], y: Any) -> None:
        """Play one round."""
        labels = self.labels
        negative, positive = labels.negative, labels.positive
        known, n_features = len(self.encoder.numbers), self.player.n_features
        try:
            self._target[0] = labels.encode_one(y, self.rounds)
            self._write(x, grow=True)
            if not self._bound:
                self._bind()
            if self._learn(*self._arguments) == 0:
                raise BadRow(self.rounds, self._refusal(x))
        except Exception:
            labels.negative, labels.positive = negative, positive
            self.player.n_features = n_features
            self._forget(known)
            raise
        self.rounds += 1

    def score(self, x: Mapping[Any, Any]) -> float:
        """The score of one event; names never seen have their starting weight."""
        player = self.player
        known, n_features = len(self.encoder.numbers), player.n_features
        try:
            self._write(x, grow=player.fixed or player.foresees)
        finally:
            self._forget(known)
            player.n_features = n_features
        if not self._bound:
            self._bind()
        self._compute(*self._score_arguments)
        score = self._score.item()
        if not math.isfinite(score):
            self.encoder.check(x, self.rounds)
        return score

    def predict(self, x: Mapping[Any, Any]) -> Any:
        """The predicted label, or number."""
        score = self.score(x)
        label = self.labels.positive if score > 0.0 else self.labels.negative
        if label is not None:
            return label
        classes = self.labels.classes  # that label has not come yet, or there are none
        return score if classes is None else classes[score > 0.0]

    def named_weights(self) -> dict[Any, float]:
        """Weights by name."""
        weights = self.player.weights().tolist()
        return dict(zip(self.encoder.numbers, weights, strict=False))

    def _write(self, x: Mapping[Any, Any], *, grow: bool) -> None:
        """Write the event into the buffers, as far as it is not there already."""
        if x.__class__ is not dict:
            self._refuse_other(x)
        names = list(x)
        values = list(x.values())
        if names == self._names:
            if x is self._event and values == self._written:
                return
        elif not self._write_names(x, names, grow=grow):
            known = {name: x[name] for name in names if name in self.encoder.numbers}
            self._write(known, grow=True)
            return
        self._event = None
        try:
            self._pack(self._values, 0, *values)
        except (struct.error, TypeError, ValueError, OverflowError):
            numbers = self.encoder.check(x, self.rounds)  # says what is not a number
            self._pack(self._values, 0, *numbers)
        self._event = x
        self._written = values

    def _write_names(
        self, x: Mapping[Any, Any], names: list[Any], *, grow: bool
    ) -> bool:
        """Write the columns; False if a name is new and must not be added."""
        self._names = None
        n = len(names)
        if n > self._room:
            self._make_buffers(2 * n)
        numbers = self.encoder.numbers
        try:
            columns = itemgetter(*names)(numbers) if n > 1 else [numbers[names[0]]]
        except (KeyError, IndexError):
            if not grow:
                return False
            columns, _ = self.encoder.encode(x, self.rounds)
            if len(numbers) > self.player.n_features:
                self.player.grow(len(numbers))
                self._bound = False
        integers(n).pack_into(self._columns, 0, *columns)
        self._starts[1] = n
        self._pack = doubles(n).pack_into
        self._names = names
        return True

    def _refuse_other(self, x: object) -> None:
        if not isinstance(x, Mapping):
            raise BadRow(self.rounds, f"x is not a dict of features by name: {x!r:.60}")

    def _forget(self, known: int) -> None:
        """Drop all names but the first `known`."""
        if len(self.encoder.numbers) > known:
            self.encoder.forget(known)
            self._names = None

    def _make_buffers(self, room: int) -> None:
        self._room = room
        self._starts = np.zeros(2, np.int64)
        self._rows = Sparse(self._starts, np.zeros(room, np.int32), np.zeros(room))
        self._columns = memoryview(self._rows.columns.data).cast("B")
        self._values = memoryview(self._rows.values.data).cast("B")
        self._names: list[Any] | None = None
        self._event: Mapping[Any, Any] | None = None
        self._written: list[Any] = []
        self._bound = False

    def _bind(self) -> None:
        """Take hold of the machine code and of the arrays it works on."""
        player = self.player
        player.make_tile(self._room)
        self._learn, self._arguments = player.playing(self._rows, self._target)
        self._compute, self._score_arguments = player.scoring(self._rows, self._score)
        self._bound = True

    def _refusal(self, x: Mapping[Any, Any]) -> str:
        """What is wrong with an event that the kernel refused."""
        low, high = self.player.allowed
        for name, value in x.items():
            number = float(value)
            if not np.isfinite(number):
                return f"feature {name!r}: {number} is not a finite number"
            if not low <= number <= high:
                return (
                    f"feature {name!r}: {number:g} is outside [{low:g}, {high:g}], "
                    f"{self.player.advice}"
                )
        return too_large(float(value) for value in x.values())


@cache
def integers(n: int) -> struct.Struct:
    """Packs n int32."""
    return struct.Struct(f"{n}i")


@cache
def doubles(n: int) -> struct.Struct:
    """Packs n float64."""
    return struct.Struct(f"{n}d")
