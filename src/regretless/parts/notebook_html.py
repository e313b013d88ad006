"""How results look in a notebook, or on a page: the same words, escaped.

Whatever comes from data is escaped here, and nowhere else.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Sequence

from .text_tables import pair_lines
from .visible import visible

LEFT = "style='text-align:left'"


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


def as_pairs(lines: Iterable[tuple[str, str]], title: str = "") -> str:
    """A table of (what, how much) under a title."""
    cells = "".join(
        f"<tr><th {LEFT}>{escaped(what)}</th><td {LEFT}>{escaped(much)}</td></tr>"
        for what, much in lines
    )
    return f"<table>{_caption(title)}{cells}</table>"


def as_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], title: str = ""
) -> str:
    """A table with a head, under a title."""
    body = "".join(_row("td", row) for row in rows)
    return f"<table>{_caption(title)}{_row('th', head)}{body}</table>"


def _caption(title: str) -> str:
    return f"<caption>{escaped(title)}</caption>" if title else ""


def _row(tag: str, cells: Sequence[str]) -> str:
    inside = "".join(f"<{tag}>{escaped(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inside}</tr>"


def escaped(words: object) -> str:
    """Words as markup that shows them."""
    from html import escape  # a table of 2,000 names, which few commands need

    return escape(visible(str(words)))
