"""Play a source to its end: the loop that one learner and many beside each other share.

Every batch is taken in order, watchers see it after it was played, and who stops
the stream stops it between two batches.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Self

from ..data import Batch, Source
from ..parts.state import Floats
from .watchers import Watcher


class SourcePlayer(abc.ABC):
    """Learners in the middle of a stream.

    Parameters
    ----------
    source : Source
        Where the batches come from.

    Attributes
    ----------
    ended : bool
        Whether the source has come to its end.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.ended = False

    @abc.abstractmethod
    def take(self, batch: Batch, scores: Floats | None = None) -> None:
        """Play a batch; write what was predicted into `scores`, where it is given."""

    @abc.abstractmethod
    def blank_scores(self, batch: Batch) -> Floats:
        """Room for the predictions of a batch, as :meth:`take` fills it."""

    def play(
        self,
        watchers: Sequence[Watcher[Self]] = (),
        until: Callable[[Iterator[Batch]], Iterator[Batch]] = iter,
    ) -> None:
        """Play the source to its end, or as far as `until` lets its batches come.

        Parameters
        ----------
        watchers : sequence of Watcher
            Told of every batch after it was played, and of the end.
        until : callable
            From the batches to those that are to be played.
        """
        scored = any(watcher.scored for watcher in watchers)
        complete = False

        def all_of(batches: Iterator[Batch]) -> Iterator[Batch]:
            nonlocal complete
            yield from batches
            complete = True

        with ExitStack() as stack:
            batches = all_of(self.source.batches())
            stack.callback(batches.close)  # type: ignore[attr-defined]
            for batch in until(batches):
                scores = self.blank_scores(batch) if scored else None
                self.take(batch, scores)
                for watcher in watchers:
                    watcher.after(batch, scores, self)
        self.ended = complete
        for watcher in watchers:
            watcher.last(self)
