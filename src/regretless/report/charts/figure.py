"""A figure: panels of marks on two axes, drawn by Vega-Lite without a browser.

`Figure.spec` is plain Vega-Lite (``altair.Chart.from_dict`` takes it), `svg` a drawing
of it by vl-convert, and `save` writes a page, SVG, PNG or PDF by the name's ending.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import cast

from ...engine.storage.atomic import writing
from ...parts.documents import Document
from .axis import Axis, roomy
from .marks import Mark
from .palette import DASHES, LIGHT, VARIABLES, colored

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.20.json"  # a name, not fetched
VERSION = "5.20"
WIDE, NARROW, SQUARE = 880, 350, 580  # pixels: a screen, a phone, as high as wide
ENDINGS = (".html", ".svg", ".png", ".pdf")
HIDDEN = re.compile(
    r'<path class="(?:fore|back)ground"[^>]* d="(?:M0,0h0v0h0Z)?"[^>]*/>'
)
NEEDLESS = re.compile(
    r" (?:aria-\w+|role|opacity|pointer-events|font-family|xmlns:\w+|version)="
    r'"(?:true|1|none|1\.1|graphics-\w+|[a-z ]+|[\w,-]+ sans-serif|http[^"]*)"'
)
CLIP = re.compile(r'(?<=id=")clip\d+(?=")|(?<=\(#)clip\d+(?=\))')
COORDINATES = re.compile(r'(?<=[dm]=")[^"]*')  # of paths and transforms
DIGITS = re.compile(r"(\d\.\d)\d+")


@dataclass(frozen=True)
class ChartPanel:
    """Marks on two axes; the first lies below."""

    marks: Sequence[Mark]
    x: Axis
    y: Axis
    height: int = 300
    title: str = ""
    square: bool = False  # as far along one axis as along the other

    def view(self, width: int) -> dict[str, object]:
        """Vega-Lite's layered view of it."""
        if self.square:
            return self._squared(width).view(min(width, SQUARE))
        layers: list[dict[str, object]] = []
        for mark in self.marks:
            layer = mark.layer(clip=self.x.span is not None or self.y.span is not None)
            encoding: dict[str, object] = {}
            for name, axis in (("x", self.x), ("y", self.y)):
                if name in mark.data:
                    room = width if name == "x" else self.height
                    encoding[name] = axis.channel(name, self.marks, room)
            encoding |= {
                name: {"field": name} for name in ("x2", "y2") if name in mark.data
            }
            if mark.kind == "line":
                encoding["order"] = {"value": None}  # as they come, not by x
            if "color" in mark.data:
                encoding["color"] = {"field": "color", "type": "nominal", "scale": None}
            if "text" in mark.data:
                encoding["text"] = {"field": "text"}
            layers.append({**layer, "encoding": encoding})
        view: dict[str, object] = {
            "width": width,
            "height": self.height,
            "layer": layers,
        }
        if self.title:
            view["title"] = {"text": self.title.split("\n"), "fontSize": 11}
        return view

    def _squared(self, width: int) -> ChartPanel:
        """The panel as high as its spans ask for at this width."""
        x, y = self.x.span, self.y.span
        x, y = x or roomy("x", self.marks), y or roomy("y", self.marks)
        height = round((min(width, SQUARE) - 60) * (y[1] - y[0]) / (x[1] - x[0]))
        axes = {"x": replace(self.x, span=x), "y": replace(self.y, span=y)}
        return replace(self, **axes, height=height, square=False)


@dataclass(frozen=True)
class Figure:
    """One panel or several, with what is written above them.

    Attributes
    ----------
    panels : sequence of ChartPanel
        From the top, `columns` in a row.
    title, detail : str
        Written above, in pictures; pages write them as text.

    Examples
    --------
    >>> from regretless.report.charts import Axis, Figure, ChartPanel, line
    >>> rise = line([1, 2, 3], [1, 4, 9], "squares")
    >>> figure = Figure([ChartPanel([rise], Axis("n"), Axis("n squared"))])
    >>> figure.spec()["layer"][0]["mark"]["type"]
    'line'
    """

    panels: Sequence[ChartPanel]
    title: str = ""
    detail: str = ""
    columns: int = 1

    @property
    def marks(self) -> list[Mark]:
        """Those of all panels."""
        return [mark for panel in self.panels for mark in panel.marks]

    @property
    def keys(self) -> list[Mark]:
        """What a legend lists: every name once."""
        listed = [mark for mark in self.marks if mark.name and mark.listed]
        return list({mark.name: mark for mark in reversed(listed)}.values())[::-1]

    def spec(self, width: int = WIDE, *, words: bool = True) -> Document:
        """The figure in Vega-Lite, by day; `words`: with title and legend."""
        made = self._spec(width, words=words)
        return cast("Document", colored(made, LIGHT))

    def svg(self, width: int = WIDE) -> str:
        """A picture with title and legend."""
        svg = converter().vegalite_to_svg(self.spec(width), vl_version=VERSION)
        return _named(svg, "clip")

    def drawing(self, name: str, width: int) -> str:
        """A drawing for a page, which has the colors; its ids begin with `name`."""
        spec = colored(self._spec(width, words=False), VARIABLES)
        svg: str = converter().vegalite_to_svg(spec, vl_version=VERSION)
        svg = COORDINATES.sub(_rounded, NEEDLESS.sub("", HIDDEN.sub("", svg)))
        return _named(svg, name)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a page (.html) or a picture (.svg, .png, .pdf), replaced as a whole."""
        ending = check_chart(path)
        tool = converter()
        if ending == ".html":
            from .page import page_of_figure

            made = page_of_figure(self).encode()
        elif ending == ".svg":
            made = self.svg().encode()
        else:
            draw = tool.vegalite_to_png if ending == ".png" else tool.vegalite_to_pdf
            sharp = {"scale": 2} if ending == ".png" else {}
            made = draw(self.spec(), vl_version=VERSION, **sharp)
        with writing(path) as stream:
            stream.write(made)
        return Path(path)

    def __repr__(self) -> str:
        named = ", ".join(mark.name for mark in self.keys)
        return f"<Figure {self.title or self.panels[0].y.title}: {named}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _spec(self, width: int, *, words: bool) -> dict[str, object]:
        sole = len(self.panels) == 1
        room = width if sole else width // self.columns - 64
        views = [panel.view(room) for panel in self.panels]
        if words and len(self.keys) > 1:
            cast("list[object]", views[-1]["layer"]).append(_legend(self.keys, width))
        body: dict[str, object] = {"concat": views, "columns": self.columns}
        if sole:
            body = views[0]
            body["autosize"] = {"type": "fit-x", "contains": "padding"}
        if words and self.title:
            body["title"] = {
                "text": textwrap.wrap(self.title, width // 9),
                "subtitle": textwrap.wrap(self.detail, width // 7),
                "anchor": "start",
                "offset": 14,
            }
        return {"$schema": SCHEMA, **body, "config": _config(paper=words)}


def shown(figure: Figure, path: str | os.PathLike[str] | None) -> Figure:
    """The figure, which can be drawn here; written too, where a path is given."""
    converter()
    if path is not None:
        figure.save(path)
    return figure


def check_chart(path: str | os.PathLike[str]) -> str:
    """The kind of chart that a name promises; ValueError for any other.

    Examples
    --------
    >>> from regretless.report.charts import check_chart
    >>> check_chart("chart.PNG"), check_chart("chart")
    ('.png', '.html')
    >>> check_chart("chart.gif")
    Traceback (most recent call last):
    ValueError: chart.gif: a chart ends in .html, .svg, .png or .pdf
    """
    ending = Path(path).suffix.lower() or ".html"
    ending = ".html" if ending == ".htm" else ending
    if ending not in ENDINGS:
        raise ValueError(f"{path}: a chart ends in .html, .svg, .png or .pdf")
    return ending


def converter() -> ModuleType:
    """What draws; ModuleNotFoundError with the extra that brings it."""
    try:
        import vl_convert
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "charts need vl-convert: pip install 'regretless[report]'"
        ) from None
    return vl_convert


def _named(svg: str, name: str) -> str:
    """The drawing with ids that begin with `name` and are counted from 0."""
    ids = dict.fromkeys(CLIP.findall(svg))
    number = {found: f"{name}{k}" for k, found in enumerate(ids)}
    return CLIP.sub(lambda found: number[found[0]], svg)


def _rounded(path: re.Match[str]) -> str:
    return DIGITS.sub(r"\1", path[0])


def _legend(keys: Sequence[Mark], width: int) -> dict[str, object]:
    """A layer without data that brings the legend of all panels."""
    names = [key.name for key in keys]
    across = max(1, width // (34 + 7 * max(map(len, names))))
    look = {"orient": "bottom", "title": None, "labelLimit": width, "columns": across}
    look |= {"symbolSize": 160, "symbolStrokeWidth": 2.4, "labelColor": "@ink"}
    ranges: dict[str, Sequence[object]] = {
        "stroke": [f"@{key.color}" for key in keys],
        "strokeDash": [DASHES[key.dash] for key in keys],
        "shape": [key.symbol for key in keys],
        "fill": [f"@{key.color}" if key.filled else "transparent" for key in keys],
    }
    encoding = {
        channel: {
            "field": "name",
            "type": "nominal",
            "scale": {"domain": names, "range": found},
            "legend": look,
        }
        for channel, found in ranges.items()
    }
    return {"data": {"values": []}, "mark": "point", "encoding": encoding}


def _config(*, paper: bool) -> dict[str, object]:
    """A quiet look; without a ground of its own where the page has one."""
    axis = {"labelColor": "@soft", "titleColor": "@soft", "gridColor": "@grid"}
    axis |= {
        "domainColor": "@faint",
        "tickColor": "@faint",
        "titleFontWeight": "normal",
    }
    axis |= {"labelFontSize": 12, "titleFontSize": 13, "titlePadding": 8}
    title = {"color": "@ink", "fontSize": 16, "subtitleColor": "@soft"}
    return {
        "background": "@paper" if paper else None,
        "font": "system-ui, sans-serif" if not paper else "sans-serif",
        "padding": 12 if paper else 2,
        "aria": False,
        "axis": {**axis, "labelOverlap": True},
        "axisX": {"labelFlush": False},
        "title": {**title, "subtitleFontSize": 13},
        "legend": {"labelFontSize": 12},
        "view": {"stroke": None},
        "line": {"strokeJoin": "round"},
    }
