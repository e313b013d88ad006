"""Play a linear learner: batch after batch from the source, until it ends or fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import BadRow
from ..learners import LinearLearner
from ..parts.observers import ROUNDS
from ..parts.state import Floats
from ..player import Player
from ..run import Run
from ..streams import Batch, Source, one_row, open_source

__all__ = ["play_linear"]


def play_linear(
    learner: LinearLearner,
    X: Any,
    y: Any,
    *,
    trace: bool,
    keep: bool,
    n_features: int | None,
) -> Run:
    """Play `learner` over the rows of X, as :func:`regretless.play` says."""
    declared = n_features if n_features is not None else learner.n_features
    binary = learner.composition(2).loss.task == "binary"
    source = open_source(X, y, binary=binary, n_features=declared)
    kept: list[Batch] | None = [] if keep and not source.again else None
    tapes: list[tuple[Any, ...]] | None = [] if trace else None
    player: Player | None = None
    failure: BadRow | None = None
    for batch in source.batches():
        if player is None:
            known = source.n_features
            player = learner.player(batch.n_features if known is None else known)
        if kept is not None:
            kept.append(batch)
        failure = _play_batch(player, batch, tapes)
        if failure is not None:
            break
    if player is None:
        raise ValueError("there are no rows to learn from")
    if failure is not None and source.whole:
        raise failure
    rounds = int(player.books.counts[ROUNDS])
    game: LinearGame | None = None
    if source.again or kept:
        again = KeptSource(source, kept) if kept else source
        game = LinearGame(learner, again, rounds)
    run = _conclude(learner, source, player, tapes, game)
    if failure is not None:
        failure.run = run
        raise failure
    return run


def _play_batch(
    player: Player, batch: Batch, tapes: list[tuple[Any, ...]] | None
) -> BadRow | None:
    """Play a batch as far as it goes; return what stopped it."""
    player.grow(batch.n_features)
    first = int(player.books.counts[ROUNDS])
    tape: Any = None
    if tapes is not None:
        n = batch.targets.size
        tape = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
        tapes.append(tape)
    try:
        player.play(batch.rows, batch.targets, first=first, tape=tape)
    except BadRow as error:
        return error
    return batch.failure


def _conclude(
    learner: LinearLearner,
    source: Source,
    player: Player,
    tapes: list[tuple[Any, ...]] | None,
    game: LinearGame | None,
) -> Run:
    ledger = player.ledger()
    tape: Any = None
    if tapes is not None:
        columns = [np.concatenate(column) for column in zip(*tapes, strict=True)]
        tape = tuple(column[: ledger.rounds] for column in columns)
    names = source.names
    return Run(
        learner=learner,
        ledger=ledger,
        weights=player.weights(),
        bias=player.bias_weight(),
        names=names,
        classes=source.classes,
        seconds=player.seconds,
        tape=tape,
        game=game,
    )


@dataclass(frozen=True)
class LinearGame:
    """A game that can be played again: the learner, and the data it played.

    Attributes
    ----------
    learner : LinearLearner
        Who played.
    source : Source
        The rows, which can be read again.
    rounds : int
        How many were played.
    """

    learner: LinearLearner
    source: Any
    rounds: int

    def weight_path(self) -> Floats:
        """The weights before the first round, and after every round."""
        width = self.source.n_features
        if width is None:
            width = max(batch.n_features for batch in self.source.batches())
        player = self.learner.player(width)
        path = [player.weights()]
        for batch in self.source.batches():
            for i in range(batch.targets.size):
                if len(path) > self.rounds:
                    break
                player.play(one_row(batch.rows, i), batch.targets[i : i + 1])
                path.append(player.weights())
        return np.array(path)


class KeptSource:
    """The batches of a stream that can be read only once, kept in memory."""

    again = True
    whole = False

    def __init__(self, source: Source, batches: list[Batch]) -> None:
        self.names = source.names
        self.classes = source.classes
        self.n_features = max(batch.n_features for batch in batches)
        self._batches = [batch._replace(failure=None) for batch in batches]

    def batches(self) -> Iterator[Batch]:
        """The rows, in order."""
        return iter(self._batches)
