"""Pieces of HTML. Whatever comes from data is escaped here, and nowhere else."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..engine.storage import finite
from .charts import Chart, Key

__all__ = ["chart", "embedded", "facts_table", "paragraph", "section", "text"]

PATTERNS = {"solid": "", "dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3"}


def text(words: Any) -> str:
    """Words, with everything that could be markup escaped."""
    return html.escape(str(words))


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


def facts_table(lines: Iterable[tuple[str, str]], caption: str) -> str:
    """What and how much."""
    rows = "".join(
        f'<tr><th scope="row">{text(what)}</th><td>{text(much)}</td></tr>'
        for what, much in lines
    )
    named = f'<table class="facts" aria-label="{text(caption)}">'
    return f"{named}<tbody>{rows}</tbody></table>"


def chart(one: Chart) -> str:
    """A place for a figure, its legend, and what one sees there."""
    height = one.figure["layout"]["height"]
    return (
        "<figure>"
        f"<h3>{text(one.title)}</h3>"
        f'<div class="chart" role="img" data-figure="{text(one.name)}" '
        f'style="height:{height}px" aria-label="{text(f"{one.title}. {one.seen}")}">'
        f"</div>{_legend(one.keys)}<figcaption>{text(one.seen)}</figcaption></figure>"
    )


def _legend(keys: Sequence[Key]) -> str:
    if not keys:
        return ""
    entries = "".join(
        '<li><svg viewBox="0 0 30 10" aria-hidden="true"><line x1="0" y1="5" x2="30" '
        f'y2="5" stroke="var(--{key.color})" stroke-width="3" '
        f'stroke-dasharray="{PATTERNS[key.dash]}"/></svg>{text(key.label)}</li>'
        for key in keys
    )
    return f'<ul class="legend">{entries}</ul>'


def embedded(name: str, document: Any) -> str:
    """Data in the page. No "<" is left in it, so it cannot end the script."""
    written = json.dumps(finite(document), default=str, separators=(",", ":"))
    safe = written.replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return f'<script type="application/json" id="{name}">{safe}</script>'
