"""Pieces of HTML. Whatever comes from data is escaped here, and nowhere else."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from .charts.page import figure_html
from .run_charts import Chart

__all__ = ["chart", "facts_table", "paragraph", "section", "table", "text"]


def text(words: object) -> str:
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
    """A figure, its legend, and what one sees there."""
    drawn = figure_html(one.figure, one.name, f"{one.title}. {one.seen}")
    seen = text(one.seen)
    return (
        f"<figure><h3>{text(one.title)}</h3>{drawn}"
        f"<figcaption>{seen}</figcaption></figure>"
    )
