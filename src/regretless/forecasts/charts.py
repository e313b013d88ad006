"""Charts of comparisons, combinations and calibration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..data.chunk import Array
from ..parts.rows import Longs
from ..parts.state import Floats
from ..report.charts import (
    HUES,
    Axis,
    ChartPanel,
    Figure,
    Mark,
    area,
    bars,
    line,
    points,
    rule,
    shown,
    tiles,
    whiskers,
)
from .combination import part_name

if TYPE_CHECKING:
    from .calibrating import Calibration, Calibrations
    from .combination import Combination
    from .comparison import Comparison
    from .tournament import Tournament


POINTS = 2_000  # of a curve: more than a screen shows
NAMED = len(HUES)  # forecasters with a color and a name
LONGEST = 28  # letters of a name
MANY = 8  # beyond that, pairs are a matrix
TEN = float(np.log(10.0))
BEATS = {1.0: "blue", -1.0: "vermillion", 0.0: "grid"}


def draw_comparison(found: Comparison, path: str | Path | None) -> Figure:
    """The interval of the mean difference, and below it the evidence."""
    p, q = found.names
    rows = _thinned(found.rounds)
    times = found.times[rows]
    logs = ((p, found.log_e_pq, "vermillion"), (q, found.log_e_qp, "blue"))
    evidence = [
        line(times, log[rows] / TEN, f"{name} is better", color)
        for name, log, color in logs
    ]
    # The mixture of both reaches 1/delta where one of them reaches about twice that.
    if found.lag == 1:
        evidence.append(rule(y=float(np.log10(2.0 * found.pairs / found.delta))))
    difference = [
        area(times, found.lcb[rows], found.ucb[rows], "interval", "blue"),
        line(times, found.estimates[rows], "mean difference", "blue"),
        rule(y=0.0, dash="solid"),
    ]
    across = _times(found.times)
    above = Axis(f"{found.loss} loss, {p} less {q}", grid=True)
    below = Axis("evidence, powers of 10", grid=True)
    panels = [
        ChartPanel(difference, across, above, 260),
        ChartPanel(evidence, _times(found.times, found.unit), below, 160),
    ]
    return shown(Figure(panels, found.verdict), path)


def draw_tournament(found: Tournament, path: str | Path | None) -> Figure:
    """The interval of every pair, as a dot with whiskers; of many, who beats whom."""
    if len(found.names) > MANY:
        return _draw_matrix(found, path)
    pairs = list(found.comparisons)
    names = [f"{_short(a)} less {_short(b)}" for a, b in (one.names for one in pairs)]
    lows, highs = ([one.interval[k] for one in pairs] for k in (0, 1))
    dots = points([one.difference for one in pairs], names, "", "blue")
    dots.data["color"] = ["@soft" if one.better is None else "@blue" for one in pairs]
    marks = [whiskers(lows, names, "soft", x2=highs), dots, rule(x=0.0, dash="solid")]
    unit = Axis(f"mean difference of {pairs[0].loss} losses", grid=True)
    panel = ChartPanel(marks, unit, Axis(kind="names"), 30 * len(pairs))
    return shown(Figure([panel], found.verdict), path)


def _draw_matrix(found: Tournament, path: str | Path | None) -> Figure:
    """Rows and columns from the best on: blue where the row beats the column.

    Columns have the numbers of the rows: names would not fit below so many.
    """
    order = found.order
    place = {name: k for k, name in enumerate(order)}
    names = [f"{_short(name)} {k}" for k, name in enumerate(order, start=1)]
    cells = dict.fromkeys(((k, k) for k in range(len(order))), np.nan)
    for one in found.comparisons:
        a, b = (place[name] for name in one.names)
        won = 0.0 if one.better is None else 1.0 if one.better == one.names[0] else -1.0
        cells[a, b], cells[b, a] = won, -won
    at = sorted(cells)
    colors = [BEATS.get(cells[spot], "paper") for spot in at]
    made = tiles([b + 1 for _, b in at], [names[a] for a, _ in at], colors)
    detail = "blue: the row beats the column; gray: cannot tell"
    panel = ChartPanel([made], Axis(kind="names"), Axis(kind="names"), 14 * len(order))
    return shown(Figure([panel], found.verdict, detail), path)


def draw_combination(found: Combination, path: str | Path | None) -> Figure:
    """Losses above the mixture's so far, and the weights, stacked.

    The forecasters with the largest weights have names and colors; the others are gray
    lines above, and one gray area below. Losses beyond those of the named are cut off.
    Rows in which a forecaster is missing count as if it had lost what the mixture did.
    """
    rows = _thinned(found.rounds)
    when, table = found.times[rows], found.table
    judged = ~np.isnan(found.own_losses)[:, None]
    lost = np.nan_to_num(found.expert_losses - found.own_losses[:, None])
    above = np.where(judged, lost, np.nan)
    means = np.stack([table.round_means(column) for column in above.T], axis=1)
    excess = np.cumsum(np.nan_to_num(means), axis=0)[rows]
    alone = len(found.parts) == 1
    mean_weights = found.weight_path.mean(axis=0) if alone else found.weights
    largest = np.argsort(-mean_weights, kind="stable")[:NAMED]
    colors = {int(k): hue for k, hue in zip(largest, HUES, strict=False)}
    kept = _thinned(len(found.weight_rounds))
    at, weights = found.times[found.weight_rounds][kept], found.weight_path[kept]
    lines = [
        line(when, excess[:, k], name, "faint", width=0.8).unlisted()
        for k, name in enumerate(found.names)
        if k not in colors
    ]
    areas: list[Mark] = []
    below = np.zeros(len(kept))
    for k in sorted(colors):
        name, color = _short(found.members[k]), colors[k]
        if k < len(found.names):
            lines.append(line(when, excess[:, k], name, color).unlisted())
        areas.append(area(at, below, below + weights[:, k], name, color, opacity=0.7))
        below = below + weights[:, k]
    others = len(found.members) - len(colors)
    if others:
        top = np.ones(len(kept))
        areas.append(area(at, below, top, f"{others} others", "faint", opacity=0.4))
    named = excess[:, [k for k in colors if k < len(found.names)]]
    panels = [
        ChartPanel(
            [*lines, rule(y=0.0, dash="solid")],
            _times(found.times),
            Axis("loss above the mixture's", span=_around_zero(named), grid=True),
            230,
        ),
        ChartPanel(areas, _times(found.times), Axis("weight", span=(0.0, 1.0)), 230),
    ]
    part = f"{part_name(found.weight_part)}, one of {len(found.parts):,}"
    detail = "" if alone else f"weights: of part {part}; losses: of all parts"
    return shown(Figure(panels, found.headline, detail), path)


def _around_zero(named: Floats) -> tuple[float, float] | None:
    if not named.size:
        return None
    low, high = min(float(named.min()), 0.0), max(float(named.max()), 0.0)
    room = 0.1 * max(high - low, 1e-12)
    return low - room, high + room


def draw_calibrations(found: Calibrations, path: str | Path | None) -> Figure:
    """The reliability curves of several forecasters, the worst in colors, on top."""
    order = sorted(found.each, key=lambda name: -found.each[name].reliability)
    others = f"{len(order) - NAMED} others"
    marks = [
        _curve(found.each[name], others, "faint") for name in order[: NAMED - 1 : -1]
    ]
    marks.append(line([0, 1], [0, 1], "calibrated", "soft", "dot"))
    named = list(zip(order, HUES, strict=False))
    marks += [_curve(found.each[n], _short(n), c, dots="circle") for n, c in named]
    panel = ChartPanel(marks, _share("forecast"), _share("how often it happened"), 420)
    return shown(Figure([panel], found.verdict), path)


def _curve(one: Calibration, name: str, color: str, dots: str = "") -> Mark:
    width = 1.8 if dots else 0.8
    return line(one.forecasts, one.frequencies, name, color, width=width, dots=dots)


def draw_calibration(found: Calibration, path: str | Path | None) -> Figure:
    """The reliability curve between consistency bands, and how many forecasts."""
    x = found.forecasts
    half = 0.008
    bands = [
        area([a - half, a + half], [low, low], [high, high], "if calibrated", "blue")
        for a, low, high in zip(x, found.low, found.high, strict=True)
    ]
    curve = line(x, found.frequencies, "what happened", "blue", dots="circle")
    marks = [*bands, line([0, 1], [0, 1], "calibrated", "soft"), curve]
    counts = bars(x, found.counts, "forecasts", "soft")
    panels = [
        ChartPanel(marks, _share(""), _share("how often it happened"), 300),
        ChartPanel([counts], _share("forecast"), Axis(zero=True), 90),
    ]
    return shown(Figure(panels, found.verdict), path)


def _share(title: str) -> Axis:
    return Axis(title, span=(0.0, 1.0), grid=title != "")


def _times(times: Array, title: str = "") -> Axis:
    """The axis of a user's own times: dates, numbers, or words."""
    kind = {"M": "time", "U": "names", "O": "names"}.get(times.dtype.kind, "linear")
    return Axis(title, kind)


def _short(name: str) -> str:
    """A name that leaves room for the chart: its beginning and its end."""
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 10]}…{name[-9:]}"


def _thinned(n: int) -> Longs:
    return np.unique(np.linspace(0, n - 1, min(n, POINTS)).round().astype(np.int64))
