"""Many learners on a cluster: each plays all of the data, many at the same time.

Learners that share a task share one pass over the data. Each run is, bit for bit, the
one that the learner would have had alone, so nothing depends on who shares with whom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...algorithms.learners.linear_learner import check_whole
from ...algorithms.learners.row_learner import RowLearner
from ...data.file_source import FileSource
from ...data.formats.readers import Wanted
from ...data.read_options import ReadOptions
from ...errors import BadRow
from ...runs.many_learners import ManyPasses, checked_learners
from ...runs.many_runs import Runs
from ...runs.opening import direct_for
from ...runs.replayable_game import LinearGame, PlayedSource
from ...runs.run import Run
from .task_pool import StopAsked, TaskPool
from .work import reporting

TOGETHER = 8  # learners in one pass, at most: so many are fused


def play_some(
    learners: Sequence[RowLearner],
    files: object,
    n_features: int | None,
    models: tuple[str, ...],
    options: ReadOptions,
) -> list[tuple[Run, BadRow | None]]:
    """Play some learners in one pass; what a worker does."""
    source = _source(learners, files, n_features, options)
    skip = options.on_bad_rows == "skip"
    game = ManyPasses(learners, source, models=models, skip=skip)
    game.play()
    runs = game.runs()
    return [
        (replace(run, game=_rest(run)), runs.failures.get(k))
        for k, run in enumerate(runs)
    ]


def play_many(
    pool: TaskPool,
    learners: Sequence[RowLearner],
    files: object,
    n_features: int | None,
    models: tuple[str, ...],
    options: ReadOptions,
) -> Runs:
    """All learners as one table."""
    known = checked_learners(learners)
    check_whole("n_features", n_features)
    source = _source(known, files, n_features, options)
    if not source.rereadable:
        raise ValueError("a cluster reads files, not streams")
    each = min(TOGETHER, max(1, -(-len(known) // pool.cores)))
    parts = [known[k : k + each] for k in range(0, len(known), each)]
    if options.threads is None:
        options = replace(options, threads=1)  # learners of a task take turns
    task = pool.task(reporting(play_some))
    calls = [
        partial(task.remote, part, files, n_features, models, options) for part in parts
    ]
    try:
        ended = sorted(pool.outcomes(calls), key=lambda outcome: outcome.number)
    except StopAsked:
        raise KeyboardInterrupt("interrupted before all learners had played") from None
    found = [one for outcome in ended for one in outcome.first]
    failures = {k: error for k, (_, error) in enumerate(found) if error is not None}
    runs = [_attached(run, files, n_features, options) for run, _ in found]
    return Runs(tuple(runs), failures)


def _source(
    learners: Sequence[RowLearner],
    files: object,
    n_features: int | None,
    options: ReadOptions,
) -> FileSource:
    """The rows as these learners take them."""
    wanted, binary = Wanted(direct=direct_for(learners)), learners[0].binary
    return FileSource(files, options, wanted, binary=binary, n_features=n_features)


def _rest(run: Run) -> tuple[int, int, tuple[int, ...]]:
    """What is left of a game on the way home: what tells which rows were played."""
    game: Any = run.game  # of many learners, which need not be linear
    source = game.source
    return (source.n_features, run.rounds, tuple(source.refused))


def _attached(
    run: Run, files: object, n_features: int | None, options: ReadOptions
) -> Run:
    """The run with its game, which can be played again here."""
    rest: Any = run.game  # see _rest
    width, rounds, refused = rest
    source = _source([run.learner], files, n_features, options)
    played = PlayedSource(source, None, run.names, width, rounds, refused)
    return replace(run, game=LinearGame(run.learner, played, rounds))
