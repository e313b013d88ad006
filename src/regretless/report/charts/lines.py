"""Lines over rounds, and bars by name: the two charts that reports are made of."""

from __future__ import annotations

from collections.abc import Sequence

from .axis import Axis
from .figure import ChartPanel, Figure
from .marks import Mark, bars


def lines_figure(
    marks: Sequence[Mark],
    x: str | Axis,
    y: str,
    *,
    share: bool = False,
    log: bool = False,
    span: tuple[float, float] | None = None,
    height: int = 290,
) -> Figure:
    """Marks over rounds; `share`: as percentages, `log`: a logarithmic height."""
    large = max((one for mark in marks for one in _numbers(mark)), default=0.0) >= 1e4
    form = ".3~%" if share else "~s" if large or log else ",.6~g"
    kind = "log" if log else "linear"
    across = Axis(x, form="~s") if isinstance(x, str) else x
    up = Axis(y, kind, span, zero=span is None, form=form, grid=True)
    return Figure([ChartPanel(marks, across, up, height)])


def bars_figure(
    names: Sequence[str],
    values: Sequence[float],
    colors: Sequence[str],
    unit: Axis,
    kind: str,
    *above: Mark,
) -> Figure:
    """Horizontal bars, the first on top, and what is drawn above them."""
    shown = [cut(name) for name in names]
    made = bars(values, shown, color="blue")
    made.data["color"] = [f"@{color}" for color in colors]
    if unit.kind == "log" and unit.span:  # a logarithm has no zero to begin at
        made.data["x2"] = [unit.span[0]] * len(shown)
    height = 20 * max(len(shown), 2)
    return Figure([ChartPanel([made, *above], unit, Axis(kind, "names"), height)])


def cut(name: str, most: int = 26) -> str:
    """A label short enough for a phone, on one line."""
    plain = " ".join(name.split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def _numbers(mark: Mark) -> list[float]:
    return [one for one in mark.data.get("y", ()) if isinstance(one, int | float)]
