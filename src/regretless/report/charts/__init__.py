"""Everything that is drawn, in reports, notebooks, pictures and the book.

A chart is made of marks on panels (:class:`Figure`). Vega-Lite is its language, and
vl-convert draws it: no browser is needed, and a page holds drawings, not a library.
"""

from .axis import Axis
from .figure import ChartPanel, Figure, check_chart, converter, shown
from .marks import Mark, area, bars, line, points, rule, tiles, whiskers
from .palette import DASHES, HUES

__all__ = [
    "DASHES",
    "HUES",
    "Axis",
    "ChartPanel",
    "Figure",
    "Mark",
    "area",
    "bars",
    "check_chart",
    "converter",
    "line",
    "points",
    "rule",
    "shown",
    "tiles",
    "whiskers",
]
