"""Pictures of experiments: growth, rates, small multiples."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ...parts.documents import Document
from ...parts.state import Floats
from ...report.charts import (
    HUES,
    Axis,
    ChartPanel,
    Figure,
    Mark,
    line,
    points,
    rule,
    shown,
    whiskers,
)
from ..games import Curve
from ..games.charts import happened_area
from .results import Results

COLUMNS = 6  # of small multiples: three learners a row
SYMBOLS = ("circle", "square", "diamond", "cross")
Row = Document


def draw_growth(found: Results, by: str, title: str, path: str | Path | None) -> Figure:
    """What happened under its bound, a color a learner, on logarithmic axes.

    Contests are labeled ``LEARNER, GAME``; the first game of a learner is drawn through
    and has the bound with it, the others are dotted.
    """
    marks: list[Mark] = []
    colors: dict[str, str] = {}
    for label, rows in _grouped(found):
        learner = label.split(",")[0]
        first = learner not in colors
        color = colors.setdefault(learner, HUES[len(colors) % len(HUES)])
        xs, low, middle, high = _spread(rows, by, lambda row: row["happened"])
        _, _, bounds, _ = _spread(rows, by, lambda row: row["bound"])
        if first:
            name = f"{learner}: bound, {_short(rows[0]['statement'])}"
            marks.append(line(xs, bounds, name, color, "dash"))
        dash, dots = ("solid", "circle") if first else ("dot", "circle-open")
        marks.append(whiskers(xs, low, color, y2=high))
        marks.append(line(xs, middle, label, color, dash, width=2.5, dots=dots))
    ticks = sorted({row[by] for row in found})
    across = Axis(title, "log", form=",", ticks=ticks)
    panel = ChartPanel(
        marks, across, Axis("mistakes", "log", form=",~g", grid=True), 380
    )
    detail = "bounds dashed; what happened with its range over the seeds"
    return shown(Figure([panel], found.title, detail), path)


def draw_rates(found: Results, path: str | Path | None) -> Figure:
    """Regret over sqrt(T) on the left, over ln T on the right."""
    rates: dict[str, Callable[[float], float]] = {
        "regret / sqrt(T)": math.sqrt,
        "regret / ln T": math.log,
    }
    ticks = sorted({row["rounds"] for row in found})
    panels: list[ChartPanel] = []
    for title, rate in rates.items():
        marks: list[Mark] = []
        for i, (label, rows) in enumerate(_grouped(found)):
            xs, _, y, _ = _spread(rows, "rounds", _over(rate))
            dash, dots = ("solid", "dash")[i % 2], SYMBOLS[i % 4]
            marks.append(line(xs, y, label, HUES[i], dash, width=2.5, dots=dots))
        across = Axis("rounds T", "log", form=",", ticks=ticks)
        up = Axis(title, "log", form="~g", grid=True)
        panels.append(ChartPanel(marks, across, up, 320))
    detail = "flat on the left: convex losses; flat on the right: strongly convex ones"
    return shown(Figure(panels, found.title, detail, columns=2), path)


def _over(rate: Callable[[float], float]) -> Callable[[Row], float]:
    return lambda row: row["happened"] / rate(row["rounds"])


def _short(statement: str) -> str:
    """The inequality alone, without what its letters mean."""
    return statement.split(",", maxsplit=1)[0]


def draw_page(found: Results, path: str | Path | None) -> Figure:
    """Small multiples: what happened as an area, the bound as a line."""
    panels = [
        _small(row, curve)
        for row, curve in zip(found, found.curves, strict=True)
        if curve is not None
    ]
    detail = "each learner twice: against its worst adversary, and in a friendly game"
    return shown(Figure(panels, found.title, detail, columns=COLUMNS), path)


def _small(row: Row, curve: Curve) -> ChartPanel:
    name = row["contest"].split(",")[0]
    share = "" if row["share"] is None else f" · {row['share']:.2f}"
    said = np.isfinite(curve.bound)
    rounds = np.asarray(curve.rounds)[said]
    bound = line(rounds, curve.bound[said], "bound", "vermillion", width=4.0)
    marks = [bound, *happened_area(curve, "what happened")]
    worst = row["contest"].endswith("worst")
    up = Axis(curve.about if worst else "", zero=True, grid=True)
    title = f"{name}\n{row['game']}{share}"
    return ChartPanel(marks, Axis("rounds"), up, 90, title)


def draw_shares(found: Results, path: str | Path | None) -> Figure:
    """The share of the bound that each contest reached: a dot a bout."""
    marks: list[Mark] = []
    for i, (label, rows) in enumerate(_grouped(found)):
        known = [row["share"] for row in rows if row["share"] is not None]
        dots = points(known, [label] * len(known), label, HUES[i % len(HUES)])
        marks.append(dots.unlisted())
    marks.append(rule(x=1.0))
    unit = Axis("share of the bound", zero=True, grid=True)
    height = 28 * max(len(marks), 3)
    figure = Figure([ChartPanel(marks, unit, Axis(kind="names"), height)], found.title)
    return shown(figure, path)


def _grouped(found: Results) -> Iterator[tuple[str, list[Row]]]:
    for label in dict.fromkeys(row["contest"] for row in found):
        yield label, [row for row in found if row["contest"] == label]


def _spread(
    rows: list[Row], by: str, value: Callable[[Row], float]
) -> tuple[list[float], Floats, Floats, Floats]:
    """The values of `by`; the least, the median and the most over seeds at each."""
    xs = sorted({row[by] for row in rows})
    found = [[value(row) for row in rows if row[by] == x] for x in xs]
    low, high = (np.array([pick(part) for part in found]) for pick in (min, max))
    return xs, low, np.array([float(np.median(part)) for part in found]), high
