"""Play experts: batch after batch of rounds, until they end or one fails."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..algorithms.experts import ExpertLearner
from ..data.encoding import label_codec
from ..data.encoding.outcomes import Outcomes
from ..data.expert_rounds import OutcomeCode, RoundBatch, RoundSource, open_rounds
from ..engine.expert_ledger import ExpertLedger
from ..engine.players.experts import ExpertPlayer
from ..errors import BadRow
from ..parts.expert_inputs import Losses, Predictions, Votes
from ..parts.generic import canonical
from ..parts.losses import Absolute, value
from ..parts.observers import TraceArrays
from ..parts.state import Bools, Floats
from .run import Run

Framer = Callable[[RoundBatch], Votes | Predictions | Losses]


def play_experts(
    learner: ExpertLearner,
    X: object = None,
    y: object = None,
    *,
    losses: object = None,
    loss: object = None,
    trace: bool = False,
    keep: bool = False,
    check: bool = False,
) -> Run:
    """Play `learner` over rounds, as :func:`regretless.play` says.

    With `check`, of a majority whose pool is watched.
    """
    if check:
        if not learner.majority:
            raise TypeError(f"{type(learner).__name__} does not take check=")
        from ..evidence.verdicts.identities import check_experts

        run = play_experts(
            learner, X, y, losses=losses, loss=loss, trace=True, keep=True
        )
        check_experts(run)
        return run if trace else replace(run, trace=None)
    keep = keep or trace
    source, frame, code = _open(learner, X, y, losses, loss)
    kept: list[RoundBatch] | None = [] if keep and not source.again else None
    traces: list[TraceArrays] | None = [] if trace else None
    player: ExpertPlayer | None = None
    failure: BadRow | None = None
    for batch in source.batches():
        if player is None and batch.n_experts > 0:
            player = learner.player(batch.n_experts)
        if kept is not None:
            kept.append(batch)
        failure = _play_batch(player, batch, frame, traces, source)
        if failure is not None:
            break
    if failure is not None and (source.whole or player is None):
        raise failure
    if player is None:
        raise ValueError("there are no rounds to play")
    game: ExpertGame | None = None
    if source.again or kept:
        game = ExpertGame(learner, source, kept, frame, player.rounds)
    run = Run(
        learner=learner,
        ledger=player.ledger(),
        weights=player.weights(),
        names=source.names,
        classes=None if code is None else code.classes,
        seconds=player.seconds,
        trace=_trace(traces, player.rounds, predicted=losses is None),
        game=game,
    )
    if failure is not None:
        failure.run = run
        raise failure
    return run


def _open(
    learner: ExpertLearner, X: object, y: object, losses: object, loss: object
) -> tuple[RoundSource, Framer, OutcomeCode | None]:
    """The source of rounds, what makes rounds of a batch, the code of outcomes."""
    name = type(learner).__name__
    if learner.votes:
        if X is None or losses is not None or loss is not None:
            raise TypeError(
                f"{name} takes votes and outcomes: play({name}(), votes, outcomes)"
            )
        outcomes = Outcomes()
        return open_rounds(X, y, outcomes, "votes"), _frame_votes, outcomes
    if losses is not None:
        if X is not None or y is not None or loss is not None:
            raise TypeError("losses= stands alone: there is nothing to compare")
        return open_rounds(losses, None, None, "losses"), _frame_losses, None
    if X is None:
        raise TypeError(
            f"{name} takes losses, or predictions and outcomes: "
            f"play({name}(), losses=L) or play({name}(), predictions, outcomes)"
        )
    part = _loss_part(loss)
    labels = label_codec(part.task == "binary")

    def frame_predictions(batch: RoundBatch) -> Predictions:
        return Predictions(batch.values, batch.n_experts, batch.outcomes, part)

    return open_rounds(X, y, labels, "predictions"), frame_predictions, labels


def _loss_part(loss: object) -> Any:
    if loss is None:
        return Absolute()
    if isinstance(loss, type) or not hasattr(loss, "task"):
        raise TypeError(f"loss={loss!r:.40} is not a loss, such as Squared()")
    return canonical(loss)


def _frame_votes(batch: RoundBatch) -> Votes:
    return Votes(batch.values, batch.n_experts, batch.outcomes)


def _frame_losses(batch: RoundBatch) -> Losses:
    return Losses(batch.values, batch.n_experts)


def _play_batch(
    player: ExpertPlayer | None,
    batch: RoundBatch,
    frame: Framer,
    traces: list[TraceArrays] | None,
    source: RoundSource,
) -> BadRow | None:
    """Play a batch as far as it goes; return what stopped it."""
    if player is None:
        return batch.failure
    trace: TraceArrays | None = None
    if traces is not None:
        n = batch.values.size // batch.n_experts
        trace = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
        traces.append(trace)
    try:
        player.play(frame(batch), trace=trace, names=source.names)
    except BadRow as error:
        return error
    return batch.failure


def _trace(
    traces: list[TraceArrays] | None, rounds: int, *, predicted: bool
) -> tuple[Floats | None, Floats, Bools] | None:
    if traces is None:
        return None
    columns = [np.concatenate(column) for column in zip(*traces, strict=True)]
    scores, losses, mistakes = (column[:rounds] for column in columns)
    return scores if predicted else None, losses, mistakes


@dataclass(frozen=True)
class ExpertGame:
    """A game that can be played again: the learner, and the rounds it played."""

    learner: ExpertLearner
    source: RoundSource
    kept: list[RoundBatch] | None
    frame: Framer
    rounds: int

    def weight_path(self) -> Floats:
        """The weights before the first round, and after every round."""
        path: list[Floats] = []
        player: ExpertPlayer | None = None
        for batch in self._single():
            if player is None:
                player = self.learner.player(batch.n_experts)
                path.append(player.weights())
            player.play(self.frame(batch))
            path.append(player.weights())
        return np.array(path)

    def losses(self) -> Floats:
        """Every expert's loss in every round, nan where it slept."""
        return np.array([_losses(self.frame(batch)) for batch in self._single()])

    def ledgers(self, stops: Sequence[int]) -> Iterator[ExpertLedger]:
        """The ledger after each of these rounds, which are in increasing order."""
        player: ExpertPlayer | None = None
        reached = set(stops)
        for batch in self._pieces(stops):
            if player is None:
                player = self.learner.player(batch.n_experts)
            player.play(self.frame(batch))
            if player.rounds in reached:
                yield player.ledger()

    def _single(self) -> Iterator[RoundBatch]:
        """The rounds that were played, one at a time."""
        return self._pieces(range(1, self.rounds))

    def _pieces(self, stops: Sequence[int]) -> Iterator[RoundBatch]:
        """The rounds that were played, in pieces that end at the stops."""
        done = 0
        for batch in self.source.batches() if self.kept is None else self.kept:
            n = batch.n_experts
            size = min(self.rounds - done, batch.values.size // max(n, 1))
            first, last = bisect_right(stops, done), bisect_left(stops, done + size)
            cuts = [0, *(stop - done for stop in stops[first:last]), size]
            done += size
            for begin, end in pairwise(cuts):
                values = batch.values[begin * n : end * n]
                yield RoundBatch(values, batch.outcomes[begin:end], n)


def _losses(round_: Votes | Predictions | Losses) -> Floats:
    """The losses of a batch of one round."""
    if isinstance(round_, Losses):
        return round_.values
    y = float(round_.outcomes[0])
    if isinstance(round_, Votes):
        return np.where(np.isnan(round_.values), np.nan, round_.values != y)
    part = round_.loss
    paid = [
        math.nan if math.isnan(p) else value(part, p, y) for p in round_.values.tolist()
    ]
    return np.array(paid)
