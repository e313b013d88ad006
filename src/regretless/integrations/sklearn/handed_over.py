"""The source of rows that come in calls of ``fit`` and ``partial_fit``."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ...data import Batch, ReadOptions
from ...engine.feature_names import Names
from .frames import FrameColumns
from .labels import Code


class HandedOver:
    """The source of rows that the caller holds, and hands over in batches.

    Parameters
    ----------
    n_features : int
        How many features rows have.
    names : tuple or None
        The names of columns of numbers.
    code : Code
        What labels stand for.
    frame : FrameColumns or None
        What the columns of frames mean, where they are more than numbers.
    batches : tuple of Batch
        All of them, where they are handed over once more.
    """

    n_rows: int | None = None

    def __init__(
        self,
        n_features: int,
        names: Names | None,
        code: Code,
        frame: FrameColumns | None = None,
        batches: tuple[Batch, ...] = (),
    ) -> None:
        self._width = n_features
        self._names = names
        self.code = code
        self.frame = frame
        self._batches = batches
        self.whole = self.rereadable = bool(batches)

    @property
    def classes(self) -> tuple[Hashable, ...] | None:
        """The labels, as far as they are known."""
        return self.code.labels

    @property
    def n_features(self) -> int:
        """How many features rows have, so far."""
        return self._width if self.frame is None else self.frame.width

    @property
    def names(self) -> Names | None:
        """The names of features, so far."""
        return self._names if self.frame is None else self.frame.names

    @property
    def options(self) -> ReadOptions | None:
        """How frames are read."""
        return None if self.frame is None else self.frame.options

    def batches(self) -> Iterator[Batch]:
        """Those that are at hand."""
        return iter(self._batches)
