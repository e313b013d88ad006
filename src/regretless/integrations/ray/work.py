"""What a worker does with one shard. Nothing here knows that there are others.

Each function is a task: its result depends on its arguments and on the files alone, so
a task may be run again, anywhere, with the same result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from ...data.batch import Batch
from ...data.file_identity import identity, refuse_others
from ...data.file_source import FileSource
from ...engine.feature_names import numbered
from ...engine.hypotheses.linear import LinearHypothesis
from ...engine.ledger import Ledger
from ...errors import BadRow
from ...evidence.row_record import RowRecord
from ...models import Model
from ...models.batches import scores_of
from ...parts.state import Floats
from ...runs.session import Session
from ...version import __version__
from .job_spec import JobSpec
from .merging import Weights
from .shards import Shard

P = ParamSpec("P")
R = TypeVar("R")
EXPECTED = (ValueError, TypeError, OSError, MemoryError)


class Start(NamedTuple):
    """Weights to start from."""

    weights: Floats
    bias: float
    named: Mapping[int, str] | None = None
    many: bool = False

    @property
    def hypothesis(self) -> LinearHypothesis:
        """What they predict."""
        return LinearHypothesis(self.weights, self.bias)


class Failed(NamedTuple):
    """Why a task could not do its work; told as a value, to be raised elsewhere."""

    error: Exception


class Report(NamedTuple):
    """What a shard came to, in a few numbers.

    Attributes
    ----------
    shard : Shard
        Which one.
    ledger : Ledger or None
        What was met and paid; None where it has no rows.
    labels : list
        The labels that were -1 and +1.
    skipped, unlabeled : int
        Bad rows that were skipped, and rows that were only predicted.
    problems : list of str
        What was wrong with the first bad rows.
    refused : tuple of int
        The rows, counted from 0, that the learner refused.
    weighted : bool
        Whether rows carried importance weights.
    record : RowRecord
        What is remembered of its rows.
    seconds, learning : float
        From the beginning to the end of the task, and in the kernel.
    """

    shard: Shard
    ledger: Ledger | None
    labels: list[object]
    skipped: int
    unlabeled: int
    problems: list[str]
    refused: tuple[int, ...]
    weighted: bool
    record: RowRecord
    seconds: float
    learning: float

    @property
    def rounds(self) -> int:
        """How many rows were played."""
        return 0 if self.ledger is None else self.ledger.rounds


class ShardTest(NamedTuple):
    """How a fixed classifier did on a shard."""

    rows: int
    errors: int


def reporting(
    task: Callable[P, R], returns: int = 1
) -> Callable[P, R | Failed | tuple[Failed | None, ...]]:
    """A task that returns what went wrong as its first result, and never raises."""

    @wraps(task)
    def told(
        *args: P.args, **kwargs: P.kwargs
    ) -> R | Failed | tuple[Failed | None, ...]:
        try:
            return task(*args, **kwargs)
        except EXPECTED as error:
            failed = Failed(_plain(error))
            return failed if returns == 1 else (failed, *[None] * (returns - 1))

    return told


def game_of_shard(
    terms: JobSpec, shard: Shard, start: Start | None, models: tuple[str, ...] = ()
) -> Session:
    """Play a shard to its end, from the learner's start or from weights."""
    if start is not None and start.named is not None:
        terms = replace(terms, names=start.named)
    source = opened(terms, shard)
    skip = terms.options.on_bad_rows == "skip"
    game = Session(
        terms.learner, source, models=models, skip=skip, initial=start, threads=1
    )
    try:
        game.play()
    except BadRow as problem:
        raise _split_quotes(terms, source, shard, failed=True) or problem from None
    broken = _split_quotes(terms, source, shard, failed=False)
    if broken is not None:
        raise broken
    return game


@partial(reporting, returns=2)
def play_shard(
    terms: JobSpec, shard: Shard, start: Start | None, released: str
) -> tuple[Report, Weights]:
    """Play a shard, from the learner's start or from weights; report, then weights."""
    if __version__ != released:
        raise ValueError(
            f"a worker has regretless {__version__}, but you have {released}: install "
            "the same on every machine"
        )
    began = time.perf_counter()
    game = game_of_shard(terms, shard, start, ("mean",))
    source = cast("FileSource", game.source)
    refused = [str(problem) for problem in game.refused.values()]
    player = game.player
    report = Report(
        shard=shard,
        ledger=None if player is None else player.ledger(),
        labels=source.code.state(),
        skipped=source.skipped.count + len(refused),
        unlabeled=game.unlabeled,
        problems=[*source.skipped.messages, *refused][:10],
        refused=tuple(game.refused),
        weighted=game.weighted,
        record=game.record,
        seconds=time.perf_counter() - began,
        learning=0.0 if player is None else player.seconds,
    )
    return report, _weights(terms, source, game)


def test_shard(terms: JobSpec, shard: Shard, model: Model) -> ShardTest:
    """Count the errors of a fixed classifier on the rows of a shard; a tie is one."""
    rows = errors = 0
    source = opened(terms, shard)
    with closing(_batches(source)) as batches:
        for batch in batches:
            labeled = ~np.isnan(batch.targets)
            scores = scores_of(model, batch.rows, batch.targets.size)
            rows += int(labeled.sum())
            errors += int((~(scores * batch.targets > 0.0))[labeled].sum())
    return ShardTest(rows, errors)


def opened(terms: JobSpec, shard: Shard) -> FileSource:
    """The rows of a shard, after a look whether the files are those that were cut."""
    try:
        source = terms.source(list(shard.spans))
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"{error} (on {_machine()}): every worker must see the files"
        ) from None
    refuse_others(shard.files, identity(source.places))
    return source


def _batches(source: FileSource) -> Generator[Batch]:
    """The rows, as a generator that can be closed."""
    yield from source.batches()


def _weights(terms: JobSpec, source: FileSource, game: Session) -> Weights:
    player: Any = game.player
    bias = int(terms.learner.bias)
    by_name = terms.options.format == "jsonl" and not terms.options.bits
    if player is None:
        nothing = np.zeros(bias)
        return Weights(0, nothing, nothing, bias, {}, by_name)
    last = player.all_weights()
    assert game.recorder is not None
    mean = game.recorder.mean() if game.rounds else last
    named = {j: str(name) for j, name in numbered(source.names, 0)}
    return Weights(game.rounds, mean, last, bias, named, by_name)


def _split_quotes(
    terms: JobSpec, source: FileSource, shard: Shard, *, failed: bool
) -> ValueError | None:
    """What to say where a cut fell into a quoted field; None where none did.

    Where every part holds an even number of quotation marks, no part begins inside
    them. A part that failed was not read to its end, so what is before it is counted.
    """
    if terms.options.format != "csv":
        return None
    for span, place in zip(shard.spans, source.places, strict=True):
        if span.whole:
            continue
        if place.begins_quoted() if failed else place.ends_quoted():
            return ValueError(
                f"{place.name}: a quoted field holds a line end where the file was "
                "cut: do not cut files, --shard-size file (shard_size='file')"
            )
    return None


def _plain(error: Exception) -> Exception:
    """An error as it can travel: of a plain kind, with its words."""
    if isinstance(error, BadRow):
        return BadRow(error.row, error.problem, error.where)
    for kind in EXPECTED:
        if isinstance(error, kind):
            return kind(str(error))
    return ValueError(str(error))


def _machine() -> str:
    import socket

    return socket.gethostname()
