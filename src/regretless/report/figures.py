"""Plotly figures as plain data: lines, bars, and a quiet layout; colors by role."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

__all__ = ["bars_figure", "escaped", "filled", "line", "lines_figure"]

HEIGHT = 340


def filled() -> dict[str, Any]:
    """Fill what lies between this line and the one before it."""
    return {"fill": "tonexty", "fillcolor": "rgba(86, 180, 233, 0.16)"}


def line(
    x: Any,
    y: Any,
    name: str,
    color: str,
    dash: str = "solid",
    *,
    width: float = 1.9,
    shape: str = "linear",
) -> dict[str, Any]:
    """A line through points."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": _rounded(x),
        "y": _rounded(y),
        "name": escaped(name),
        "line": {"color": color, "dash": dash, "width": width, "shape": shape},
    }


def bars_figure(
    names: list[str], values: list[float], colors: list[str]
) -> dict[str, Any]:
    """Horizontal bars, the first on top."""
    ticks = list(range(len(names)))
    layout = _layout("", "")
    layout |= {"height": 90 + 24 * max(len(names), 2), "hovermode": "closest"}
    layout["bargap"] = 0.35
    layout["yaxis"] |= {
        "autorange": "reversed",
        "tickmode": "array",
        "tickvals": ticks,
        "ticktext": [_cut(name) for name in names],
        "showgrid": False,
        "zeroline": False,
    }
    layout["xaxis"] |= {"showgrid": True, "zeroline": True, "tickformat": ",.4~g"}
    data = {
        "type": "bar",
        "orientation": "h",
        "x": _rounded(values),
        "y": ticks,
        "text": names,
        "textposition": "none",
        "hovertemplate": "%{text}: %{x:.4g}<extra></extra>",
        "marker": {"color": colors},
    }
    return {"data": [data], "layout": layout}


def lines_figure(
    lines: list[Any], x: str, y: str, *, share: bool = False
) -> dict[str, Any]:
    """Lines over rounds, with the titles of both axes; `share`: as percentages."""
    layout = _layout(x, y)
    layout["yaxis"] |= {"rangemode": "tozero", "hoverformat": ",.5~g"}
    if share:
        layout["yaxis"] |= {"tickformat": ".3~p", "hoverformat": ".3p"}
    else:
        highest = max((one or 0.0 for each in lines for one in each["y"]), default=0.0)
        layout["yaxis"]["tickformat"] = "~s" if highest >= 1e4 else ",.4~g"
    return {"data": lines, "layout": layout}


def _layout(x: str, y: str) -> dict[str, Any]:
    axis = {
        "gridcolor": "@grid",
        "zerolinecolor": "@faint",
        "linecolor": "@faint",
        "tickcolor": "@faint",
        "automargin": True,
        "fixedrange": True,  # a finger that scrolls the page must not zoom the chart
    }
    return {
        "height": HEIGHT,
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "showlegend": False,
        "hovermode": "x unified",
        "dragmode": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": "@soft", "size": 13},
        "hoverlabel": {"bgcolor": "@paper", "font": {"color": "@ink"}},
        "xaxis": {**axis, "title": {"text": x}, "showgrid": False, "tickformat": ",~s"},
        "yaxis": {**axis, "title": {"text": y}},
    }


def _rounded(numbers: Any) -> list[float | None]:
    """Seven figures are more than a screen shows; what is no number is a gap."""
    return [
        _short(float(f"{one:.7g}")) if np.isfinite(one) else None
        for one in np.asarray(numbers, np.float64).tolist()
    ]


def _short(number: float) -> float:
    """A whole number as one: it is written without a fraction."""
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def escaped(text: str) -> str:
    """A name as plotly shows it: its texts are read as a kind of HTML."""
    return html.escape(" ".join(text.split()), quote=False)


def _cut(escaped: str, most: int = 26) -> str:
    """A label short enough for a phone."""
    plain = html.unescape(escaped)
    if len(plain) <= most:
        return escaped
    return html.escape(plain[: most - 1] + "…", quote=False)
