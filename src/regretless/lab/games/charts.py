"""Charts of bouts: what happened as an area, every bound as a line above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...report.charts import (
    DASHES,
    HUES,
    Axis,
    ChartPanel,
    Figure,
    Mark,
    area,
    line,
    points,
    shown,
)
from .curves import Curve

if TYPE_CHECKING:
    from .bout import Bout, Bouts


FAR = 25.0  # a bound so many times above what happened is shown on logarithmic axes


def draw_bout(bout: Bout, path: str | Path | None) -> Figure:
    """One game: the headline's bound drawn through, the others dashed."""
    main, head = bout.curve, bout.headline
    if main is None or head is None:
        raise ValueError(f"{bout.title}: no theorem applies, so there is no bound")
    # The bound below, and wider: where it is met, both are seen.
    log = _far(main)
    said = f"{main.about} (what happened)"
    marks = [_bound(main, "vermillion", "solid", 5.0), *happened_area(main, said, log)]
    if head.theorem.name != main.name:  # it speaks of the end alone
        name = f"{head.theorem.name}: {head.theorem.statement}"
        end = points([bout.run.rounds], [head.value], name, "vermillion", "diamond")
        marks.append(end)
    others = [
        curve
        for curve in bout.curves
        if curve.about == main.about and curve is not main and curve.points > 1
    ]
    dashes = list(DASHES)[1:]
    for i, curve in enumerate(_distinct([main, *others])[1:]):
        marks.append(_bound(curve, HUES[2 + i % 4], dashes[i % 3], 1.8))
    ratio = head.ratio or 0.0
    share = f", {ratio:.1%} of the bound" if ratio > 5e-4 else ""
    detail = f"{head.theorem.statement}: {head.happened:,.4g} of {head.value:,.4g}"
    return _finish(marks, main, bout.title, detail + share, path)


def draw_bouts(bouts: Bouts, path: str | Path | None) -> Figure:
    """Several seeds of one game: the median, and from the least to the most."""
    curves = [one.curve for one in bouts if one.curve is not None]
    if not curves:
        raise ValueError("no theorem applies, so there is no bound")
    main = curves[0]
    happened = np.array([curve.happened for curve in curves])
    low, high = happened.min(axis=0), happened.max(axis=0)
    name = f"{main.about}, least to most of {len(curves)} seeds"
    median = np.median(happened, axis=0)
    bound = np.median([curve.bound for curve in curves], axis=0)
    middle = replace(main, happened=median, bound=bound)
    marks = [
        area(main.rounds, low, high, name, "blue"),
        line(main.rounds, median, "median", "blue", width=3.0),
        _bound(middle, "vermillion", "solid", 3.0),
    ]
    shares = bouts.ratios
    detail = (
        f"{main.statement}: {np.nanmin(shares):.1%} to {np.nanmax(shares):.1%} of the "
        f"bound over {len(curves)} seeds"
    )
    title = f"{bouts[0].learner!r} against {bouts[0].game!r}"
    return _finish(marks, middle, title, detail, path)


def happened_area(curve: Curve, name: str, log: bool = False) -> list[Mark]:
    """What happened as a line, and the area below it, down to zero."""
    floor = np.full(len(curve.rounds), 1.0 if log else 0.0)
    return [
        area(curve.rounds, floor, curve.happened, "", "blue"),
        line(curve.rounds, curve.happened, name, "blue", width=2.5),
    ]


def _bound(curve: Curve, color: str, dash: str, width: float) -> Mark:
    said = np.isfinite(curve.bound)  # a line goes on where a bound is silent
    name = f"{curve.name}: {curve.statement}"
    rounds = np.asarray(curve.rounds)[said]
    return line(rounds, curve.bound[said], name, color, dash, width=width)


def _far(curve: Curve) -> bool:
    happened, bound = float(curve.happened[-1]), float(curve.bound[-1])
    return happened > 0 and bound > FAR * happened


def _finish(
    marks: Sequence[Mark],
    curve: Curve,
    title: str,
    detail: str,
    path: str | Path | None,
) -> Figure:
    what = f"{curve.about} so far"
    up = Axis(what, zero=True, grid=True)
    if _far(curve):
        up = Axis(f"{what} (log scale)", "log", form="~g", grid=True)
    panel = ChartPanel(marks, Axis("rounds"), up, 360)
    return shown(Figure([panel], title, detail), path)


def _distinct(curves: list[Curve]) -> list[Curve]:
    """Without those that lie on top of another one, or so far above as to hide all."""
    kept: list[Curve] = []
    for curve in curves:
        same = any(
            np.allclose(curve.bound, one.bound, rtol=1e-3, equal_nan=True)
            for one in kept
        )
        far = bool(kept) and curve.bound[-1] > 4.0 * kept[0].bound[-1]
        if not same and not far:
            kept.append(curve)
    return kept
