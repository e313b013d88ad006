"""sqrt(T) and ln T: what regret grows like, for convex and strongly convex losses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...algorithms.experts import FollowTheLeader
from ...algorithms.learners import OGD
from ...parts.losses import Squared
from ...parts.steps import InverseTime
from ..games import Farthest, Game, NoisyLabels, Orthogonal, Quadratic
from .experiment import Contest, Experiment
from .results import Results

if TYPE_CHECKING:
    from ...report.charts import Figure


CONVEX = ("OGD, orthogonal gradients", "OGD, coin tosses")


def regret_rates(
    rounds: Sequence[int] = (100, 300, 1_000, 3_000, 10_000, 30_000),
    seeds: Sequence[int] = (0, 1, 2),
) -> Experiment:
    """Games of more and more rounds, of convex and of strongly convex losses.

    Regret over sqrt(T) is flat for the convex ones (gradient descent on the hinge,
    against orthogonal gradients and against labels that are coin tosses) and falls for
    the strongly convex ones (gradient descent with steps 1/(2t) on (w - z)^2, and the
    mean game); regret over ln T is flat for those and grows for the others.

    Examples
    --------
    >>> from regretless.experiments import regret_rates
    >>> found = regret_rates(rounds=(100, 400), seeds=[0]).run()
    >>> [round(row["happened"] / row["rounds"] ** 0.5, 3) for row in found][:2]
    [1.0, 1.0]
    """
    steps = OGD(loss=Squared(), step=InverseTime(2.0))
    return Experiment(
        name="regret-rates",
        title="Regret grows like sqrt(T), and like ln T where losses curve",
        contests=(
            Contest(CONVEX[0], _ogd, Orthogonal()),
            Contest(CONVEX[1], _ogd, NoisyLabels(features=5, noise=0.5)),
            Contest("OGD with steps 1/(2t), (w - z)^2", steps, Quadratic()),
            Contest("Follow the leader, mean game", FollowTheLeader(), Farthest()),
        ),
        sweep={"rounds": tuple(rounds)},
        seeds=tuple(seeds),
        draw=_draw,
    )


def _ogd(game: Game, rounds: int) -> OGD:
    return OGD(step="theorem", radius=1.0, max_norm=1.0, horizon=rounds)


def _draw(found: Results, path: str | Path | None) -> Figure:
    from .charts import draw_rates

    return draw_rates(found, path)
