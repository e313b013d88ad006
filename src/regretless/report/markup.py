"""Pieces of HTML, made of words that are escaped here."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

from ..parts.notebook_html import escaped as text
from .charts.page import figure_html
from .run_charts import Chart

__all__ = ["chart", "facts_table", "paragraph", "section", "table", "text"]


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


def table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """Rows under a head: a name first, words last, and numbers between them."""

    def cell(tag: str, place: int, words: str, scope: str) -> str:
        number = ' class="n"' if 0 < place < len(head) - 1 else ""
        return f"<{tag}{scope}{number}>{text(words)}</{tag}>"

    top = "".join(cell("th", j, one, ' scope="col"') for j, one in enumerate(head))
    body = "".join(
        "<tr>"
        + cell("th", 0, row[0], ' scope="row"')
        + "".join(cell("td", j, one, "") for j, one in enumerate(row[1:], start=1))
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{text(caption)}">'
        f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
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
