"""The rows of a fit, handed over once more: for theorems, which look at them again."""

from __future__ import annotations

from collections.abc import Iterator

from ...algorithms.learners.row_learner import RowLearner
from ...data import Batch
from ...runs.run import Run
from ...runs.session import Session
from .handed_over import HandedOver

__all__ = ["ReplayedRows"]


class ReplayedRows:
    """One batch, as many times as there were passes.

    Parameters
    ----------
    source : HandedOver
        What is known of the columns and of the labels.
    batch : Batch
        The rows.
    rounds : int
        How many were played in all.
    """

    whole = True
    again = True

    def __init__(self, source: HandedOver, batch: Batch, rounds: int) -> None:
        self.n_features = source.n_features
        self.names = source.names
        self.classes = source.classes
        self.n_rows: int | None = None
        self._batch = batch
        self._passes, left = divmod(rounds, max(batch.targets.size, 1))
        if left or not self._passes:
            raise ValueError(
                f"{rounds:,} rows were learned, but here are {batch.targets.size:,}"
            )

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        for _ in range(self._passes):
            yield self._batch

    def play(self, learner: RowLearner) -> Run:
        """The run of `learner` over them."""
        game = Session(learner, self)
        for batch in self.batches():
            game.take(batch)
        return game.run()
