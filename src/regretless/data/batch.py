"""What streams hand to players: a batch of rows with their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..engine.feature_names import Names
from ..errors import BadRow
from ..parts.documents import Document
from ..parts.rows import Dense, Longs, Sparse
from ..parts.state import Floats
from .chunk import Array
from .input_rows import InputRows
from .selection import chosen_of


class Batch(NamedTuple):
    """Some rows in order.

    Attributes
    ----------
    rows : Dense or Sparse
        The features.
    targets : ndarray
        The labels as kernels take them; nan: none, the row is only predicted.
    n_features : int
        How many features there are so far.
    failure : BadRow or None
        Set when the row after the last one is bad: what comes before it is played, then
        the failure is raised.
    weights : ndarray or None
        The importance of every row; None where all have 1.
    where : callable or None
        From a row of the batch to "file:line", for messages.
    mark : dict or None
        Where the stream stands after this batch, as plain data: to go on from here.
    tags : ndarray or None
        What rows are called; None: not asked for, or none has a tag or an id.
    inputs : InputRows or None
        Which rows of the input these are, and why others are missing; None where
        it was not asked for.
    """

    rows: Dense | Sparse
    targets: Floats
    n_features: int
    failure: BadRow | None = None
    weights: Floats | None = None
    where: Callable[[int], str] | None = None
    mark: Document | None = None
    tags: Array | None = None
    inputs: InputRows | None = None


class Source(Protocol):
    """Where rows come from."""

    @property
    def n_features(self) -> int | None:
        """How many features there are; None where they appear as we go."""
        ...

    @property
    def names(self) -> Names | None:
        """The features' names (so far), where they have any."""
        ...

    @property
    def classes(self) -> tuple[object, ...] | None:
        """The labels that became -1 and +1, or all classes; None for real labels."""
        ...

    @property
    def n_rows(self) -> int | None:
        """How many rows there are; None while that is not known."""
        ...

    @property
    def whole(self) -> bool:
        """Whether all rows are at hand: then an error is about the call, not a row."""
        ...

    @property
    def rereadable(self) -> bool:
        """Whether :meth:`batches` may be called a second time."""
        ...

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        ...


class SourceView:
    """A source with other batches: all else is as in the source behind it."""

    n_features: int | None
    names: Names | None
    classes: tuple[object, ...] | None
    whole: bool
    rereadable: bool

    def __init__(self, source: Source) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)


def one_row(rows: Dense | Sparse, i: int) -> Dense | Sparse:
    """Row `i` as a batch of its own."""
    if isinstance(rows, Dense):
        lo = i * rows.width
        return Dense(rows.values[lo : lo + rows.width], rows.width)
    lo, hi = rows.starts[i], rows.starts[i + 1]
    starts = np.array([0, hi - lo], np.int64)
    return Sparse(starts, rows.columns[lo:hi], rows.values[lo:hi])


def taken(batch: Batch, chosen: Longs) -> Batch:
    """The rows of a batch whose numbers are `chosen`, in that order."""
    if chosen.size == batch.targets.size:
        return batch
    part, first = chosen_of(batch, chosen), batch.where
    if first is None:
        return part
    return part._replace(where=lambda i: first(int(chosen[i])))  # pyright: ignore[reportUnknownLambdaType]


def nothing(failure: BadRow, width: int) -> Batch:
    """A batch of no rows, after which the stream cannot go on."""
    empty = Sparse(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0))
    return Batch(empty, np.empty(0), width, failure)
