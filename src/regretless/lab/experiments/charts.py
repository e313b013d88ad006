"""Pictures of experiments: growth, rates, small multiples."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..games import Curve
from ..games.canvas import BAND, BLUE, COLORS, GREY, RED, finish, plotly, write
from .results import Results

__all__ = ["draw_growth", "draw_page", "draw_rates", "draw_shares"]

COLUMNS = 6  # of small multiples: three learners a row
DASHES = ("solid", "dash", "solid", "dash")
SYMBOLS = ("circle", "square", "diamond", "x")


def draw_growth(found: Results, by: str, title: str, path: str | Path | None) -> Any:
    """What happened under its bound, a color a learner, on logarithmic axes.

    Contests are labeled ``LEARNER, GAME``; the first game of a learner is drawn through
    and has the bound with it, the others are dotted.
    """
    figure = plotly("graph_objects").Figure()
    colors: dict[str, str] = {}
    seen: list[float] = []
    for label, rows in _grouped(found):
        learner = label.split(",")[0]
        first = learner not in colors
        color = colors.setdefault(learner, COLORS[len(colors) % len(COLORS)])
        xs, low, middle, high = _spread(rows, by, lambda row: row["happened"])
        _, _, bounds, _ = _spread(rows, by, lambda row: row["bound"])
        seen += [*low, *high, *bounds]
        if first:
            figure.add_scatter(
                x=xs,
                y=bounds,
                name=f"{learner}: bound, {_short(rows[0]['statement'])}",
                mode="lines",
                line={"color": color, "width": 2, "dash": "dash"},
            )
        figure.add_scatter(
            x=xs,
            y=middle,
            name=label,
            mode="lines+markers",
            line={"color": color, "width": 3, "dash": "solid" if first else "dot"},
            marker={"size": 9, "symbol": "circle" if first else "circle-open"},
            error_y=_whiskers(low, middle, high, color),
        )
    _log_axis(figure.update_xaxes, sorted({row[by] for row in found}), title)
    _log_axis(figure.update_yaxes, _ticks(seen), "mistakes")
    figure.update_xaxes(showgrid=False)
    detail = "bounds dashed; what happened with its range over the seeds"
    return finish(figure, found.title, detail, path)


def draw_rates(found: Results, path: str | Path | None) -> Any:
    """Regret over sqrt(T) on the left, over ln T on the right."""
    figure = plotly("subplots").make_subplots(
        rows=1,
        cols=2,
        horizontal_spacing=0.1,
    )
    rates: tuple[Callable[[float], float], ...] = (math.sqrt, math.log)
    for i, (label, rows) in enumerate(_grouped(found)):
        for column, rate in enumerate(rates, 1):
            xs, _, middle, _ = _spread(
                rows,
                "rounds",
                lambda row, rate=rate: row["happened"] / rate(row["rounds"]),
            )
            figure.add_scatter(
                x=xs,
                y=middle,
                name=label,
                legendgroup=label,
                showlegend=column == 1,
                mode="lines+markers",
                line={"color": COLORS[i], "width": 3, "dash": DASHES[i % 4]},
                marker={"size": 9, "symbol": SYMBOLS[i % 4]},
                row=1,
                col=column,
            )
    _log_axis(figure.update_xaxes, sorted({row["rounds"] for row in found}), "rounds T")
    figure.update_xaxes(showgrid=False)
    for column, (name, rate) in enumerate(
        (("regret / sqrt(T)", math.sqrt), ("regret / ln T", math.log)), 1
    ):
        values = [_over(rate)(row) for row in found]
        _log_axis(figure.update_yaxes, _ticks(values), name, row=1, col=column)
    detail = "flat on the left: convex losses; flat on the right: strongly convex ones"
    return finish(figure, found.title, detail, path)


def _over(rate: Callable[[float], float]) -> Callable[[dict[str, Any]], float]:
    return lambda row: row["happened"] / rate(row["rounds"])


def _whiskers(low: Any, middle: Any, high: Any, color: str) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": high - middle,
        "arrayminus": middle - low,
        "color": color,
        "thickness": 1.2,
    }


def _ticks(values: Iterable[float]) -> list[float]:
    """1, 2, 5, 10, 20, ... as far as positive values reach."""
    known = [value for value in values if value > 0]
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    spots = [
        digit * 10.0**power for power in range(low, high + 1) for digit in (1, 2, 5)
    ]
    return [at for at in spots if min(known) * 0.5 <= at <= max(known) * 2.0]


def _log_axis(update: Any, ticks: list[Any], title: str, **where: int) -> None:
    names = [f"{at:,.10g}" for at in ticks]
    update(type="log", tickvals=ticks, ticktext=names, title_text=title, **where)


def _short(statement: str) -> str:
    """The inequality alone, without what its letters mean."""
    return statement.split(",", maxsplit=1)[0]


def draw_page(found: Results, path: str | Path | None) -> Any:
    """Small multiples: what happened as an area, the bound as a line."""
    shown = [(row, curve) for row, curve in zip(found, found.curves, strict=True)]
    lines = math.ceil(len(shown) / COLUMNS)
    figure = plotly("subplots").make_subplots(
        rows=lines,
        cols=COLUMNS,
        horizontal_spacing=0.035,
        vertical_spacing=0.36 / lines,
        subplot_titles=[_caption(row) for row, _ in shown],
    )
    for i, (row, curve) in enumerate(shown):
        if curve is not None:
            worst = row["contest"].endswith("worst")
            where = {"row": i // COLUMNS + 1, "col": i % COLUMNS + 1}
            _small(figure, curve, where, legend=i == 0, ending=row["bound"])
            figure.update_yaxes(rangemode="tozero", nticks=4, **where)
            figure.update_xaxes(showgrid=False, nticks=4, **where)
            if not worst:
                continue
            figure.update_yaxes(title_text=curve.about, title_standoff=2, **where)
    for column in range(1, COLUMNS + 1):
        figure.update_xaxes(title_text="rounds", row=lines, col=column)
    figure.update_annotations(font_size=10.5)
    detail = "each learner twice: against its worst adversary, and in a friendly game"
    figure = finish(figure, found.title, detail, None, height=190 * lines + 160)
    figure.update_layout(
        hovermode="closest",
        legend={"y": 1.0 + 0.35 / lines, "yanchor": "bottom", "x": 0.7},
    )
    figure.update_xaxes(tickfont={"size": 10})
    figure.update_yaxes(tickfont={"size": 10}, title_font={"size": 11})
    write(figure, f"{found.title}. {detail}", path)
    return figure


def _small(
    figure: Any, curve: Curve, where: dict[str, int], *, legend: bool, ending: float
) -> None:
    figure.add_scatter(
        x=curve.rounds,
        y=curve.bound,
        name="bound",
        mode="lines",
        line={"color": RED, "width": 4.5},
        connectgaps=True,
        showlegend=legend,
        **where,
    )
    figure.add_scatter(
        x=curve.rounds,
        y=curve.happened,
        name="what happened",
        mode="lines",
        line={"color": BLUE, "width": 2},
        fill="tozeroy",
        fillcolor=BAND,
        showlegend=legend,
        **where,
    )


def draw_shares(found: Results, path: str | Path | None) -> Any:
    """The share of the bound that each contest reached: a dot a bout."""
    figure = plotly("graph_objects").Figure()
    for i, (label, rows) in enumerate(_grouped(found)):
        known = [row for row in rows if row["share"] is not None]
        figure.add_scatter(
            x=[row["share"] for row in known],
            y=[label] * len(known),
            mode="markers",
            name=label,
            showlegend=False,
            marker={"color": COLORS[i % len(COLORS)], "size": 10, "opacity": 0.7},
        )
    figure.add_vline(x=1.0, line={"color": GREY, "dash": "dot"})
    figure.update_xaxes(title_text="share of the bound", rangemode="tozero")
    figure.update_yaxes(autorange="reversed")
    return finish(figure, found.title, "a dot a bout; the bound at 1", path)


def _grouped(found: Results) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for label in dict.fromkeys(row["contest"] for row in found):
        yield label, [row for row in found if row["contest"] == label]


def _spread(
    rows: list[dict[str, Any]], by: str, value: Callable[[dict[str, Any]], float]
) -> tuple[Any, Any, Any, Any]:
    """The values of `by`; the least, the median and the most over seeds at each."""
    xs = sorted({row[by] for row in rows})
    found = [[value(row) for row in rows if row[by] == x] for x in xs]
    low, high = (np.array([pick(part) for part in found]) for pick in (min, max))
    return xs, low, np.array([float(np.median(part)) for part in found]), high


def _caption(row: dict[str, Any]) -> str:
    name = row["contest"].split(",")[0]
    head = f"<b>{name}</b><br>{row['game']}"
    return head if row["share"] is None else f"{head} · {row['share']:.2f}"
