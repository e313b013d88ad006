"""Play a small game again, row by row, and check every step of its proof."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...data import one_row
from ...engine.hypotheses.hypothesis import Rows
from ...engine.players.linear import LinearPlayer
from ...parts.composition import Composition
from ...parts.losses import slope, value
from ...parts.observers import G_DUAL, G_RATED, UPDATES
from ...parts.penalties import strength
from ...parts.rows import Dense
from ...parts.rules import Majority
from ...parts.state import Floats
from ..played_run import ExpertRun, LinearRun, MeanRun, RowsAgain
from ..theorems import TheoremViolated
from ..theorems.mean import MeanFacts
from ..theorems.potentials import Step, check_step, identities
from .evaluation import other_game
from .linear import Given, given

ROUNDING = 1e-9


def check_linear(run: LinearRun, u: Given | None = None) -> None:
    """Check the identities of ``theorems.potentials`` on every update.

    Those that need a comparator are checked where `u` is given.
    """
    game = run.replayable("check=True")
    other = other_game(run)
    if other:
        raise ValueError(f"no proof is checked: {other}")
    target = None if u is None else _comparator(run, u)
    player = run.learner.player(run.weights.size)
    wanted = [
        identity
        for identity in identities(player.parts)
        if target is not None or not identity.needs_u
    ]
    longest = 0.0
    margin = math.inf
    for t, (rows, x, y) in enumerate(_rows(game, player), 1):
        before, statistics = _weights(player), player.statistics.sums.copy()
        dual = player.state.dual.copy()
        updates = int(player.statistics.counts[UPDATES])
        player.play(rows, np.array([y]), first=t - 1)
        longest = max(longest, float(np.linalg.norm(x)))
        if int(player.statistics.counts[UPDATES]) == updates:
            continue
        if target is not None:
            margin = min(margin, y * float(target @ x))
        parts = player.parts
        score = float(before @ x) - parts.threshold
        rated = player.statistics.sums[G_RATED] - statistics[G_RATED]
        squared = player.statistics.sums[G_DUAL] - statistics[G_DUAL]
        step = Step(
            round=t,
            updates=updates + 1,
            w=before,
            after=_weights(player),
            x=x,
            y=y,
            score=score,
            loss=_paid(parts, before, x, y),
            eta=float(rated / squared) if squared > 0 else 0.0,
            slope=float(slope(parts.loss, score, y)),
            longest=longest,
            least_margin=margin,
            u=target,
            u_loss=0.0 if target is None else _paid(parts, target, x, y),
            dual=dual[: before.size],
            dual_after=player.state.dual[: before.size].copy(),
        )
        for identity in wanted:
            check_step(identity, step, parts)


def _paid(parts: Composition, w: Floats, x: Floats, y: float) -> float:
    """The loss of w on a row, its penalty included."""
    loss = float(value(parts.loss, float(w @ x) - parts.threshold, y))
    return loss + 0.5 * strength(parts.penalty) * float(w @ w)


def check_mean(run: MeanRun, u: float | None = None) -> None:
    """Check after every round the identity, and the lemma at `u` (the mean if None)."""
    game = run.replayable("check=True")
    player = run.learner.player()
    for t, y in enumerate(game.numbers, 1):
        player.play_one(y)
        ledger = player.ledger()
        slack = ROUNDING * max(1.0, ledger.loss)
        if abs(ledger.regret - ledger.harmonic_loss) > slack:
            statement = "R = sum (x_t - y_t)^2/t"
            raise TheoremViolated(
                "mean/identity", statement, ledger.regret, ledger.harmonic_loss, t
            )
        facts = MeanFacts(run.learner, ledger, None if u is None else float(u))
        leader = ledger.loss - ledger.leader_loss
        if facts.regret > leader + slack:
            statement = "R(u) <= sum (x_t - y_t)^2 - (x_{t+1} - y_t)^2"
            raise TheoremViolated(
                "mean/be-the-leader", statement, facts.regret, leader, t
            )


def check_experts(run: ExpertRun) -> None:
    """Check that every mistake of a majority takes its share of the weight away.

    W is the number of experts that were never wrong (Halving), or the sum of their
    weights beta^(their mistakes): W' <= W (1 + beta)/2 on a mistake.
    """
    losses = run.replayable("check=True").losses()
    rule = run.learner.rule(losses.shape[1])
    if not isinstance(rule, Majority) or np.isnan(losses).any():
        raise ValueError("check=True is for majorities of experts, none asleep")
    erred = np.zeros(losses.shape[1])
    before = float(erred.size)
    mistakes = set(run.mistake_rounds.tolist())
    for t, row in enumerate(losses, 1):
        erred += row
        after = float((rule.beta**erred).sum())
        allowed = before * (1.0 + rule.beta) / 2.0 if t - 1 in mistakes else before
        if after > allowed * (1.0 + ROUNDING):
            statement = "W' <= W (1 + beta)/2 on a mistake"
            raise TheoremViolated("potential", statement, after, allowed, t)
        before = after


def _weights(player: LinearPlayer) -> Floats:
    """All weights, that of the bias first."""
    if not player.bias:
        return player.weights()
    return np.concatenate([[player.bias_weight()], player.weights()])


def _rows(
    game: RowsAgain[LinearPlayer], player: LinearPlayer
) -> Iterator[tuple[Rows, Floats, float]]:
    """The rows that were played, each as a batch of one, as a vector, and its label."""
    left = game.rounds
    for batch in game.source.batches():
        for i in range(min(left, batch.targets.size)):
            left -= 1
            x = np.zeros(player.n_features)
            rows = one_row(batch.rows, i)
            if isinstance(rows, Dense):
                x[: rows.width] = rows.values
            else:
                x[rows.columns] = rows.values
            seen = np.concatenate([[1.0], x]) if player.bias else x
            yield rows, seen, float(batch.targets[i])


def _comparator(run: LinearRun, u: Given) -> Floats:
    weights, bias = given(run, u)
    return np.concatenate([[bias], weights]) if run.learner.bias else weights
