"""The source of rows that come in calls of ``fit`` and ``partial_fit``."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from ...data import Batch, ReadOptions
from ...parts.documents import Document
from .frames import FrameColumns
from .labels import Code

__all__ = ["HandedOver"]


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
    batch : Batch or None
        All rows of a pass, where they are handed over once more.
    passes : int
        How many passes there are of it.
    """

    n_rows: int | None = None

    def __init__(
        self,
        n_features: int,
        names: tuple[Hashable, ...] | None,
        code: Code,
        frame: FrameColumns | None = None,
    ) -> None:
        self.n_features = n_features
        self.names = names
        self.code = code
        self.frame = frame
        self.batch: Batch | None = None
        self.passes = 1

    @property
    def whole(self) -> bool:
        """Whether all rows are at hand."""
        return self.batch is not None

    again = whole

    @property
    def classes(self) -> tuple[Hashable, ...] | None:
        """The labels, as far as they are known."""
        return self.code.labels

    @property
    def named(self) -> Mapping[int, Hashable] | None:
        """The names of features of frames, so far."""
        return None if self.frame is None else self.frame.names

    @property
    def declared(self) -> Document:
        """What a schema has declared of frames."""
        return {} if self.frame is None else self.frame.declared

    @property
    def options(self) -> ReadOptions | None:
        """How frames are read."""
        return None if self.frame is None else self.frame.options

    def batches(self) -> Iterator[Batch]:
        """Those of the passes; none where rows are not kept."""
        if self.batch is not None:
            for _ in range(self.passes):
                yield self.batch
