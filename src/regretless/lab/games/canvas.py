"""What charts share: colors that everybody can tell apart, and a page for any light.

The colors are those of Okabe and Ito. Figures have no background of their own; the page
they are written to follows the reader's choice of light or dark.
"""

from __future__ import annotations

import html
import importlib
import textwrap
from pathlib import Path
from typing import Any

from ...engine.storage.atomic import writing
from ...parts.notebook_html import check_page

__all__ = ["BAND", "BLUE", "COLORS", "GREY", "RED", "finish", "plotly", "write"]

BLUE, RED = "#0072B2", "#D55E00"
COLORS = (BLUE, RED, "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
BAND = "rgba(0, 114, 178, 0.22)"
GREY = "#808080"

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --ink: #24292f; --page: #ffffff; --grid: #d8dee4; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e6edf3; --page: #0d1117; --grid: #30363d; }}
}}
body {{ margin: 0; padding: 1rem; background: var(--page); color: var(--ink);
  font-family: system-ui, sans-serif; }}
.js-plotly-plot .main-svg text {{ fill: var(--ink) !important; }}
.js-plotly-plot .gridlayer path, .js-plotly-plot .zerolinelayer path {{
  stroke: var(--grid) !important; }}
.js-plotly-plot .hoverlayer text {{ fill: #ffffff !important; }}
</style>
</head>
<body>
<figure role="img" aria-label="{title}" style="margin: 0">
{chart}
</figure>
</body>
</html>
"""


def finish(
    figure: Any,
    title: str,
    detail: str,
    path: str | Path | None,
    *,
    height: int = 560,
) -> Any:
    """Title, ground and legend; and the page, where a path is given."""
    lines = [html.escape(line) for line in textwrap.wrap(title, 92)]
    text = f"<b>{'<br>'.join(lines)}</b>"
    if detail:
        text += f"<br><span style='font-size:13px'>{html.escape(detail)}</span>"
    figure.update_layout(
        title={
            "text": text,
            "font": {"size": 18},
            "x": 0.0,
            "xref": "paper",
            "y": 1.0 - 24.0 / height,
            "yref": "container",
            "yanchor": "top",
        },
        template="plotly_white",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        height=height,
        margin={"l": 70, "r": 30, "t": 90, "b": 60},
        legend={"orientation": "h", "y": -0.16, "yanchor": "top", "x": 0.0},
        hovermode="x unified",
        modebar={"bgcolor": "rgba(0,0,0,0)"},
    )
    write(figure, f"{title}. {detail}", path)
    return figure


def write(figure: Any, title: str, path: str | Path | None) -> None:
    """Write the page, where a path is given."""
    if path is not None:
        check_page(path)
        chart = figure.to_html(
            include_plotlyjs=True, full_html=False, config={"displaylogo": False}
        )
        page = PAGE.format(title=html.escape(title), chart=chart)
        with writing(path) as stream:
            stream.write(page.encode("utf-8"))


def plotly(module: str) -> Any:
    """A module of plotly, imported when a chart is asked for."""
    try:
        return importlib.import_module(f"plotly.{module}")
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "plots need plotly: pip install 'regretless[report]'"
        ) from None
