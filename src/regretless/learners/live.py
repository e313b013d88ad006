"""One event at a time, through the same machine code that plays whole files.

An event is written into buffers that live as long as the game, and the kernel is called
on a batch of one. Streams often repeat the names of the last event (all of them, where
the schema is fixed), so the last row of names is kept and compared by identity first.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np

from ..encoding import Encoder, Labels
from ..errors import BadRow
from ..parts.observers import ROUNDS
from ..parts.rows import Biased, Sparse
from ..player import Player

__all__ = ["Live"]


class Live:
    """A game played event by event."""

    def __init__(self, player: Player, limit: int | None) -> None:
        self.player = player
        self.labels = Labels(player.binary)
        self.encoder = Encoder(limit)
        self._target = np.zeros(1)
        self._score = np.zeros(1)
        self._make_buffers(64)

    def learn(self, x: Mapping[Any, Any], y: Any) -> None:
        """Play one round."""
        negative, positive = self.labels.negative, self.labels.positive
        known = len(self.encoder.numbers)
        try:
            self._target[0] = self.labels.encode_one(y, self.rounds)
            self._write(x, grow=True)
            if self._arguments is None:
                self._bind()
            if self._learn(*self._arguments) == 0:
                raise BadRow(self.rounds, self._refusal(x))
        except BadRow:
            self.labels.negative, self.labels.positive = negative, positive
            if len(self.encoder.numbers) > known:
                self.encoder.forget(known)
                self._names = None
            raise

    def score(self, x: Mapping[Any, Any]) -> float:
        """The score of one event; names never seen have their starting weight."""
        self._write(x, grow=self.player.fixed)
        if self._arguments is None:
            self._bind()
        self._compute(*self._score_arguments)
        return self._score.item()

    def predict(self, x: Mapping[Any, Any]) -> Any:
        """The predicted label, or number."""
        score = self.score(x)
        classes = self.labels.classes
        return score if classes is None else classes[score > 0.0]

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self.player.books.counts[ROUNDS])

    def named_weights(self) -> dict[Any, float]:
        """Weights by name."""
        weights = self.player.weights().tolist()
        return dict(zip(self.encoder.numbers, weights, strict=False))

    def _write(self, x: Mapping[Any, Any], *, grow: bool) -> None:
        """Write the event into the buffers."""
        names = list(x)
        n = len(names)
        if n > self._room:
            self._make_buffers(2 * n)
        if names != self._names:
            self._names = None
            numbers = self.encoder.numbers
            try:
                columns = itemgetter(*names)(numbers) if n > 1 else [numbers[names[0]]]
            except (KeyError, IndexError):
                if not grow:
                    x = {name: value for name, value in x.items() if name in numbers}
                    return self._write(x, grow=True)
                columns, _ = self.encoder.encode(x, self.rounds)
                if len(numbers) > self.player.n_features:
                    self.player.grow(len(numbers))
                    self._arguments = None
            integers(n).pack_into(self._columns, 0, *columns)
            self._names = names
        try:
            doubles(n).pack_into(self._values, 0, *x.values())
        except struct.error:
            self._names = None
            self.encoder.encode(x, self.rounds)  # says which value is not a number
            raise
        self._starts[1] = n
        return None

    def _make_buffers(self, room: int) -> None:
        self._room = room
        self._starts = np.zeros(2, np.int64)
        self._rows = Sparse(self._starts, np.zeros(room, np.int32), np.zeros(room))
        self._columns = memoryview(self._rows.columns.data).cast("B")
        self._values = memoryview(self._rows.values.data).cast("B")
        self._names: list[Any] | None = None
        self._arguments: Any = None

    def _bind(self) -> None:
        """Take hold of the machine code and of the arrays it works on."""
        from ..kernels.compiled import entry
        from ..kernels.linear import score_rows

        player = self.player
        if self._room + player.bias > player.state.scratch.size:
            player.state = player.state._replace(scratch=np.zeros(self._room + 1))
        rows: Any = Biased(self._rows) if player.bias else self._rows
        state = player.state
        self._arguments = (player.parts, state, player.books, rows, self._target)
        self._score_arguments = (player.parts, state, rows, self._score)
        self._learn = player.kernel(self._arguments)
        self._compute = entry(score_rows, self._score_arguments)

    def _refusal(self, x: Mapping[Any, Any]) -> str:
        """What is wrong with an event that the kernel refused."""
        low, high = self.player.parts.low, self.player.parts.high
        for name, value in x.items():
            number = float(value)
            if not np.isfinite(number):
                return f"feature {name!r}: {number} is not a finite number"
            if not low <= number <= high:
                return (
                    f"feature {name!r}: {number:g} is outside [{low:g}, {high:g}], "
                    f"{self.player.advice}"
                )
        return "its numbers are so large that |x|^2 is not finite"


@cache
def integers(n: int) -> struct.Struct:
    """Packs n int32."""
    return struct.Struct(f"{n}i")


@cache
def doubles(n: int) -> struct.Struct:
    """Packs n float64."""
    return struct.Struct(f"{n}d")
