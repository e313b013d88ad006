"""Colors that color-blind people can tell apart (Okabe and Ito), by day and by night.

A chart names colors by their role, "@blue". In a page a role is a variable of its style
sheet, so that one drawing serves day, night and paper; in a picture it is a color.
"""

from __future__ import annotations

from typing import cast

from ...parts.visible import visible

LIGHT = {
    "ink": "#1c1f23",
    "soft": "#5b636d",
    "faint": "#b4bac1",
    "grid": "#e6e8eb",
    "paper": "#ffffff",
    "blue": "#0072b2",
    "vermillion": "#d55e00",
    "green": "#009e73",
    "purple": "#b0578d",
    "orange": "#c98a00",
    "sky": "#3a9bd9",
    "olive": "#8a6d00",
    "violet": "#5a328c",
}
DARK = {
    "ink": "#eceef1",
    "soft": "#a9b1bb",
    "faint": "#5b636d",
    "grid": "#2c3138",
    "paper": "#15181c",
    "blue": "#56b4e9",
    "vermillion": "#f0803c",
    "green": "#2fc79b",
    "purple": "#dd92b9",
    "orange": "#e69f00",
    "sky": "#8fcdf2",
    "olive": "#d8c46a",
    "violet": "#b59be6",
}
VARIABLES = {role: f"var(--{role})" for role in LIGHT}
HUES = ("blue", "vermillion", "green", "purple", "orange", "sky", "olive", "violet")
DASHES = {
    "solid": [1, 0],
    "dash": [7, 4],
    "dot": [2, 3],
    "dashdot": [7, 3, 2, 3],
}


def colored(spec: object, palette: dict[str, str]) -> object:
    """A specification with its roles as colors, and texts that can be drawn.

    Every chart passes here: what draws it ends the process at text that XML forbids.

    Examples
    --------
    >>> from regretless.report.charts.palette import LIGHT, colored
    >>> colored({"stroke": "@blue", "width": 2}, LIGHT)
    {'stroke': '#0072b2', 'width': 2}
    """
    if isinstance(spec, str):
        color = palette.get(spec[1:]) if spec.startswith("@") else None
        return color or visible(spec)
    if isinstance(spec, dict):
        items = cast("dict[str, object]", spec)
        return {visible(key): colored(item, palette) for key, item in items.items()}
    if isinstance(spec, list):
        return [colored(item, palette) for item in cast("list[object]", spec)]
    return spec


def variables() -> tuple[str, str]:
    """The roles as variables of a style sheet, by day and by night."""
    day, night = (
        "".join(f"--{role}:{color};" for role, color in palette.items())
        for palette in (LIGHT, DARK)
    )
    return day, night
