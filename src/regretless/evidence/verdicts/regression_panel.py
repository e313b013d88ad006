"""A regression panel's receipts: what its stack has summed says it all."""

from __future__ import annotations

from typing import TypeAlias, cast

from ...engine.players.regression import RegressionPlayer
from ...parts.regression import BEST, BOUND, EXTRA
from ..hindsight.shares import BestShares
from ..played_run import RowRun
from ..theorems.regression_panel import SharesFacts
from .regret import Regret
from .task_types import Kind

SharesRun: TypeAlias = "RowRun[RegressionPlayer]"


def shares_facts(run: SharesRun, u: object = None) -> list[SharesFacts]:
    """The run against the best combination."""
    _refuse(u)
    player = _player(run)
    second_layer = player.second_layer
    if second_layer.live:
        best = BestShares(second_layer.shares(), float(second_layer.sums[BEST]))
        return [SharesFacts(run.ledger, best, float(second_layer.sums[BOUND]))]
    best = BestShares(player.shares(), float(player.sums[BEST]))
    # Rows that were played with a forest, before the table became wide, may cost more.
    learned = float(player.sums[BOUND]) + max(0.0, float(second_layer.sums[EXTRA]))
    return [SharesFacts(run.ledger, best, learned)]


def shares_hindsight(run: SharesRun, *, tolerance: float = 0.0) -> BestShares:
    """The best fixed combination of the members; it is exact."""
    return shares_facts(run)[0].best


def shares_regret(
    run: SharesRun, u: object = None, *, tolerance: float = 0.0
) -> Regret:
    """The loss of the panel minus that of the best combination, distance included."""
    best = shares_facts(run, u)[0].best
    regret = run.ledger.loss - best.objective
    return Regret(regret, regret, best.describe())


def _player(run: SharesRun) -> RegressionPlayer:
    """The panel as it stood when the run was concluded."""
    player = cast("RegressionPlayer | None", run.player)
    if player is not None and player.rounds == run.rounds:
        return player
    game = run.replayable("the members' shares")  # it has played on since
    player = game.player()
    for batch in game.source.batches():
        player.play(batch.rows, batch.targets, weights=batch.weights)
    return player


def _refuse(u: object) -> None:
    if u is not None:
        raise ValueError("a panel is compared with the best fixed shares: leave u out")


KIND = Kind(shares_facts, shares_hindsight, shares_regret, counted=True)
