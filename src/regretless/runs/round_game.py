"""Play rounds of experts, or of numbers: batch after batch, to the end or a bad one."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..algorithms.experts import ExpertLearner, FollowTheLeader
from ..data.encoding import label_codec
from ..data.encoding.outcomes import Outcomes
from ..data.expert_rounds import (
    OutcomeCode,
    RoundBatch,
    RoundSource,
    open_numbers,
    open_rounds,
)
from ..engine.expert_ledger import ExpertLedger
from ..engine.mean_ledger import MeanLedger
from ..engine.players.experts import Rounds
from ..errors import BadRow
from ..parts.expert_inputs import Losses, Predictions, Votes
from ..parts.generic import canonical
from ..parts.losses import Absolute, value
from ..parts.state import Bools, Floats
from .run import Run
from .traces import joined

Framer = Callable[[RoundBatch], Any]
"""From the numbers of a batch to what a player plays."""


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
    if check and not learner.majority:
        raise TypeError(f"{type(learner).__name__} does not take check=")
    source, frame, code = _open(learner, X, y, losses, loss)
    run = _play(learner, source, frame, keep or trace or check, trace or check)
    if code is not None:
        run = replace(run, classes=code.classes)
    if losses is not None and run.trace is not None:
        run = replace(run, trace=(None, *run.trace[1:]))
    if check:
        from ..evidence.verdicts.identities import check_experts

        check_experts(run)
    return run if trace else replace(run, trace=None)


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
    run = _play(learner, open_numbers(y), _numbers, keep or trace or check, trace)
    if check:
        from ..evidence.verdicts.identities import check_mean

        check_mean(run, u)
    return run


def _play(
    learner: ExpertLearner | FollowTheLeader,
    source: RoundSource,
    frame: Framer,
    keep: bool,
    trace: bool,
) -> Run:
    """Play all rounds; where a stream has a bad one, the error has the run before."""
    kept: list[RoundBatch] | None = [] if keep and not source.rereadable else None
    traces: list[tuple[Floats, Floats, Bools]] = []
    player: Any = None
    failure: BadRow | None = None
    for batch in source.batches():
        if kept is not None:
            kept.append(batch)
        failure = batch.failure
        if player is None:
            if not batch.n_experts:
                break
            player = learner.player(batch.n_experts)
        n = batch.values.size // batch.n_experts
        notes = (np.zeros(n), np.zeros(n), np.zeros(n, np.bool_))
        traces += [notes] * trace
        try:
            player.play(
                frame(batch), trace=notes if trace else None, names=source.names
            )
        except BadRow as error:
            failure = error
        if failure is not None:
            break
    if failure is not None and (source.whole or player is None):
        raise failure
    if player is None:
        raise ValueError(f"there are no {source.what} to play")
    n = player.rounds
    scores, losses, mistakes = joined(traces)
    run = Run(
        learner=learner,
        ledger=player.ledger(),
        weights=player.weights(),
        names=source.names,
        seconds=player.seconds,
        trace=(scores[:n], losses[:n], mistakes[:n]) if trace else None,
        game=RoundGame(learner, source, kept, frame, n)
        if source.rereadable or kept
        else None,
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


def _numbers(batch: RoundBatch) -> Floats:
    return batch.values


@dataclass(frozen=True)
class RoundGame:
    """A game that can be played again: the learner, and the rounds it played."""

    learner: ExpertLearner | FollowTheLeader
    source: RoundSource
    kept: list[RoundBatch] | None
    frame: Framer
    rounds: int

    @property
    def numbers(self) -> Floats:
        """What was seen, of the mean game."""
        return np.concatenate([batch.values for batch in self._pieces(())])

    def weight_path(self) -> Floats:
        """The weights before the first round, and after every round."""
        path: list[Floats] = []
        player: Any = None
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

    def ledgers(self, stops: Sequence[int]) -> Iterator[ExpertLedger | MeanLedger]:
        """The ledger after each of these rounds, which are in increasing order."""
        player: Any = None
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


def _losses(round_: Rounds) -> Floats:
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
