"""Play a small game again, row by row, and check every step of its proof."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..parts.losses import slope, value
from ..parts.observers import G_DUAL, G_RATED, UPDATES
from ..parts.rows import Dense
from ..parts.state import Floats
from ..streams import one_row
from ..theory import TheoremViolated
from ..theory.potentials import Step, check_step, identities
from .linear import given

__all__ = ["check_linear", "check_mean"]

ROUNDING = 1e-9


def check_linear(run: Any, u: Any = None) -> None:
    """Check the identities of :mod:`regretless.theory.potentials` on every update.

    Those that need a comparator are checked where `u` is given.
    """
    game = run.replayable("check=True")
    target = None if u is None else _comparator(run, u)
    player = game.learner.player(run.weights.size)
    wanted = [
        identity
        for identity in identities(player.parts)
        if target is not None or not identity.needs_u
    ]
    longest = 0.0
    margin = math.inf
    for t, (rows, x, y) in enumerate(_rows(game, player), 1):
        before, books = _weights(player), player.books.sums.copy()
        updates = int(player.books.counts[UPDATES])
        player.play(rows, np.array([y]), first=t - 1)
        longest = max(longest, float(np.linalg.norm(x)))
        if int(player.books.counts[UPDATES]) == updates:
            continue
        if target is not None:
            margin = min(margin, y * float(target @ x))
        parts = player.parts
        score = float(before @ x) - parts.threshold
        rated = player.books.sums[G_RATED] - books[G_RATED]
        squared = player.books.sums[G_DUAL] - books[G_DUAL]
        step = Step(
            round=t,
            updates=updates + 1,
            w=before,
            after=_weights(player),
            x=x,
            y=y,
            score=score,
            loss=float(value(parts.loss, score, y)),
            eta=float(rated / squared) if squared > 0 else 0.0,
            slope=float(slope(parts.loss, score, y)),
            longest=longest,
            least_margin=margin,
            u=target,
        )
        for identity in wanted:
            check_step(identity, step, parts)


def check_mean(run: Any) -> None:
    """Check after every round that the regret is the sum of (x_t - y_t)^2/t."""
    game = run.replayable("check=True")
    player = game.learner.player()
    for t, y in enumerate(game.numbers, 1):
        player.play_one(y)
        ledger = player.ledger()
        leader = ledger.loss - ledger.leader_loss
        slack = ROUNDING * max(1.0, ledger.loss)
        if abs(ledger.regret - ledger.harmonic_loss) > slack:
            statement = "R = sum (x_t - y_t)^2/t"
            raise TheoremViolated(
                "mean/identity", statement, ledger.regret, ledger.harmonic_loss, t
            )
        if ledger.regret > leader + slack:
            statement = "R <= sum (x_t - y_t)^2 - (x_{t+1} - y_t)^2"
            raise TheoremViolated(
                "mean/be-the-leader", statement, ledger.regret, leader, t
            )


def _weights(player: Any) -> Floats:
    """All weights, that of the bias first."""
    if not player.bias:
        return player.weights()
    return np.concatenate([[player.bias_weight()], player.weights()])


def _rows(game: Any, player: Any) -> Any:
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


def _comparator(run: Any, u: Any) -> Floats:
    weights, bias = given(run, u)
    return np.concatenate([[bias], weights]) if run.learner.bias else weights
