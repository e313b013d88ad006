"""Colors that color-blind people can tell apart (Okabe and Ito), by light and by night.

A chart names colors by their role, "@blue"; what that is depends on the page's light.
"""

from __future__ import annotations

from typing import Any, cast

__all__ = ["BOUNDS", "DARK", "DASHES", "LIGHT", "colored"]

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
}
BOUNDS = ("blue", "vermillion", "green", "purple", "orange", "sky")
DASHES = ("solid", "dash", "dot", "dashdot")


def colored(figure: Any, palette: dict[str, str]) -> Any:
    """A figure with its roles as colors."""
    if isinstance(figure, str) and figure.startswith("@"):
        return palette.get(figure[1:], figure)
    if isinstance(figure, dict):
        items = cast("dict[str, Any]", figure)
        return {key: colored(item, palette) for key, item in items.items()}
    if isinstance(figure, list):
        return [colored(item, palette) for item in cast("list[Any]", figure)]
    return figure
