"""Marks: what is drawn in a panel, as data. How they look is Vega-Lite's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import SupportsFloat, TypeAlias

import numpy as np

from .palette import DASHES

Value: TypeAlias = SupportsFloat | str | np.datetime64 | None
Values: TypeAlias = Iterable[Value]
Cell = float | int | str | None
Columns = dict[str, list[Cell]]
BAND = 0.18  # how much of a color is left where an area is filled


@dataclass(frozen=True)
class Mark:
    """One kind of mark, through or at its data.

    Attributes
    ----------
    kind : str
        Vega-Lite's: line, area, point, bar, rule, rect, text.
    data : dict of lists
        By channel: x, y, x2, y2, color, text.
    name : str
        In the legend; empty for what is not listed there.
    color : str
        A role of the palette.
    style : dict
        Further properties of the mark.
    """

    kind: str
    data: Columns
    name: str = ""
    color: str = "ink"
    dash: str = "solid"
    style: dict[str, object] = field(default_factory=dict[str, object])
    listed: bool = True

    def unlisted(self) -> Mark:
        """The same, without an entry in the legend."""
        return replace(self, listed=False)

    @property
    def symbol(self) -> str:
        """Its sample in a legend: a stroke, a square, or the symbol itself."""
        if self.kind in ("line", "rule"):
            return "stroke"
        return str(self.style.get("shape", "square"))

    @property
    def filled(self) -> bool:
        """Whether that sample is filled."""
        return self.symbol != "stroke" and bool(self.style.get("filled", True))

    def layer(self, *, clip: bool) -> dict[str, object]:
        """Vega-Lite's layer, its axes left to the panel; `clip`: cut off at them."""
        rows = zip(*self.data.values(), strict=True)
        values = [dict(zip(self.data, row, strict=True)) for row in rows]
        mark = {"type": self.kind, "color": f"@{self.color}", **self.style}
        if clip:
            mark["clip"] = True
        if self.dash != "solid":
            mark["strokeDash"] = DASHES[self.dash]
        return {"data": {"values": values}, "mark": mark}


def line(
    x: Values,
    y: Values,
    name: str,
    color: str = "ink",
    dash: str = "solid",
    *,
    width: float = 1.9,
    steps: bool = False,
    dots: str = "",
) -> Mark:
    """A line through points, broken where there is no number.

    `steps` for values that hold since the point before; `dots` names a symbol.
    """
    style: dict[str, object] = {"strokeWidth": width}
    if steps:
        style["interpolate"] = "step-before"
    if dots:
        filled = not dots.endswith("-open")
        shape = dots.removesuffix("-open")
        style["point"] = {"shape": shape, "size": 45, "color": f"@{color}"}
        style["point"] |= {
            "filled": filled,
            "fill": f"@{color}" if filled else "@paper",
        }
    return Mark("line", columns(x=x, y=y), name, color, dash, style)


def area(
    x: Values,
    low: Values,
    high: Values,
    name: str,
    color: str,
    *,
    opacity: float = BAND,
) -> Mark:
    """What lies between two curves."""
    data = columns(x=x, y=low, y2=high)
    return Mark("area", data, name, color, style={"opacity": opacity})


def points(x: Values, y: Values, name: str, color: str, symbol: str = "circle") -> Mark:
    """A symbol at every point; ``diamond-open`` is one without filling."""
    shape = symbol.removesuffix("-open")
    style: dict[str, object] = {"shape": shape, "size": 55, "opacity": 0.9}
    style["filled"] = shape == symbol
    return Mark("point", columns(x=x, y=y), name, color, style=style)


def bars(
    x: Values, y: Values, name: str = "", color: str = "ink", **more: Values
) -> Mark:
    """A bar to every point: upward, or sideways where the other axis has names."""
    return Mark("bar", columns(x=x, y=y, **more), name, color)


def whiskers(x: Values, y: Values, color: str, **other: Values) -> Mark:
    """From every point to the one with `other` x2 or y2: ranges, error bars."""
    return Mark("rule", columns(x=x, y=y, **other), color=color)


def rule(
    *, x: float | None = None, y: float | None = None, name: str = "", dash: str = "dot"
) -> Mark:
    """A straight line from edge to edge, at `x` or at `y`."""
    data: Columns = {"y": [y]} if x is None else {"x": [x]}
    return Mark("rule", data, name, "soft", dash)


def tiles(x: Values, y: Values, colors: Sequence[str]) -> Mark:
    """A tile in the color of its own at every crossing."""
    style: dict[str, object] = {"stroke": "@paper", "strokeWidth": 1}
    return Mark("rect", columns(x=x, y=y, color=colors), style=style)


def columns(**channels: Values) -> Columns:
    """Plain values: seven figures, which are more than a screen shows; dates in ms."""
    return {
        name: [f"@{role}" for role in values]
        if name == "color"
        else [_plain(value) for value in values]
        for name, values in channels.items()
    }


def _plain(value: Value) -> Cell:
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, np.datetime64):
        return int(value.astype("M8[ms]").astype(np.int64))
    number = float(value)
    if not math.isfinite(number):
        return None
    if number.is_integer() and abs(number) < 1e15:
        return int(number)
    return float(f"{number:.7g}")
