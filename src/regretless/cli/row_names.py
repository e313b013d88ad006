"""What rows are called in tables of predictions; no two may have one name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..data.input_rows import InputRows
from .table_files import Column

if TYPE_CHECKING:
    from ..data import Batch, ReadOptions
    from ..data.chunk import Array
    from ..parts.state import Bools, Floats

FIXED = ("prediction", "low", "high", "probability", "score", "reason")
BY_CLASS = ("p", "set", "score")
"""What the columns of classes begin with."""
MOST = 1 << 24  # ids that are compared


class RowNames:
    """Calls rows by an id column, by numbers and tags, or by numbers.

    Parameters
    ----------
    options : ReadOptions
        How the rows are read.
    """

    def __init__(self, options: ReadOptions) -> None:
        self._id = None if options.id is None else str(options.id)
        self._tags = options.format == "vw"
        self._unique = None if self._id is None else UniqueIds(self._id)
        self._rows = 0

    def columns(self, inputs: InputRows) -> list[Column]:
        """The leading columns of the next rows."""
        numbers = np.arange(self._rows + 1, self._rows + 1 + inputs.n, dtype=np.int64)
        self.count(inputs.n, inputs.ids)
        ids = np.full(inputs.n, "", object) if inputs.ids is None else inputs.ids
        if self._id is not None:
            return [Column(self._id, ids)]
        tags = [Column("tag", ids)] if self._tags else []
        return [Column("row", numbers), *tags]

    def count(self, n: int, ids: Array | None) -> None:
        """Know that the next rows are called so; ValueError where one was before."""
        if self._unique is not None and ids is not None:
            self._unique.feed(ids, self._rows + 1)
        self._rows += n

    def check(self, classes: Sequence[object] | None) -> None:
        """Refuse an id column that has the name of another column of the predictions.

        Raises
        ------
        ValueError
            In one line.
        """
        known = [str(label) for label in classes or ()]
        taken = {*FIXED, *(f"{kind}_{one}" for kind in BY_CLASS for one in known)}
        if self._id in taken or re.fullmatch(r"(p|set|score)_\d+", self._id or ""):
            raise ValueError(
                f"--id {self._id}: predictions have a column of that name: call it "
                "otherwise in the data"
            )


class UniqueIds:
    """Raises ValueError at the first id that has come before.

    Parameters
    ----------
    name : str
        The column.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._known: list[Array] = []  # sorted; each at most half of the one before
        self._count = 0

    def feed(self, ids: Array, first: int) -> None:
        """Compare the ids of the next rows, which are numbered from `first` on."""
        if self._count >= MOST or not len(ids):
            return
        codes = ids
        if ids.dtype == object:
            codes = np.fromiter(map(hash, ids), np.int64, len(ids))
        ranked = np.sort(codes)
        again = bool((ranked[1:] == ranked[:-1]).any())
        if again or any(_among(ranked, known).any() for known in self._known):
            row = self._row(codes)
            raise ValueError(self._said(ids[row], first + row))
        self._count += ranked.size
        self._known.append(ranked)
        while len(self._known) > 1 and self._known[-2].size < 2 * self._known[-1].size:
            last = self._known.pop()
            self._known[-1] = np.sort(np.concatenate([self._known[-1], last]))

    def _row(self, codes: Array) -> int:
        """The first of these rows whose id has come before."""
        again = np.ones(codes.size, np.bool_)
        again[np.unique(codes, return_index=True)[1]] = False
        for known in self._known:
            again |= _among(codes, known)
        return int(again.argmax())

    def _said(self, found: object, row: int) -> str:
        what = f"the id {found!s:.40} a second time"
        if isinstance(found, str) and not found:
            what = "no id, as a row before it"
        return (
            f"--id {self._name}: row {row:,} has {what}: predictions could not be "
            "joined by it (without --id they have row numbers)"
        )


class NoIdTwice:
    """A watcher of a training that writes no predictions: no id comes twice.

    Parameters
    ----------
    names : RowNames
        By a column of ids.
    """

    scored = False

    def __init__(self, names: RowNames) -> None:
        self._names = names

    def after(self, batch: Batch, scores: Floats | None, session: object) -> None:
        """Compare the ids of a batch."""
        if batch.inputs is not None:
            self._names.count(batch.inputs.n, batch.inputs.ids)

    def last(self, session: object) -> None:
        """Nothing is left to do."""


def _among(codes: Array, known: Array) -> Bools:
    """Which of the codes are in a sorted array."""
    places = known.searchsorted(codes)
    return known[places.clip(max=known.size - 1)] == codes
