"""Figures in pages: drawn for a screen and for a phone, with a legend and their data.

A page shows them without a script. Its script only shows the values below a pointer.
"""

from __future__ import annotations

import json
from importlib.resources import files

from ...engine.storage import finite
from ...parts.notebook_html import escaped
from .figure import NARROW, WIDE, Figure
from .marks import Mark
from .palette import DASHES, variables

# Nothing may be fetched: not by the page, and not by what was slipped into it.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)
NIGHT = "@media screen and (prefers-color-scheme: dark){"


def document(title: str, body: str, head: str = "") -> str:
    """A whole page that fetches nothing."""
    here = files("regretless.report")
    style = style_sheet(":root", f"{NIGHT}:root", "}") + (here / "page.css").read_text()
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"{head}<title>{escaped(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            f"<body>\n{body}",
            f"<script>{(here / 'page.js').read_text('utf-8')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def style_sheet(day: str, night: str, end: str = "") -> str:
    """The colors of charts under two selectors, and the rules of charts."""
    light, dark = variables()
    rules = (files("regretless.report") / "charts" / "figures.css").read_text("utf-8")
    return f"{day}{{{light}}}{night}{{{dark}}}{end}\n{rules}"


def page_of_figure(figure: Figure) -> str:
    """A page about one figure."""
    title, detail = escaped(figure.title), escaped(figure.detail)
    label = f"{figure.title}. {figure.detail}".strip()
    body = (
        f"<header><h1>{title}</h1><p>{detail}</p></header>\n<main><figure>"
        f"{figure_html(figure, 'chart', label)}</figure></main>\n"
        f"{embedded('figures', {'chart': figure_data(figure)})}"
    )
    return document(figure.title, body)


def figure_html(figure: Figure, name: str, label: str, width: int = WIDE) -> str:
    """The drawings and the legend; what they show is in the page under `name`."""
    told = escaped(label)
    broad, slim = (figure.drawing(f"{name}-{w}-", w) for w in (width, NARROW))
    return (
        f'<div class="chart" role="img" data-figure="{escaped(name)}" '
        f'aria-label="{told}"><div class="broad">{broad}</div>'
        f'<div class="slim">{slim}</div></div>{_legend(figure)}'
    )


def figure_data(figure: Figure) -> dict[str, object]:
    """The titles of the first panel's axes, and what its marks show."""
    panel = figure.panels[0]
    marks = [{"name": m.name, "kind": m.kind, **m.data} for m in panel.marks]
    domain = panel.x.domain("x", panel.marks)
    return {
        "x": {"title": panel.x.title, "kind": panel.x.kind, "domain": domain},
        "y": {"title": panel.y.title, "share": panel.y.form.endswith("%")},
        "marks": marks,
        "panels": len(figure.panels),
    }


def embedded(name: str, content: object) -> str:
    """Data in the page. No "<" is left in it, so it cannot end the script."""
    written = json.dumps(finite(content), default=str, separators=(",", ":"))
    safe = written.replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return f'<script type="application/json" id="{name}">{safe}</script>'


def _legend(figure: Figure) -> str:
    if not figure.keys:
        return ""
    entries = "".join(
        f'<li><svg viewBox="0 0 30 10" aria-hidden="true">{_sample(key)}</svg>'
        f"{escaped(key.name)}</li>"
        for key in figure.keys
    )
    return f'<ul class="legend">{entries}</ul>'


def _sample(key: Mark) -> str:
    color = f"var(--{key.color})"
    if key.kind == "point":
        inside = color if key.filled else "none"
        return f'<circle cx="15" cy="5" r="4" fill="{inside}" stroke="{color}"/>'
    if key.symbol == "square":
        seen = key.style.get("opacity", 1)
        return f'<rect width="30" height="10" fill="{color}" opacity="{seen}"/>'
    pattern = " ".join(map(str, DASHES[key.dash])) if key.dash != "solid" else ""
    return (
        f'<line x1="0" y1="5" x2="30" y2="5" stroke="{color}" stroke-width="3" '
        f'stroke-dasharray="{pattern}"/>'
    )
