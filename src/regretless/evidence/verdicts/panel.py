"""A panel's receipts: what its stack was given, and who would have combined better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from ...data import one_row
from ...parts.panel.forest import SETTINGS, SIZE
from ...parts.state import Floats
from ..hindsight.budget import expect, spend
from ..hindsight.stack import (
    BestCombination,
    StackRounds,
    best_combination,
    combination_losses,
)
from ..played_run import RowRun
from ..theorems.panel import PanelFacts
from .regret import Regret
from .task_types import Kind

if TYPE_CHECKING:
    from ...engine.players.panel import PanelPlayer


PanelRun: TypeAlias = "RowRun[PanelPlayer]"
MEMBERS = 20  # weights a feature, about
ONE_BY_ONE = 400  # times the work of a row among others


def stack_rounds(run: PanelRun) -> StackRounds:
    """What the last stack was given in every round, a row each, and the labels.

    That is the second one where the panel has kept its forest. The game is played again
    for them, a row at a time.
    """
    game = run.replayable("the members' predictions")
    expect(0, 0, MEMBERS * run.weights.shape[-1])
    player = game.player()
    first: list[Floats] = []
    second: list[Floats] = []
    scores: list[float] = []
    labels: list[Floats] = []
    size = player.state.covariance.shape[0]
    start = player.state.stack[:size].copy()
    for batch in game.source.batches():
        spend(0, ONE_BY_ONE * batch.targets.size, 0)
        labels.append(batch.targets)
        for i in range(batch.targets.size):
            player.play(one_row(batch.rows, i), batch.targets[i : i + 1])
            first.append(player.tile.inputs[:size].copy())
            second.append(player.forest_row.inputs[0, :SIZE].copy())
            scores.append(float(player.forest_row.margins[0, 0]))
    n = run.rounds
    y = np.concatenate(labels)[:n]
    if player.has_forest:
        # Its prior is N(0, v I): that of weights w/sqrt(v) on inputs times sqrt(v).
        inputs = math.sqrt(SETTINGS.doubt) * np.array(second)[:n]
        return StackRounds(inputs, np.array(scores)[:n], y, np.zeros(SIZE))
    return StackRounds(np.array(first)[:n], np.zeros(n), y, start)


def panel_alone(run: PanelRun) -> list[PanelFacts]:
    """The run without a comparator."""
    player = run.learner.player(0)
    narrow = player.has_forest and run.weights.shape[-1] <= SETTINGS.widest
    size = SIZE if narrow else player.state.covariance.shape[0]
    return [PanelFacts(run.ledger, size, 0.0, None)]


def panel_facts(run: PanelRun, u: npt.ArrayLike | None = None) -> list[PanelFacts]:
    """The run against `u`, or against the best combination."""
    rounds = stack_rounds(run)
    longest = float((rounds.inputs * rounds.inputs).sum(axis=1).max())
    return [PanelFacts(run.ledger, rounds.start.size, longest, _combined(rounds, u))]


def panel_hindsight(run: PanelRun, *, tolerance: float = 0.0) -> BestCombination:
    """The best fixed combination of the members."""
    return best_combination(stack_rounds(run))


def panel_regret(
    run: PanelRun, u: npt.ArrayLike | None = None, *, tolerance: float = 0.0
) -> Regret:
    """The log loss of the panel minus that of a fixed combination of its members."""
    found = _combined(stack_rounds(run), u)
    regret = run.ledger.loss - found.loss
    return Regret(regret, regret + found.gap, found.describe())


def panel_regret_along(
    run: PanelRun, facts: PanelFacts | None, stops: Sequence[int]
) -> tuple[str, Floats]:
    """The panel beside a fixed combination of its members."""
    if facts is None:
        return "", np.zeros(0)
    lost = np.cumsum(combination_losses(stack_rounds(run), facts.against.u))
    at, ledger = np.array(stops, np.int64), run.ledger
    rounds = np.append(ledger.curve[:, 0], ledger.rounds)
    own = np.interp(at, rounds, np.append(ledger.curve[:, 2], ledger.loss))
    return facts.describe(), own - lost[at - 1]


def _combined(rounds: StackRounds, u: npt.ArrayLike | None) -> BestCombination:
    if u is None:
        return best_combination(rounds)
    given, start = np.asarray(u, np.float64), rounds.start
    if given.shape != start.shape or not np.isfinite(given).all():
        raise ValueError(
            f"u has one finite weight for each of the stack's {start.size} inputs: "
            "margins clipped at 1, margins clipped farther out, and the constant"
        )
    distance = float((given - start) @ (given - start))
    loss = float(combination_losses(rounds, given).sum())
    return BestCombination(given, loss, distance, 0.0)


KIND = Kind(
    panel_facts,
    panel_hindsight,
    panel_regret,
    alone=panel_alone,
    regret_along=panel_regret_along,
)
