"""Play shards on a cluster: rounds of play-then-average, merged in a fixed tree.

In every round each shard is played from the same weights, and the shards' last weights
are averaged by their rounds to start the next one. With a single round this is "shard
and average". Shards of a round are merged in groups of sixteen, groups in groups, so
that no machine has to take in everything; who belongs to which group depends on the
numbers of the shards alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ...version import __version__
from .job_spec import JobSpec
from .merging import Weights, merged_weights
from .shards import Shard
from .task_pool import Outcome, Ref, StopAsked, TaskPool
from .work import Report, Start, play_shard

GROUP = 16


@dataclass(frozen=True)
class Progress:
    """How far a cluster is.

    Attributes
    ----------
    shards, of : int
        Shards that have ended, of how many.
    size, total : int
        Their bytes, of how many.
    rounds, mistakes : int
        Rows learned, and mistakes made on them.
    loss : float
        What was paid.
    seconds : float
        Since the beginning.
    """

    shards: int
    of: int
    size: int
    total: int
    rounds: int
    mistakes: int
    loss: float
    seconds: float


@dataclass(frozen=True)
class ShardsPlayed:
    """What all shards came to.

    Attributes
    ----------
    reports : list of Report
        In the order of the shards.
    weights : Weights
        Of all shards; ``last`` is what the last round ended with.
    before : Weights or None
        Of the shards before those that are left for a test.
    tests : list of Shard
        The shards that `before` has not seen.
    rounds : list of list of Shard
        The rounds that were played to their end.
    interrupted : bool
        Whether it was stopped.
    """

    reports: list[Report]
    weights: Weights
    before: Weights | None
    tests: list[Shard]
    rounds: list[list[Shard]]
    interrupted: bool


def play_rounds(
    pool: TaskPool,
    terms: JobSpec,
    rounds: Sequence[Sequence[Shard]],
    watch: Callable[[Progress], None],
) -> ShardsPlayed:
    """Play all rounds, one after the other; what is done stays where it is stopped."""
    state = _Playing(pool, terms, rounds, watch)
    interrupted = False
    try:
        for number in range(len(rounds)):
            state.play(number)
    except StopAsked:
        interrupted = True
        if not state.ended:
            state.keep_finished()
    total = state.total
    if total is None:
        raise KeyboardInterrupt("interrupted before the first shard was finished")
    reports = sorted(state.reports, key=lambda report: report.shard.number)
    done = [list(part) for part in rounds[: state.ended]]
    return ShardsPlayed(
        reports=reports,
        weights=total,
        before=None if interrupted else state.before,
        tests=state.tests,
        rounds=done or [[report.shard for report in reports]],
        interrupted=interrupted,
    )


class _Playing:
    """Rounds in the middle of being played."""

    def __init__(
        self,
        pool: TaskPool,
        terms: JobSpec,
        rounds: Sequence[Sequence[Shard]],
        watch: Callable[[Progress], None],
    ) -> None:
        self.pool = pool
        self.terms = terms
        self.rounds = rounds
        self.reports: list[Report] = []
        self.total: Weights | None = None
        self.before: Weights | None = None
        self.tests: list[Shard] = []
        self.ended = 0  # rounds
        self._start: Ref = None
        self._task = pool.task(play_shard, returns=2)
        self._began = time.perf_counter()
        self._watch = watch
        self._round: dict[int, Report] = {}
        self._size = self._rows = self._mistakes = 0
        self._loss = 0.0
        self._leaves: dict[int, Ref] = {}
        self._merged: dict[int, Ref] = {}
        self._groups: list[list[int]] = []
        self._of: dict[int, int] = {}

    def play(self, number: int) -> None:
        """One round, from the weights that the last one ended with."""
        shards = list(self.rounds[number])
        cut = self._cut(shards)
        self._groups = [*_groups(range(cut)), *_groups(range(cut, len(shards)))]
        self._of = {i: k for k, group in enumerate(self._groups) for i in group}
        self._leaves, self._merged, self._round = {}, {}, {}
        calls = [
            partial(self._task.remote, self.terms, shard, self._start, __version__)
            for shard in shards
        ]
        for outcome in self.pool.outcomes(calls):
            self._take(outcome)
        self._conclude(cut, last=number + 1 == len(self.rounds))

    def keep_finished(self) -> None:
        """Merge the shards of a stopped first round that ended without a gap.

        Shards after one that had not ended are left out: which of them were quick may
        depend on what is in them, and a certificate allows no such choice.
        """
        get = self.pool.ray.get
        found: list[Weights] = []
        kept = 0
        for k, group in enumerate(self._groups):
            if k in self._merged:
                found.append(get(self._merged[k]))
                kept += len(group)
                continue
            for i in group:
                if i not in self._leaves:
                    break
                found.append(get(self._leaves[i]))
                kept += 1
            break
        if found:
            self.total = merged_weights(found)
            self.reports += [self._round[i] for i in range(kept)]

    def _cut(self, shards: list[Shard]) -> int:
        """How many shards of a round are merged before the others."""
        if len(self.rounds) > 1 or len(shards) < 2:
            return len(shards)
        return len(shards) - max(1, len(shards) // 8)

    def _take(self, outcome: Outcome) -> None:
        """Note what a shard came to; merge its group where it was the last one."""
        self._round[outcome.number] = outcome.first
        self._leaves[outcome.number] = outcome.others[0]
        k = self._of[outcome.number]
        if all(i in self._leaves for i in self._groups[k]):
            parts = [self._leaves.pop(i) for i in self._groups[k]]
            self._merged[k] = self._joined(parts)
        self._tell(outcome.first)

    def _conclude(self, cut: int, *, last: bool) -> None:
        """The weights of a round, and what the next one starts from."""
        first = [k for k, group in enumerate(self._groups) if group[0] < cut]
        rest = [k for k, group in enumerate(self._groups) if group[0] >= cut]
        get = self.pool.ray.get
        before: Weights = get(self._tree([self._merged[k] for k in first]))
        found = before
        shards = list(self.rounds[self.ended])
        if rest:
            after: Weights = get(self._tree([self._merged[k] for k in rest]))
            found = merged_weights([before, after])
            self.before, self.tests = before, shards[cut:]
        elif last and self.total is not None:
            self.before, self.tests = self.total, shards
        if self.total is None:
            self.total = found
        else:
            everything = merged_weights([self.total, found])
            self.total = everything._replace(last=found.last)
        self.reports += self._round.values()
        self.ended += 1
        bias = found.bias
        start = Start(
            found.last[bias:],
            float(found.last[0]) if bias else 0.0,
            found.named if found.by_name else None,
        )
        self._start = None if last else self.pool.ray.put(start)

    def _tree(self, parts: list[Ref]) -> Ref:
        while len(parts) > 1:
            parts = [self._joined(parts[k : k + GROUP]) for k in _steps(len(parts))]
        return parts[0]

    def _joined(self, parts: list[Ref]) -> Ref:
        return parts[0] if len(parts) == 1 else self.pool.merge(_merged, parts)

    def _tell(self, report: Report) -> None:
        self._size += report.shard.size
        if report.ledger is not None:
            self._rows += report.ledger.rounds
            self._mistakes += report.ledger.mistakes or 0
            self._loss += report.ledger.loss
        self._watch(
            Progress(
                shards=len(self.reports) + len(self._round),
                of=sum(len(part) for part in self.rounds),
                size=self._size,
                total=sum(shard.size for part in self.rounds for shard in part),
                rounds=self._rows,
                mistakes=self._mistakes,
                loss=self._loss,
                seconds=time.perf_counter() - self._began,
            )
        )


def _merged(*parts: Weights) -> Weights:
    return merged_weights(parts)


def _groups(numbers: range) -> list[list[int]]:
    return [list(numbers[k : k + GROUP]) for k in _steps(len(numbers))]


def _steps(n: int) -> range:
    return range(0, n, GROUP)
