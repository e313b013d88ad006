"""Many learners in one pass: every batch is read once and played by all.

The learners are played in threads, and none learns anything from the others: each run
is, bit for bit, the one that the learner would have had alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..algorithms.played import played_by
from ..data import Batch, ReadOptions, Source
from ..engine.players.player import Player
from ..errors import BadRow
from ..parts.state import Floats
from ..parts.waiting import waiting
from .choosing import TAKES
from .many_runs import Runs
from .opening import open_rows
from .session import Session
from .session_options import SessionOptions
from .source_player import SourcePlayer
from .watchers import OnBatch

if TYPE_CHECKING:
    from ..algorithms.learners.row_learner import RowLearner
    from ..evidence.row_record import RowRecord


def play_many(
    learners: Sequence[object],
    X: object = None,
    y: object = None,
    *,
    asked: SessionOptions,
    options: ReadOptions | None = None,
    keep: bool = False,
    models: Iterable[str] = (),
    length: int | None = None,
    on_batch: Callable[[ManyPasses], object] | None = None,
) -> Runs:
    """Play all `learners` over the rows of X, as :func:`regretless.play` says."""
    opened = open_rows(asked, checked_learners(learners), X, y, read=options)
    game = ManyPasses(
        checked_learners(opened.learners),
        opened.source,
        models=tuple(models),
        length=length,
        keep=keep,
        skip=opened.skip,
    )
    with waiting(f"learning, {len(learners):,} learners"):
        game.play([] if on_batch is None else [OnBatch(on_batch)])
    return game.runs()


def checked_learners(learners: Sequence[Any]) -> list[RowLearner]:
    """The learners, all of rows and all for one kind of labels."""
    if not learners:
        raise ValueError("there are no learners to play")
    for learner in learners:
        if played_by(learner) != "rows":
            hint = "; did you forget the ()?" if isinstance(learner, type) else ""
            raise TypeError(f"{learner!r:.60} cannot be played beside others{hint}")
    tasks = {learner.task: learner for learner in learners}
    if len(tasks) > 1:
        (one, first), (other, second), *_ = tasks.items()
        raise ValueError(
            f"{first!r} takes {TAKES[one]} and {second!r} takes {TAKES[other]}: "
            "they cannot learn from the same labels"
        )
    return list(learners)


class ManyPasses(SourcePlayer):
    """Learners in the middle of one stream.

    Parameters
    ----------
    learners : sequence of learners
        Who plays.
    source : Source
        Where the batches come from.
    models : iterable of str, or of one such iterable a learner
        What to keep on the way.
    length, keep, skip
        As of :class:`Session`.
    measure : bool
        Whether to measure all learners, as of :class:`Session`; else those with
        probabilities, which the best one is chosen by.
    """

    def __init__(
        self,
        learners: Sequence[RowLearner],
        source: Source,
        *,
        models: Iterable[str] | Iterable[tuple[str, ...]] = (),
        length: int | None = None,
        keep: bool = False,
        skip: bool = False,
        measure: bool = False,
    ) -> None:
        kinds: Any = tuple(models)
        if not kinds or isinstance(kinds[0], str):
            kinds = (kinds,) * len(learners)
        super().__init__(source)
        self.passes = [
            Session(
                learner,
                source,
                models=some,
                length=length,
                skip=skip,
                measure=measure or learner.probabilistic,
                threads=1,  # everybody has a thread already
            )
            for learner, some in zip(learners, kinds, strict=True)
        ]
        self.failures: dict[int, BadRow] = {}
        self._begun = False
        self._kept: list[Batch] | None = None
        if keep and not source.rereadable:
            self._kept = []

    @property
    def rounds(self) -> int:
        """Rounds of the first learner, who stands for all in what is shown."""
        return self.passes[0].rounds

    @property
    def player(self) -> Player | None:
        """The player of the first learner."""
        return self.passes[0].player

    @property
    def record(self) -> RowRecord:
        """What the first learner remembers of its rows."""
        return self.passes[0].record

    @property
    def length(self) -> int | None:
        """The number of rounds, where it is known or declared."""
        return self.passes[0].length

    def blank_scores(self, batch: Batch) -> Floats:
        """Room for predictions, of which there are none here."""
        raise ValueError("the scores of rows are those of one learner: play it alone")

    def take(self, batch: Batch, scores: Floats | None = None) -> None:
        """Let everybody play a batch.

        A learner that refuses a row which others accept is out: its run ends there. A
        row that all refuse raises :class:`BadRow`.
        """
        if not self._begun:
            for each in self.passes:
                each.start(batch)
            self._begun = True
        if self._kept is not None:
            self._kept.append(batch)
        for number, error in self._each(batch):
            self.failures.setdefault(number, error)
        if len(self.failures) == len(self.passes):
            raise next(iter(self.failures.values()))
        if batch.failure is not None:
            raise batch.failure

    def runs(self) -> Runs:
        """The receipts of everybody so far, or at the end of the data."""
        for each in self.passes:
            each.kept = self._kept
            each.ended = self.ended
        found = [each.run() for each in self.passes]
        for number, failure in self.failures.items():
            found[number] = replace(found[number], stopped=str(failure))
        return Runs(tuple(found), dict(self.failures))

    def _each(self, batch: Batch) -> list[tuple[int, BadRow]]:
        """Let all that are not out play the batch; who failed, and why."""
        playing = [k for k in range(len(self.passes)) if k not in self.failures]
        played = batch._replace(failure=None)
        workers = min(len(playing), os.cpu_count() or 1)

        def take(number: int) -> list[tuple[int, BadRow]]:
            try:
                self.passes[number].take(played)
            except BadRow as error:
                return [(number, error)]
            return []

        if workers < 2:
            found = map(take, playing)
        else:
            with ThreadPoolExecutor(workers) as pool:
                found = list(pool.map(take, playing))
        return [failure for failures in found for failure in failures]
