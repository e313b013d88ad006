"""Every learner against its worst adversary and against a friend, on one page."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..games import LINEUP, set_up
from .experiment import Contest, Experiment
from .results import Results

if TYPE_CHECKING:
    from ...report.charts import Figure


def every_learner(points: int = 40) -> Experiment:
    """Mistakes or regret beside the bound: all learners, worst and friendly games.

    Two contests a learner, labeled ``NAME, worst`` and ``NAME, friendly``.

    Examples
    --------
    >>> from regretless.experiments import every_learner
    >>> [contest.label for contest in every_learner().contests[:2]]
    ['AROW, worst', 'AROW, friendly']
    """
    contests = [
        Contest(f"{kind.__name__}, {which}", partial(set_up, kind), game)
        for kind, pairing in LINEUP.items()
        for which, game in (("worst", pairing.worst), ("friendly", pairing.friendly))
    ]
    return Experiment(
        name="every-learner",
        title="Every learner beside its bound, against the worst and among friends",
        contests=tuple(contests),
        points=points,
        draw=_draw,
    )


def _draw(found: Results, path: str | Path | None) -> Figure:
    from .charts import draw_page

    return draw_page(found, path)
