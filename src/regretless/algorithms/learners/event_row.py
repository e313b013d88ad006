"""The row of one event: buffers that live as long as the game, and who fills them.

A kernel takes the event apart (``kernels.event``). It remembers the names of the last
row: streams often repeat them (all of them, where the schema is fixed), and events are
predicted before they are learned. What it cannot make a row of is looked at here: names
that are new, words in place of numbers, text, a bad value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeAlias, cast

import numpy as np

from ...data.encoding import Encoder
from ...data.encoding.text import count_words
from ...errors import BadRow
from ...parts.rows import Sparse

__all__ = ["Event", "EventRow"]

ROOM = 64

Event: TypeAlias = "Mapping[Any, object] | str"
"""Features by name, or a text."""


class EventRow:
    """A batch of one row, written anew for every event.

    Attributes
    ----------
    rows : Sparse
        The batch. It is another object after :meth:`widen`.
    encoder : Encoder
        The names and their columns.
    read : callable
        Writes a dict; how many names are others than in the last row,
        or a negative number where it must be looked at.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.widen(ROOM)

    def __getstate__(self) -> Encoder:
        """What a copy needs; it makes its own buffers."""
        return self.encoder

    def __setstate__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.widen(ROOM)

    def widen(self, room: int) -> None:
        """Make buffers for rows with this many features."""
        from ...engine.kernels.compiled import entry
        from ...engine.kernels.event import PLAIN, read_event

        starts, cell, names = (np.zeros(n, np.int64) for n in (2, 3, room))
        rows = Sparse(starts, np.zeros(room, np.int32), np.zeros(room))
        kinds = np.array([id(kind) for kind in PLAIN], np.int64)
        alive: list[object] = [None] * room  # names are compared by address
        owners = (self.encoder.numbers, alive)
        buffers = (kinds, *map(id, owners), cell, names, *rows)
        read = entry(read_event, (0, *buffers)).bind_rest(*buffers)
        self.room, self._names, self._owners = room, names, owners
        self.read, self.rows = read, rows

    def write(self, x: Event) -> bool:
        """Write the event, if all of its names are known and its values are numbers."""
        return x.__class__ is dict and self.read(x) >= 0

    def write_any(
        self, x: Event, row: int, grow: Callable[[list[Hashable]], None] | None
    ) -> None:
        """Write the event; names that are new are added, or left out.

        `grow` makes room for new ones, before they are added; None: they are left out.

        Raises
        ------
        BadRow
            Where there is no row to make of it; names may have been added.
        """
        if self.encoder.plain and self.write(x):
            return
        features = self.encoder.features(self._mapping(x, row), row)
        if grow is None:
            known = self.encoder.numbers
            features = {
                name: value for name, value in features.items() if name in known
            }
        else:
            self.encoder.add(features, row, grow)
        if len(features) > self.room:
            self.widen(2 * len(features))
        if not self.write(features):
            raise BadRow(row, f"a name cannot be compared with others: {x!r:.60}")

    def put(self, columns: list[int], values: list[float]) -> None:
        """Write a row whose columns are known."""
        n = len(columns)
        if n > self.room:
            self.widen(2 * n)
        self.forget()
        self.rows.starts[1] = n
        self.rows.columns[:n] = columns
        self.rows.values[:n] = values

    def encoded(self, x: Event) -> tuple[list[int], list[float]]:
        """The columns and values of an event whose names are known."""
        return self.encoder.encode(self._mapping(x, 0), 0)

    def forget(self) -> None:
        """Forget the names of the last row."""
        self._names.fill(0)

    def _mapping(self, x: object, row: int) -> Mapping[Hashable, object]:
        if isinstance(x, str):
            return {**count_words(x)}
        if not isinstance(x, Mapping):
            raise BadRow(
                row, f"x is not a dict of features by name, nor a text: {x!r:.60}"
            )
        return cast("Mapping[Hashable, object]", x)
