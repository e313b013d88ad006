"""Lines, points and bands, with the color left to the page."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

__all__ = ["LOG", "arrow", "band", "chart", "curve", "points"]

LOG = {"type": "log", "dtick": 1}  # powers of ten and nothing between
# Okabe and Ito's colors, for notebooks; a page of the book has its own.
COLORS = ["#0072b2", "#d55e00", "#009e73", "#b5568f", "#8a6d00", "#3a9bd9"]


def chart(*traces: Any, x: str, y: str, **layout: Any) -> go.Figure:
    """Traces on two named axes; further layout as plotly has it."""
    axes = {
        "xaxis": {"title": {"text": x}, **layout.pop("xaxis", {})},
        "yaxis": {"title": {"text": y}, **layout.pop("yaxis", {})},
    }
    return go.Figure(data=traces, layout={"template": {}, **axes, **layout})


def curve(x: Any, y: Any, name: str, color: int = 0, **more: Any) -> go.Scatter:
    """A line. ``dash`` for a bound, ``grey=True`` for what only guides the eye."""
    mode = "lines+markers" if more.pop("dots", False) else "lines"
    meta = {"color": color, "grey": more.pop("grey", False)}
    line = {"width": more.pop("width", 2), "dash": more.pop("dash", "solid")}
    line["color"] = "grey" if meta["grey"] else COLORS[color % len(COLORS)]
    return go.Scatter(
        x=list(x), y=list(y), name=name, mode=mode, meta=meta, line=line, **more
    )


def points(x: Any, y: Any, name: str, color: int = 0, **more: Any) -> go.Scatter:
    """Marks. ``symbol`` tells them apart where colors do not."""
    marker = {"symbol": more.pop("symbol", "circle"), "size": more.pop("size", 8)}
    meta = {"color": color, "grey": more.pop("grey", False)}
    marker["color"] = "grey" if meta["grey"] else COLORS[color % len(COLORS)]
    return go.Scatter(
        x=list(x),
        y=list(y),
        name=name,
        mode="markers",
        meta=meta,
        marker=marker,
        **more,
    )


def arrow(
    start: Any, end: Any, name: str, color: int = 0, **more: Any
) -> list[go.Scatter]:
    """A vector from `start` to `end`: a line, and a head that points along it."""
    (a, b), (c, d) = start, end
    shaft = curve([a, c], [b, d], name, color, legendgroup=name, **more)
    head = points([a, c], [b, d], name, color, legendgroup=name, showlegend=False)
    head.marker.update(symbol="arrow", size=[0, 14], angleref="previous")
    return [shaft, head]


def band(x: Any, low: Any, high: Any, name: str, color: int = 0) -> list[go.Scatter]:
    """The region between two curves, as its two edges."""
    return [
        curve(x, low, name, color, dash="dot", legendgroup=name),
        curve(x, high, name, color, dash="dot", legendgroup=name, showlegend=False),
    ]
