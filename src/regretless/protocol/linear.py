"""Play a linear learner: batch after batch from the source, until it ends or fails."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BadRow
from ..learners import LinearLearner
from ..learners.linear import check_features
from ..parts.observers import ROUNDS
from ..player import Player
from ..run import Run
from ..streams import Batch, Source, open_source
from .linear_game import LinearGame, PlayedSource

if TYPE_CHECKING:
    from ..recorders import Recorder

__all__ = ["play_linear"]


def play_linear(
    learner: LinearLearner,
    X: Any,
    y: Any,
    *,
    trace: bool,
    keep: bool,
    n_features: int | None,
    models: Iterable[str] = (),
    length: int | None = None,
) -> Run:
    """Play `learner` over the rows of X, as :func:`regretless.play` says."""
    check_features(n_features)
    declared = n_features if n_features is not None else learner.n_features
    binary = learner.composition(2).loss.task == "binary"
    source = open_source(X, y, binary=binary, n_features=declared)
    kept: list[Batch] | None = [] if keep and not source.again else None
    tapes: list[tuple[Any, ...]] | None = [] if trace else None
    player: Player | None = None
    recorder: Recorder | None = None
    failure: BadRow | None = None
    length = source.n_rows if source.n_rows is not None else length
    named = 0
    for batch in source.batches():
        if player is None:
            player = _player(learner, source, batch)
            recorder = _recorder(player, models, length)
        if kept is not None:
            kept.append(batch)
        before = _rounds(player)
        failure = _play_batch(player, recorder, source, batch, tapes)
        if failure is not None:
            named = max(named, _width(batch, _rounds(player) - before))
            break
        named = len(source.names or ())
    if player is None:
        raise ValueError("there are no rows to learn from")
    if failure is not None and source.whole:
        raise failure
    names = source.names
    if failure is not None and names is not None:
        names = names[:named]  # rows after the bad one may have brought more
        if source.n_features is None:
            player.n_features = named
    game: LinearGame | None = None
    if source.again or kept:
        rounds = _rounds(player)
        again: Any = source
        if kept or failure is not None:
            again = PlayedSource(source, kept, names, player.n_features, rounds)
        game = LinearGame(learner, again, rounds)
    run = _conclude(learner, source, names, player, tapes, game)
    run = replace(run, length=length, recorder=recorder)
    if failure is not None:
        failure.run = run
        raise failure
    return run


def _player(learner: LinearLearner, source: Source, first: Batch) -> Player:
    """A player at the start. One that depends on d does not guess it from names."""
    known = source.n_features
    if known is None and not learner.fixed:
        known = first.n_features
    if known is None and first.failure is not None and not first.targets.size:
        raise first.failure
    return learner.player(known)


def _recorder(
    player: Player, models: Iterable[str], length: int | None
) -> Recorder | None:
    """What keeps models on the way, if any are wanted."""
    if not models:
        return None
    from ..recorders import Recorder

    return Recorder(player, models, length)


def _play_batch(
    player: Player,
    recorder: Recorder | None,
    source: Source,
    batch: Batch,
    tapes: list[tuple[Any, ...]] | None,
) -> BadRow | None:
    """Play a batch as far as it goes; return what stopped it."""
    player.grow(batch.n_features)
    tape: Any = None
    if tapes is not None:
        n = batch.targets.size
        tape = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
        tapes.append(tape)
    try:
        (recorder or player).play(
            batch.rows,
            batch.targets,
            first=_rounds(player),
            tape=tape,
            names=lambda: source.names,
        )
    except BadRow as error:
        return error
    return batch.failure


def _conclude(
    learner: LinearLearner,
    source: Source,
    names: tuple[Hashable, ...] | None,
    player: Player,
    tapes: list[tuple[Any, ...]] | None,
    game: LinearGame | None,
) -> Run:
    ledger = player.ledger()
    tape: Any = None
    if tapes is not None:
        columns = [np.concatenate(column) for column in zip(*tapes, strict=True)]
        tape = tuple(column[: ledger.rounds] for column in columns)
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


def _rounds(player: Player) -> int:
    return int(player.books.counts[ROUNDS])


def _width(batch: Batch, played: int) -> int:
    """How many features the first `played` rows of a batch need."""
    rows: Any = batch.rows
    if hasattr(rows, "width"):
        return rows.width
    return int(rows.columns[: rows.starts[played]].max(initial=-1)) + 1
