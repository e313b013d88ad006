"""Pieces of HTML, made of words that are escaped here."""

from __future__ import annotations

import warnings

from ..parts.notebook_html import escaped as text
from .charts.page import figure_html
from .run_charts import Chart

__all__ = ["chart", "paragraph", "section", "text"]


def paragraph(words: str, kind: str = "") -> str:
    """Running text."""
    named = f' class="{kind}"' if kind else ""
    return f"<p{named}>{text(words)}</p>"


def section(name: str, title: str, *inside: str) -> str:
    """A part of the page under a heading."""
    body = "\n".join(part for part in inside if part)
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">\n'
        f'<h2 id="{name}-title">{text(title)}</h2>\n{body}\n</section>'
    )


def chart(one: Chart) -> str:
    """A figure, its legend, and what one sees there; else why it is not there."""
    try:
        drawn = figure_html(one.figure, one.name, f"{one.title}. {one.seen}")
    except Exception as problem:
        why = " ".join(str(problem).split()) or type(problem).__name__
        why = f"it could not be drawn: {why:.200}"
        warnings.warn(f"the chart {one.title!r}: {why}", RuntimeWarning, stacklevel=2)
        drawn = paragraph(why.capitalize())
    seen = text(one.seen)
    return (
        f"<figure><h3>{text(one.title)}</h3>{drawn}"
        f"<figcaption>{seen}</figcaption></figure>"
    )
