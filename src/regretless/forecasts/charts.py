"""Charts of comparisons, combinations and calibration: pages that need no network."""

from __future__ import annotations

import importlib
import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.storage.atomic import writing
from ..parts.notebook_html import check_page

__all__ = [
    "draw_calibration",
    "draw_calibrations",
    "draw_combination",
    "draw_comparison",
    "draw_tournament",
]

POINTS = 2_000  # of a curve: more than a screen shows
BAND = "rgba(31, 119, 180, 0.18)"
LINE = "rgb(31, 119, 180)"
OTHER = "rgb(214, 39, 40)"
GREY = "rgb(120, 120, 120)"
PALE = "rgb(215, 215, 215)"
# Okabe and Ito's colors, none of them gray: those of the forecasters that are named.
COLORS = (
    "rgb(0, 114, 178)",
    "rgb(213, 94, 0)",
    "rgb(0, 158, 115)",
    "rgb(204, 121, 167)",
    "rgb(230, 159, 0)",
    "rgb(86, 180, 233)",
    "rgb(138, 109, 0)",
    "rgb(90, 50, 140)",
)
NAMED = len(COLORS)  # forecasters with a color and a name
LONGEST = 28  # letters of a name
MANY = 8  # beyond that, pairs are a matrix
TEN = float(np.log(10.0))


def draw_comparison(found: Any, path: str | Path | None) -> Any:
    """The interval of the mean difference, and below it the evidence."""
    figure = _plotly("subplots").make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        row_heights=[0.62, 0.38],
        vertical_spacing=0.07,
    )
    graph = _plotly("graph_objects")
    p, q = found.names
    rows = _thinned(found.rounds)
    times = found.times[rows]
    _band(figure, graph, times, found.lcb[rows], found.ucb[rows])
    _line(figure, graph, times, found.estimates[rows], "mean difference", LINE)
    figure.add_hline(y=0.0, line={"color": GREY, "width": 1}, row=1, col=1)
    for name, logs, color in (
        (p, found.log_e_pq, OTHER),
        (q, found.log_e_qp, LINE),
    ):
        _line(figure, graph, times, logs[rows] / TEN, f"{name} is better", color, row=2)
    # The mixture of both reaches 1/delta where one of them reaches about twice that.
    if found.lag == 1:
        alarm = float(np.log10(2.0 * found.pairs / found.delta))
        figure.add_hline(y=alarm, line={"color": GREY, "dash": "dot"}, row=2, col=1)
    figure.update_yaxes(title_text=f"{found.loss} loss, {p} less {q}", row=1, col=1)
    figure.update_yaxes(title_text="evidence, powers of 10", row=2, col=1)
    figure.update_xaxes(title_text=found.unit, row=2, col=1)
    return _finish(figure, found.verdict, path)


def draw_tournament(found: Any, path: str | Path | None) -> Any:
    """The interval of every pair, as a dot with whiskers; of many, who beats whom."""
    if len(found.names) > MANY:
        return _draw_matrix(found, path)
    graph = _plotly("graph_objects")
    pairs = list(found.comparisons)
    lows, highs = (np.array([one.interval[k] for one in pairs]) for k in (0, 1))
    middle = np.array([one.difference for one in pairs])
    figure = graph.Figure(
        graph.Scatter(
            x=middle,
            y=[f"{one.names[0]} less {one.names[1]}" for one in pairs],
            mode="markers",
            marker={
                "color": [GREY if one.better is None else LINE for one in pairs],
                "size": 9,
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": highs - middle,
                "arrayminus": middle - lows,
                "color": GREY,
            },
        )
    )
    figure.add_vline(x=0.0, line={"color": GREY, "width": 1})
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(title_text=f"mean difference of {pairs[0].loss} losses")
    return _finish(figure, found.verdict, path)


def _draw_matrix(found: Any, path: str | Path | None) -> Any:
    """Rows and columns from the best on: blue where the row beats the column.

    Columns have the numbers of the rows: names would not fit below so many.
    """
    order = found.order
    n = len(order)
    place = {name: k for k, name in enumerate(order)}
    cells = np.full((n, n), np.nan)
    for one in found.comparisons:
        a, b = (place[name] for name in one.names)
        sign = (
            0.0 if one.better is None else 1.0 if one.better == one.names[0] else -1.0
        )
        cells[a, b], cells[b, a] = sign, -sign
    said = {1.0: "beats", -1.0: "is beaten by", 0.0: "cannot be told from"}
    words = [[said.get(float(cell), "never met") for cell in row] for row in cells]
    graph = _plotly("graph_objects")
    places = list(range(1, n + 1))
    figure = graph.Figure(
        graph.Heatmap(
            z=cells,
            x=places,
            y=places,
            zmin=-1,
            zmax=1,
            xgap=1,
            ygap=1,
            colorscale=[[0.0, OTHER], [0.5, "rgb(240, 240, 240)"], [1.0, LINE]],
            showscale=False,
            text=[
                [f"{p} {words[a][b]} {q}" for b, q in enumerate(order)]
                for a, p in enumerate(order)
            ],
            hovertemplate="%{text}<extra></extra>",
        )
    )
    names = [f"{_short(name)} {k}" for k, name in enumerate(order, start=1)]
    side = max(5, n // 5 // 5 * 5)  # columns from one number to the next
    figure.update_yaxes(
        autorange="reversed", tickvals=places, ticktext=names, tickfont={"size": 10}
    )
    figure.update_xaxes(tickvals=[1, *places[side - 1 :: side]], side="top")
    figure.update_layout(height=13 * n + 190, margin={"t": 130, "b": 30})
    title = f"{found.verdict} (blue: the row beats the column; gray: cannot tell)"
    return _finish(figure, title, path)


def draw_combination(found: Any, path: str | Path | None) -> Any:
    """Losses above the mixture's so far, and the weights, stacked.

    The forecasters with the largest weights have names and colors; the others are gray
    lines above, and one gray area below. Losses beyond those of the named are cut off.
    """
    figure = _plotly("subplots").make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.5, 0.5], vertical_spacing=0.07
    )
    graph = _plotly("graph_objects")
    rows = _thinned(found.rounds)
    when, table = found.times[rows], found.table
    lost = found.expert_losses - found.own_losses[:, None]
    means = np.stack([table.round_means(column) for column in lost.T], axis=1)
    excess = np.cumsum(np.nan_to_num(means), axis=0)[rows]
    largest = np.argsort(-found.weight_path.mean(axis=0), kind="stable")[:NAMED]
    colors = dict(zip(largest.tolist(), COLORS, strict=False))
    for k in range(len(found.names)):
        if k not in colors:
            _line(figure, graph, when, excess[:, k], found.names[k], PALE, legend=False)
    at = found.times[found.weight_rounds]
    others = np.delete(found.weight_path, largest, axis=1).sum(axis=1)
    for k in sorted(colors):
        name, color = _short(found.members[k]), colors[k]
        if k < len(found.names):
            shown = excess[:, k]
            _line(figure, graph, when, shown, name, color, group=name, legend=False)
        _area(figure, graph, at, found.weight_path[:, k], name, colors[k])
    if len(colors) < len(found.members):
        _area(figure, graph, at, others, f"{len(found.members) - NAMED} others", PALE)
    named = excess[:, [k for k in colors if k < len(found.names)]]
    if named.size:
        low, high = min(float(named.min()), 0.0), max(float(named.max()), 0.0)
        room = 0.1 * max(high - low, 1e-12)
        figure.update_yaxes(range=[low - room, high + room], row=1, col=1)
    figure.add_hline(y=0.0, line={"color": GREY, "width": 1}, row=1, col=1)
    figure.update_yaxes(title_text="loss above the mixture's", row=1, col=1)
    figure.update_yaxes(title_text="weight", range=[0, 1], row=2, col=1)
    return _finish(figure, found.headline, path)


def _area(figure: Any, graph: Any, x: Any, y: Any, name: str, color: str) -> None:
    trace = graph.Scatter(
        x=x,
        y=y,
        name=name,
        mode="lines",
        line={"width": 0.5, "color": color},
        stackgroup="weights",
        legendgroup=name,
    )
    figure.add_trace(trace, row=2, col=1)


def draw_calibrations(found: Any, path: str | Path | None) -> Any:
    """The reliability curves of several forecasters, the worst in colors, on top."""
    figure = _plotly("graph_objects").Figure()
    order = sorted(found.each, key=lambda name: -found.each[name].reliability)
    for place, name in reversed(list(enumerate(order[NAMED:]))):
        figure.add_scatter(
            x=found.each[name].forecasts,
            y=found.each[name].frequencies,
            mode="lines",
            name=f"{len(order) - NAMED} others",
            text=name,
            line={"color": PALE, "width": 0.8},
            showlegend=place == 0,
            legendrank=1001,
        )
    figure.add_scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        line={"color": GREY, "dash": "dot"},
        name="calibrated",
        legendrank=1002,
    )
    for rank, (name, color) in enumerate(zip(order, COLORS, strict=False)):
        figure.add_scatter(
            x=found.each[name].forecasts,
            y=found.each[name].frequencies,
            mode="lines+markers",
            name=_short(name),
            line={"color": color, "width": 1.8},
            legendrank=rank + 1,
        )
    figure.update_xaxes(title_text="forecast", range=[0, 1])
    figure.update_yaxes(title_text="how often it happened", range=[0, 1])
    return _finish(figure, found.verdict, path)


def draw_calibration(found: Any, path: str | Path | None) -> Any:
    """The reliability curve between consistency bands, and how many forecasts."""
    figure = _plotly("subplots").make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        row_heights=[0.75, 0.25],
        vertical_spacing=0.05,
    )
    graph = _plotly("graph_objects")
    x = found.forecasts
    for k in range(len(x)):
        figure.add_scatter(
            x=[x[k], x[k]],
            y=[found.low[k], found.high[k]],
            mode="lines",
            line={"color": BAND, "width": 14},
            name="if calibrated",
            showlegend=k == 0,
            row=1,
            col=1,
        )
    _line(figure, graph, [0, 1], [0, 1], "calibrated", GREY)
    _line(figure, graph, x, found.frequencies, "what happened", LINE, dots=True)
    figure.add_bar(
        x=x,
        y=found.counts,
        width=0.02,
        marker_color=GREY,
        name="forecasts",
        row=2,
        col=1,
    )
    figure.update_yaxes(title_text="how often it happened", row=1, col=1)
    figure.update_xaxes(title_text="forecast", range=[0, 1], row=2, col=1)
    return _finish(figure, found.verdict, path)


def _short(name: str) -> str:
    """A name that leaves room for the chart: its beginning and its end."""
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 10]}…{name[-9:]}"


def _thinned(n: int) -> Any:
    return np.unique(np.linspace(0, n - 1, min(n, POINTS)).round().astype(np.int64))


def _line(
    figure: Any,
    graph: Any,
    x: Any,
    y: Any,
    name: str,
    color: str,
    *,
    row: int = 1,
    group: str | None = None,
    legend: bool = True,
    dots: bool = False,
) -> None:
    trace = graph.Scatter(
        x=x,
        y=y,
        name=name,
        mode="lines+markers" if dots else "lines",
        line={"color": color, "width": 0.8 if color == PALE else 1.6},
        legendgroup=group,
        showlegend=legend,
    )
    figure.add_trace(trace, row=row, col=1)


def _band(figure: Any, graph: Any, x: Any, low: Any, high: Any) -> None:
    blank = {"width": 0}
    figure.add_trace(
        graph.Scatter(x=x, y=high, line=blank, showlegend=False, hoverinfo="skip"),
        row=1,
        col=1,
    )
    figure.add_trace(
        graph.Scatter(
            x=x, y=low, line=blank, fill="tonexty", fillcolor=BAND, name="interval"
        ),
        row=1,
        col=1,
    )


def _finish(figure: Any, title: str, path: str | Path | None) -> Any:
    figure.update_layout(
        title={"text": "<br>".join(textwrap.wrap(title, 100)), "font": {"size": 16}},
        template="plotly_white",
    )
    if path is not None:
        check_page(path)
        page = figure.to_html(include_plotlyjs=True).encode("utf-8")
        with writing(path) as stream:
            stream.write(page)
    return figure


def _plotly(module: str) -> Any:
    try:
        return importlib.import_module(f"plotly.{module}")
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "plots need plotly: pip install 'regretless[report]'"
        ) from None
