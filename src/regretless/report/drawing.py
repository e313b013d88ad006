"""Plotly, and where it is missing the one line that says so."""

from __future__ import annotations

import importlib
from typing import Any

from .palette import LIGHT, colored

__all__ = ["notebook_figure", "plotly_script", "require_plotly"]

MISSING = "reports need plotly: pip install 'regretless[report]'"


def require_plotly(module: str = "offline") -> Any:
    """One of plotly's modules; ``ModuleNotFoundError`` naming the extra without it."""
    try:
        return importlib.import_module(f"plotly.{module}")
    except ModuleNotFoundError:
        raise ModuleNotFoundError(MISSING) from None


def plotly_script() -> str:
    """plotly.js as text, to be written into a page."""
    return require_plotly().get_plotlyjs()


def notebook_figure(figure: dict[str, Any], title: str, keys: Any) -> Any:
    """A figure of plotly's own, with a title and a legend, for notebooks."""
    shown: dict[str, Any] = colored(figure, LIGHT)
    layout = {
        **shown["layout"],
        "title": {"text": title},
        "showlegend": len(keys) > 1,
        "legend": {"orientation": "h", "y": -0.2},
        "margin": {"l": 60, "r": 20, "t": 60, "b": 60},
        "paper_bgcolor": LIGHT["paper"],
        "plot_bgcolor": LIGHT["paper"],
        "height": 460,
    }
    graph = require_plotly("graph_objects")
    return graph.Figure({"data": shown["data"], "layout": layout})
