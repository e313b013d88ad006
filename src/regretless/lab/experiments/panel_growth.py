"""N k against 2 k^2 ln N: the Perceptron and Winnow while the voters grow in number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...algorithms.learners import NormalizedWinnow, Perceptron
from ..games import Game, HungPanel, SchapirePanel
from .experiment import Contest, Experiment
from .results import Results

if TYPE_CHECKING:
    from ...report.charts import Figure


def panel_growth(
    voters: Sequence[int] = (11, 21, 51, 101, 201, 501, 1001),
    k: int = 3,
    seeds: Sequence[int] = (0, 1, 2),
) -> Experiment:
    """Schapire's panel of k among more and more voters.

    The Perceptron's mistakes grow like N, as its bound N k does; normalized Winnow's
    like ln N, as 2 k^2 ln N. Against :class:`~regretless.games.HungPanel` both come
    close to their bounds; random votes are easier, and grow alike.

    Examples
    --------
    >>> from regretless.experiments import panel_growth
    >>> found = panel_growth(voters=(21, 101), seeds=[0]).run()
    >>> for row in list(found)[:2]:
    ...     print(row["contest"], row["voters"], row["mistakes"], row["bound"])
    Perceptron, adversary 21 60 63.0
    Perceptron, adversary 101 300 303.0
    """
    hung, random = HungPanel(max(voters), k), SchapirePanel(max(voters), k)
    return Experiment(
        name="panel-growth",
        title=f"A panel of k = {k} among N voters: N k against 2 k^2 ln N",
        contests=(
            Contest("Perceptron, adversary", Perceptron(), hung),
            Contest("Perceptron, random votes", Perceptron(), random),
            Contest("Winnow, adversary", _winnow, hung),
            Contest("Winnow, random votes", _winnow, random),
        ),
        sweep={"voters": tuple(voters)},
        seeds=tuple(seeds),
        draw=_draw,
    )


def _winnow(game: Game, rounds: int) -> NormalizedWinnow:
    return NormalizedWinnow.for_margin(1.0 / getattr(game, "k", 1))


def _draw(found: Results, path: str | Path | None) -> Figure:
    from .charts import draw_growth

    return draw_growth(found, "voters", "voters N", path)
