"""How much of its bound every adversary reaches, beside what it is said to reach.

``python -m benchmarks.games``
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import regretless as rg

__all__ = ["Share", "shares"]

HEADER = ("learner", "adversary", "theorem", "happened", "bound", "share", "said")


class Share(NamedTuple):
    """A theorem, what happened, and the least share that the adversary must reach."""

    learner: Any
    game: Any
    theorem: str
    least: float


def shares() -> Iterator[Share]:
    """Every adversary against the learner it is aimed at."""
    g = rg.games
    descent = rg.OGD(step="theorem", radius=1.0, max_norm=1.0, horizon=400)
    curved = rg.OGD(loss=rg.Squared(), step=rg.InverseTime(2.0))
    winnow = rg.NormalizedWinnow.for_margin(1 / 3)
    yield Share(rg.Halving(), g.Splitting(1000), "halving", 1.0)
    yield Share(rg.Perceptron(), g.UnitVectors(256), "perceptron/separable", 1.0)
    yield Share(rg.Perceptron(), g.HungPanel(1001, 3), "perceptron/panel", 0.99)
    yield Share(winnow, g.HungPanel(1001, 3), "normalized-winnow/tuned-data", 0.92)
    yield Share(rg.Winnow(), g.PromoteDemote(300, 4), "winnow/potential", 0.81)
    yield Share(rg.Winnow(), g.PromoteDemote(1000, 10), "winnow/potential", 0.81)
    yield Share(descent, g.Orthogonal(), "ogd/lecture", 1.0)
    yield Share(curved, g.Quadratic(), "strongly-convex/data", 1.0)
    for n, horizon in ((2, 1000), (16, 1000), (16, 10_000)):
        game = g.AlternatingHalves(n, horizon)
        yield Share(rg.Hedge(horizon=horizon), game, "hedge/horizon", 0.974)
    yield Share(rg.WeightedMajority(), g.Balancing(16), "weighted-majority", 0.96)
    yield Share(rg.FollowTheLeader(), g.Farthest(), "mean/log", 0.25)


def main() -> int:
    """Print the table; 1 where a share is missed."""
    lines: list[tuple[str, ...]] = [HEADER]
    missed = 0
    for learner, game, name, least in shares():
        found = rg.arena(learner, game, points=1).theorems[name]
        missed += found.ratio < least - 1e-9
        lines.append(
            (
                type(learner).__name__,
                repr(game),
                name,
                f"{found.happened:,.5g}",
                f"{found.value:,.5g}",
                f"{found.ratio:.3f}",
                f"{least:g}",
            )
        )
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [cell.ljust(size) for cell, size in zip(line, wide, strict=True)]
        print("  ".join(cells).rstrip())
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
