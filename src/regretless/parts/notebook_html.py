"""How results look in a notebook, or on a page: the same words, escaped.

Whatever comes from data is escaped here, and nowhere else.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Sequence

from .text_tables import pair_lines
from .visible import visible

LEFT = "style='text-align:left'"
NUMBER = ' class="n"'


def as_text(words: object) -> str:
    """Text as it is printed, in letters of equal width.

    Examples
    --------
    >>> as_text("a < b")
    '<pre>a &lt; b</pre>'
    """
    return f"<pre>{escaped(words)}</pre>"


class Printed:
    """Shown as it is printed, also at the prompt and in a notebook."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return as_text(self)


class Listed(Printed, abc.ABC):
    """Shown as lines of (what, how much) under a heading."""

    def heading(self) -> str:
        """What the lines are about; empty where they say it themselves."""
        return ""

    @abc.abstractmethod
    def lines(self) -> list[tuple[str, str]]:
        """All of it as (what, how much), for people."""

    def __str__(self) -> str:
        body, heading = pair_lines(self.lines()), self.heading()
        head = [heading, "-" * max(map(len, body))] if heading else []
        return "\n".join([*head, *body])

    def _repr_html_(self) -> str:
        return as_pairs(self.lines(), self.heading())


def as_pairs(lines: Iterable[tuple[str, str]], title: str = "", label: str = "") -> str:
    """A table of (what, how much) under a title; `label` is read to those who hear."""
    cells = "".join(
        f'<tr><th scope="row" {LEFT}>{escaped(what)}</th>'
        f"<td {LEFT}>{escaped(much)}</td></tr>"
        for what, much in lines
    )
    return f'<table class="facts"{_label(label)}>{_caption(title)}{cells}</table>'


def as_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], title: str = ""
) -> str:
    """A table with a head: a name first, words last, and numbers between them."""

    def cell(tag: str, column: int, words: str) -> str:
        number = NUMBER if 0 < column < len(head) - 1 else ""
        return f"<{tag}{number}>{escaped(words)}</{tag[:2]}>"

    top = "".join(cell('th scope="col"', j, one) for j, one in enumerate(head))
    body = "".join(
        "<tr>"
        + cell('th scope="row"', 0, name)
        + "".join(cell("td", j, one) for j, one in enumerate(others, start=1))
        + "</tr>"
        for name, *others in rows
    )
    return (
        f"<table>{_caption(title)}<thead><tr>{top}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def scrolled(table: str, label: str) -> str:
    """A table as wide as its columns, on a page that may be narrower."""
    return f'<div class="wide" tabindex="0" role="region"{_label(label)}>{table}</div>'


def _label(words: str) -> str:
    return f' aria-label="{escaped(words)}"' if words else ""


def _caption(title: str) -> str:
    return f"<caption>{escaped(title)}</caption>" if title else ""


def escaped(words: object) -> str:
    """Words as markup that shows them."""
    from html import escape  # a table of 2,000 names, which few commands need

    return escape(visible(str(words)))
