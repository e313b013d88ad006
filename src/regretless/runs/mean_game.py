"""Play the mean game: numbers, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, cast

import numpy as np

from ..algorithms.experts import FollowTheLeader
from ..engine.mean_ledger import MeanLedger
from ..engine.players.mean import MeanPlayer, as_number
from ..errors import BadRow
from ..parts.observers import TraceArrays
from ..parts.state import Bools, Floats
from .run import Run

CHUNK = 4096  # numbers of a stream played at a time


def play_mean(
    learner: FollowTheLeader,
    y: object = None,
    *,
    trace: bool = False,
    keep: bool = False,
    check: bool = False,
    u: float | None = None,
) -> Run:
    """Play `learner` over the numbers `y`, as :func:`regretless.play` says."""
    whole = hasattr(y, "__len__")
    if isinstance(y, str | bytes) or not (whole or isinstance(y, Iterable)):
        raise TypeError(f"y must be numbers, not {y!r:.40}")
    keep = keep or whole or trace or check
    player = learner.player()
    kept: list[Floats] = []
    traces: list[TraceArrays] = []
    failure: BadRow | None = None
    for values, stop in [(_array(y), None)] if whole else _chunks(y):
        failure = stop
        if keep:
            kept.append(values)
        notes: TraceArrays | None = None
        if trace:
            n = values.size
            notes = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
            traces.append(notes)
        try:
            player.play(values, trace=notes)
        except BadRow as error:
            failure = error
        if failure is not None:
            break
    if failure is not None and whole:
        raise failure
    if player.rounds == 0 and failure is None:
        raise ValueError("there are no numbers to play")
    run = _conclude(learner, player, traces if trace else None, kept if keep else None)
    if failure is not None:
        failure.run = run
        raise failure
    if check:
        from ..evidence.verdicts.identities import check_mean

        check_mean(run, u)
    return run


def _conclude(
    learner: FollowTheLeader,
    player: MeanPlayer,
    traces: list[TraceArrays] | None,
    kept: list[Floats] | None,
) -> Run:
    trace: tuple[Floats, Floats, Bools] | None = None
    if traces is not None:
        columns = [np.concatenate(column) for column in zip(*traces, strict=True)]
        scores, losses, mistakes = (column[: player.rounds] for column in columns)
        trace = (scores, losses, mistakes)
    return Run(
        learner=learner,
        ledger=player.ledger(),
        weights=np.array([player.mean]),
        seconds=player.seconds,
        trace=trace,
        game=None if kept is None else _game(learner, kept, player.rounds),
    )


def _game(learner: FollowTheLeader, kept: list[Floats], rounds: int) -> MeanGame:
    return MeanGame(learner, np.concatenate(kept)[:rounds])


@dataclass(frozen=True)
class MeanGame:
    """A game that can be played again: the learner, and the numbers it saw."""

    learner: FollowTheLeader
    numbers: Floats

    def weight_path(self) -> Floats:
        """The mean before the first round, and after every round."""
        player = self.learner.player()
        path = [player.mean]
        for y in self.numbers:
            player.play_one(y)
            path.append(player.mean)
        return np.array(path)[:, None]

    def ledgers(self, stops: Sequence[int]) -> Iterator[MeanLedger]:
        """The ledger after each of these rounds, which are in increasing order."""
        player = self.learner.player()
        for begin, end in pairwise([0, *stops]):
            player.play(self.numbers[begin:end])
            yield player.ledger()


def _array(y: Any) -> Floats:
    """All numbers at once."""
    array: Any = np.asarray(y)
    if array.ndim != 1:
        raise ValueError(f"y has {array.ndim} dimensions: it must have one")
    if array.size == 0:
        raise ValueError("there are no numbers to play")
    if array.dtype.kind not in "buif":
        array = np.array([as_number(number, row) for row, number in enumerate(y)])
    return np.ascontiguousarray(array, np.float64)


def _chunks(y: Any) -> Iterator[tuple[Floats, BadRow | None]]:
    """Numbers of a stream, and what stopped it."""
    stream = iter(cast("Iterable[Any]", y))
    row = 0
    while chunk := list(islice(stream, CHUNK)):
        values: list[float] = []
        for number in chunk:
            try:
                values.append(as_number(number, row))
            except BadRow as failure:
                yield np.array(values, np.float64), failure
                return
            row += 1
        yield np.array(values, np.float64), None
