"""What a comparator would have paid beside a cluster: every shard plays once more.

Where shards were averaged once, each shard is a game of its own, and theorems about it
hold for the same u; their two sides are summed. Where weights were mixed, rows count by
the share of their shard, see :mod:`regretless.evidence.theorems.mixing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...engine.ledger import Ledger
from ...engine.players.linear import LinearPlayer
from ...evidence.hindsight import ComparatorLedger, compare_with
from ...evidence.theorems import (
    Theorem,
    Theorems,
    TheoremViolated,
    Verdict,
    theorems_about,
)
from ...evidence.theorems.gradient import IS_DESCENT
from ...evidence.theorems.mixing import MIXED_OGD, MIXED_PERCEPTRON, MixedFacts
from ...evidence.theorems.perceptron import IS_PERCEPTRON
from ...parts.composition import Composition
from ...parts.domains import Ball, Everywhere
from ...parts.state import Floats
from ...parts.steps import Constant
from ...runs.replayable_game import PlayedSource
from .job_spec import JobSpec
from .merging import Weights, merged_weights
from .shards import Shard
from .task_pool import TaskPool
from .work import Start, game_of_shard, reporting

R = TypeVar("R")
ROUNDING = 1e-9


class ShardVerdict(NamedTuple):
    """A theorem on one shard."""

    name: str
    value: float | None
    happened: float | None
    reason: str


class Compared(NamedTuple):
    """What u pays beside one shard, and the weights the shard ends with."""

    weights: Weights
    paid: tuple[Ledger, ComparatorLedger] | None = None


# What a worker does.


def judge_shard(terms: JobSpec, shard: Shard, u: Floats) -> list[ShardVerdict]:
    """Every theorem about the learner on a shard of its own, against `u`."""
    run = game_of_shard(terms, shard, None).run()
    try:
        found = run.theorems(u=np.array(u))
    except TheoremViolated as error:
        raise ValueError(f"{shard}: {error}") from None
    return [
        ShardVerdict(each.theorem.name, each.value, each.happened, each.reason)
        for each in found
    ]


def regret_of_shard(terms: JobSpec, shard: Shard, u: Floats) -> float:
    """The regret of the learner on a shard of its own, against `u`."""
    return game_of_shard(terms, shard, None).run().regret(u=np.array(u)).low


def compare_shard(
    terms: JobSpec, shard: Shard, start: Start | None, u: Floats
) -> Compared:
    """Play a shard from the weights it was played from, and let `u` pay beside it."""
    game = game_of_shard(terms, shard, start)
    source = game.source
    player: Any = game.player
    bias = int(terms.learner.bias)
    if player is None:
        return Compared(Weights(0, np.zeros(bias), np.zeros(bias), bias, {}))
    played = PlayedSource(
        source, None, source.names, player.n_features, game.rounds, game.refused
    )

    def begun(n_features: int | None) -> LinearPlayer:
        made = terms.learner.player(n_features)
        if start is not None:
            made.begin_at(start.weights, start.bias)
        return made

    shift = float(u[0]) if bias else 0.0
    found = compare_with(played, begun, np.array(u[bias:]), shift)
    last = player.all_weights()
    paid = (player.ledger(), found)
    return Compared(Weights(game.rounds, last, last, bias, {}), paid)


# What is made of it.


def summed_theorems(
    pool: TaskPool, terms: JobSpec, shards: Sequence[Shard], u: Floats
) -> Theorems:
    """Every theorem, summed over the shards: each holds for the same u."""
    judged = each_of(pool, judge_shard, terms, shards, u)
    verdicts: list[Verdict] = []
    for theorem in theorems_about(terms.learner):
        several = [one for each in judged for one in each if one.name == theorem.name]
        whole = replace(
            theorem, statement=f"{theorem.statement}, summed over {len(shards)} shards"
        )
        refusals = [one.reason for one in several if one.value is None]
        if refusals:
            verdicts.append(Verdict(whole, reason=refusals[0]))
            continue
        bound = sum(one.value for one in several if one.value is not None)
        happened = sum(one.happened for one in several if one.happened is not None)
        verdicts.append(Verdict(whole, value=bound, happened=happened))
    verdicts.sort(key=lambda verdict: not verdict.applies)
    return Theorems(tuple(verdicts))


def summed_regret(
    pool: TaskPool, terms: JobSpec, shards: Sequence[Shard], u: Floats
) -> float:
    """The regret of all shards together."""
    return sum(each_of(pool, regret_of_shard, terms, shards, u))


def mixed_theorems(
    pool: TaskPool, terms: JobSpec, rounds: Sequence[Sequence[Shard]], u: Floats
) -> Theorems:
    """The theorems of mixing, from another play of all rounds."""
    known = _known(terms.learner.composition(2))
    if not known:
        return Theorems(())
    facts = mixed_facts(pool, terms, rounds, u)
    verdicts = [theorem.judge(facts) for theorem in known]
    for verdict in verdicts:
        verdict.check(sum(len(part) for part in rounds))
    verdicts.sort(key=lambda verdict: not verdict.applies)
    return Theorems(tuple(verdicts))


def _known(parts: Composition) -> tuple[Theorem[MixedFacts], ...]:
    """The theorems of mixing about a learner of these parts."""
    if IS_PERCEPTRON.fits(parts).holds:
        return MIXED_PERCEPTRON
    if IS_DESCENT.fits(parts).holds and getattr(parts.loss, "convex", False):
        return MIXED_OGD
    return ()


def mixed_facts(
    pool: TaskPool, terms: JobSpec, rounds: Sequence[Sequence[Shard]], u: Floats
) -> MixedFacts:
    """Every sum that the theorems of mixing speak about."""
    sums = np.zeros(6)
    start: Start | None = None
    longest, margin = 0.0, np.inf
    bias = int(terms.learner.bias)
    for shards in rounds:
        handed = None if start is None else pool.ray.put(start)
        found = each_of(pool, compare_shard, terms, shards, handed, u)
        played = [one.paid for one in found if one.paid is not None]
        n = sum(ledger.rounds for ledger, _ in played)
        for ledger, paid in played:
            share = ledger.rounds / n
            sums += share * np.array(
                [
                    ledger.mistakes or 0,
                    ledger.loss,
                    paid.loss,
                    paid.loss_on_mistakes,
                    ledger.sum_squared_norms,
                    ledger.sum_squared_gradients,
                ]
            )
            longest = max(longest, ledger.max_norm)
            margin = min(margin, paid.min_margin if paid.min_margin is not None else 0)
        last = merged_weights([one.weights for one in found]).last
        start = Start(last[bias:], float(last[0]) if bias else 0.0)
    assert start is not None
    parts = terms.learner.composition(2)
    assert isinstance(parts.step, Constant)
    norm = float(np.linalg.norm(u))
    return MixedFacts(
        *sums.tolist(),
        max_norm=longest,
        min_margin=float(margin),
        norm=norm,
        weight_norm=float(np.hypot(np.linalg.norm(start.weights), start.bias)),
        eta=float(parts.step.eta),
        domain=parts.domain,
        in_domain=_inside(parts.domain, norm),
    )


def _inside(domain: object, norm: float) -> bool:
    if isinstance(domain, Ball):
        return norm <= domain.radius * (1.0 + ROUNDING)
    return isinstance(domain, Everywhere)


def each_of(
    pool: TaskPool,
    work: Callable[..., R],
    terms: JobSpec,
    shards: Sequence[Shard],
    *more: object,
) -> list[R]:
    """`work` of every shard, in order."""
    task = pool.task(reporting(work))
    shared = pool.ray.put(terms)
    calls = [partial(task.remote, shared, shard, *more) for shard in shards]
    found: dict[int, R] = {}
    for outcome in pool.outcomes(calls):
        found[outcome.number] = outcome.first
    return [found[k] for k in range(len(shards))]
