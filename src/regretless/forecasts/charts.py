"""Charts of comparisons, combinations and calibration: pages that need no network."""

from __future__ import annotations

import importlib
import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from ..notebooks import check_page
from ..storage.atomic import writing

__all__ = [
    "draw_calibration",
    "draw_combination",
    "draw_comparison",
    "draw_tournament",
]

POINTS = 2_000  # of a curve: more than a screen shows
BAND = "rgba(31, 119, 180, 0.18)"
LINE = "rgb(31, 119, 180)"
OTHER = "rgb(214, 39, 40)"
GREY = "rgb(120, 120, 120)"
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
    """The interval of every pair, as a dot with whiskers."""
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


def draw_combination(found: Any, path: str | Path | None) -> Any:
    """What each forecaster loses above the mixture so far, and the weights."""
    figure = _plotly("subplots").make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        row_heights=[0.5, 0.5],
        vertical_spacing=0.07,
    )
    graph = _plotly("graph_objects")
    rows = _thinned(found.rounds)
    when = found.times[rows]
    lost = np.nan_to_num(found.expert_losses - found.losses[:, None])
    excess = np.cumsum(lost, axis=0)[rows]
    colors = _plotly("colors").qualitative.Dark24
    for k, name in enumerate(found.names):
        style = colors[k % len(colors)]
        _line(figure, graph, when, excess[:, k], name, style, group=name)
        _line(
            figure,
            graph,
            found.times[found.weight_rows],
            found.weight_path[:, k],
            name,
            style,
            row=2,
            group=name,
            legend=False,
        )
    figure.add_hline(y=0.0, line={"color": GREY, "width": 1}, row=1, col=1)
    figure.update_yaxes(title_text="loss above the mixture's", row=1, col=1)
    figure.update_yaxes(title_text="weight", range=[0, 1], row=2, col=1)
    return _finish(figure, found.headline, path)


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
        line={"color": color, "width": 1.6},
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
