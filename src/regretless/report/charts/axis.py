"""An axis: what it says, where it begins and ends, and where its ticks are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .marks import Mark

KINDS = {"linear": "quantitative", "log": "quantitative", "time": "temporal"}
Span = tuple[float, float]


@dataclass(frozen=True)
class Axis:
    """One axis of a panel.

    Attributes
    ----------
    kind : str
        ``linear``, ``log``, ``time``, or ``names``: one place for every name.
    span : pair of float, optional
        From and to; default: what the marks need.
    zero : bool
        Begin at zero at the latest.
    form : str
        Of the numbers, in d3's language.
    ticks : sequence, optional
        Where; default: where it reads well.
    """

    title: str = ""
    kind: str = "linear"
    span: Span | None = None
    zero: bool = False
    form: str = ""
    ticks: Sequence[float] | None = None
    grid: bool = False
    reverse: bool = False

    def channel(self, name: str, marks: Sequence[Mark], room: int) -> dict[str, object]:
        """Vega-Lite's encoding of this axis: its field, scale and axis."""
        axis: dict[str, object] = {"grid": self.grid, "labelLimit": 190}
        axis["tickCount"] = max(3, room // (100 if name == "x" else 48))
        scale: dict[str, object] = {"reverse": self.reverse}
        found: dict[str, object] = {"field": name, "title": self.title or None}
        if self.kind == "names":
            scale["paddingInner"] = 0.0 if marks[0].kind == "rect" else 0.35
            axis["labelAngle"] = 0
            found |= {"type": "nominal", "sort": None}
            return {**found, "axis": axis, "scale": scale}
        if self.kind == "time":
            scale["type"] = "utc"
        elif self.kind == "log":
            scale |= {"type": "log", "nice": False}
        else:
            scale |= {"zero": self.zero, "nice": name == "y" and self.span is None}
        span = self.domain(name, marks)
        if span is not None:
            scale["domain"] = list(span)
        ticks = self.ticks
        if ticks is None and self.kind == "log":
            ticks = decades(span or extent(name, marks, positive=True))
        if ticks is not None:
            axis["values"] = list(ticks)
        if self.form:
            axis["format"] = self.form
        return {**found, "type": KINDS[self.kind], "axis": axis, "scale": scale}

    def domain(self, name: str, marks: Sequence[Mark]) -> Span | None:
        """From and to: as given, or along x from the first to the last number."""
        if self.span is not None or name != "x" or self.kind == "names":
            return self.span
        return extent(name, marks, positive=self.kind == "log")


def extent(name: str, marks: Sequence[Mark], *, positive: bool = False) -> Span | None:
    """The least and the largest number on an axis; None where all are the same."""
    known = [
        value
        for mark in marks
        for channel in (name, f"{name}2")
        for value in mark.data.get(channel, ())
        if isinstance(value, int | float) and (value > 0 or not positive)
    ]
    if not known or min(known) == max(known):
        return None
    return min(known), max(known)


def roomy(name: str, marks: Sequence[Mark]) -> Span:
    """The extent, with some room around it."""
    low, high = extent(name, marks) or (-1.0, 1.0)
    room = 0.08 * (high - low)
    return low - room, high + room


def decades(span: Span | None) -> list[float] | None:
    """Ticks of a log axis: 1, 2, 5, 10, ... or powers of ten where these are many.

    Examples
    --------
    >>> from regretless.report.charts.axis import decades
    >>> decades((3.0, 60.0)), decades((1.0, 1e6))[:3]
    ([5.0, 10.0, 20.0, 50.0], [1.0, 10.0, 100.0])
    """
    if span is None:
        return None
    low, high = math.floor(math.log10(span[0])), math.ceil(math.log10(span[1]))
    digits = (1, 2, 5) if high - low <= 3 else (1,)
    skip = 1 + (high - low) // 8
    spots = [d * 10.0**k for k in range(low, high + 1, skip) for d in digits]
    return [at for at in spots if span[0] * 0.999 <= at <= span[1] * 1.001]
