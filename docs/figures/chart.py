"""Lines, points and arrows of the book, as marks of a figure; colors by number."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from regretless.report import charts as drawn
from regretless.report.charts import HUES, Axis, ChartPanel, Figure, Mark

__all__ = ["LOG", "arrow", "band", "chart", "curve", "points"]

LOG = {"kind": "log", "form": "~g"}


def chart(
    *marks: Mark, x: str, y: str, xaxis: Any = (), yaxis: Any = (), **more: Any
) -> Figure:
    """Marks on two named axes, with what an Axis and a ChartPanel take beside that."""
    across, up = Axis(x, **dict(xaxis)), Axis(y, grid=True, **dict(yaxis))
    return Figure([ChartPanel(marks, across, up, **more)])


def curve(x: Any, y: Any, name: str, color: int = 0, **more: Any) -> Mark:
    """A line. ``dash`` for a bound, ``grey=True`` for what only guides the eye."""
    hue = "soft" if more.pop("grey", False) else HUES[color % len(HUES)]
    more["dots"] = "circle" if more.pop("dots", False) else ""
    return drawn.line(x, y, name, hue, **{"width": 2.0, **more})


def points(x: Any, y: Any, name: str, color: int = 0, symbol: str = "circle") -> Mark:
    """Marks. ``symbol`` tells them apart where colors do not."""
    return drawn.points(x, y, name, HUES[color % len(HUES)], symbol)


def arrow(start: Any, end: Any, name: str, color: int = 0, **more: Any) -> list[Mark]:
    """A vector from `start` to `end`: a line, and a head that points along it."""
    (a, b), (c, d) = start, end
    shaft = curve([a, c], [b, d], name, color, **more)
    head = points([c], [d], "", color, "triangle")
    angle = math.degrees(math.atan2(c - a, d - b))
    return [shaft, replace(head, style={**head.style, "angle": angle, "size": 160})]


def band(x: Any, low: Any, high: Any, name: str, color: int = 0) -> list[Mark]:
    """The region between two curves, as its two edges."""
    edges = (curve(x, edge, name, color, dash="dot") for edge in (low, high))
    return list(edges)
