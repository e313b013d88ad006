"""A panel's receipts: what its stack was given, and who would have combined better."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data import one_row
from ...parts.state import Floats
from ..hindsight.budget import expect, spend
from ..hindsight.stack import BestCombination, best_combination, combination_loss
from ..theorems.panel import PanelFacts
from .regret import Regret
from .task_types import Kind

__all__ = [
    "KIND",
    "panel_alone",
    "panel_facts",
    "panel_hindsight",
    "panel_regret",
    "stack_inputs",
]

MEMBERS = 20  # weights a feature, about
ONE_BY_ONE = 400  # times the work of a row among others


def stack_inputs(run: Any) -> tuple[Floats, Floats]:
    """The inputs of the stack in every round, a row each, and the labels.

    The game is played again for them, a row at a time.
    """
    game = run.replayable("the members' predictions")
    expect(0, 0, MEMBERS * run.weights.shape[-1])
    player = game.player()
    inputs: list[Floats] = []
    labels: list[Floats] = []
    size = player.state.covariance.shape[0]
    for batch in game.source.batches():
        spend(0, ONE_BY_ONE * batch.targets.size, 0)
        labels.append(batch.targets)
        for i in range(batch.targets.size):
            player.play(one_row(batch.rows, i), batch.targets[i : i + 1])
            inputs.append(player.tile.inputs[:size].copy())
    return np.array(inputs)[: run.rounds], np.concatenate(labels)[: run.rounds]


def panel_alone(run: Any) -> list[PanelFacts]:
    """The run without a comparator."""
    return [PanelFacts(run.ledger, _start(run).size, 0.0, None)]


def panel_facts(run: Any, u: Any = None) -> list[PanelFacts]:
    """The run against `u`, or against the best combination."""
    inputs, y = stack_inputs(run)
    longest = float((inputs * inputs).sum(axis=1).max())
    found = _combination(run, inputs, y, u)
    return [PanelFacts(run.ledger, inputs.shape[1], longest, found)]


def panel_hindsight(run: Any, *, tolerance: float = 0.0) -> BestCombination:
    """The best fixed combination of the members."""
    inputs, y = stack_inputs(run)
    return best_combination(inputs, y, _start(run))


def panel_regret(run: Any, u: Any = None, *, tolerance: float = 0.0) -> Regret:
    """The log loss of the panel minus that of a fixed combination of its members."""
    found = _combination(run, *stack_inputs(run), u)
    regret = run.ledger.loss - found.loss
    return Regret(regret, regret + found.gap, found.describe())


def _combination(run: Any, inputs: Floats, y: Floats, u: Any) -> BestCombination:
    start = _start(run)
    if u is None:
        return best_combination(inputs, y, start)
    given = np.asarray(u, np.float64)
    if given.shape != start.shape or not np.isfinite(given).all():
        raise ValueError(
            f"u has one finite weight for each of the stack's {start.size} inputs: "
            "margins clipped at 1, margins clipped at 4, and the constant"
        )
    distance = float((given - start) @ (given - start))
    return BestCombination(given, combination_loss(inputs, y, given), distance, 0.0)


def _start(run: Any) -> Floats:
    state = run.learner.player(0).state
    return state.stack[: state.covariance.shape[0]]


KIND = Kind(panel_facts, panel_hindsight, panel_regret, alone=panel_alone)
