"""Tables of text: cells in columns, on a screen, in a file or in a doctest.

The only place that aligns. A cell may be in any script: widths are counted in cells of
a screen, not in letters; what a screen does not show is shown as its escape.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .visible import visible

GAP = "  "  # between columns
WIDE = 10_000  # cells of a screen that wraps nothing
STYLES = {
    "bold": "1",
    "dim": "2",
    "bold green": "1;32",
    "bold yellow": "1;33",
    "bold cyan": "1;36",
    "blue": "34",
    "orange": "38;5;166",
}
PIECES = re.compile(r"\s*\S+")


@dataclass(frozen=True)
class TextTable:
    """Rows of cells in columns, which are as wide as they need to be.

    Where that is too wide, the widest column that may be wrapped gets narrower.

    Parameters
    ----------
    head : sequence of str
        The names of the columns; empty for a table without.
    rows : sequence of sequences of str
        A cell may have several lines.
    right : collection of int
        Columns that end at the same place, such as numbers.
    whole : collection of int
        Columns that are not wrapped.
    dim : collection of int
        Columns of less importance.
    least : sequence of int
        Widths that columns have at least: of tables that are shown row by row.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Collection[int] = ()
    whole: Collection[int] = ()
    dim: Collection[int] = ()
    least: Sequence[int] = ()

    def lines(self, width: int, color: bool) -> list[str]:
        """The header, and all rows."""
        given = [*([self.head] if self.head else []), *self.rows]
        every = [[visible(cell) for cell in row] for row in given]
        widths = self._widths(every, width)
        found: list[str] = []
        for number, row in enumerate(every):
            cells = [wrapped(cell, widths[j]) for j, cell in enumerate(row)]
            heading = bool(self.head) and number == 0
            for k in range(max(map(len, cells), default=0)):
                texts = [cell[k] if k < len(cell) else "" for cell in cells]
                found.append(self._line(texts, widths, heading, color))
        return found

    def _widths(self, rows: Sequence[Sequence[str]], width: int) -> list[int]:
        widths = [0] * max(map(len, rows), default=0)
        widths[: len(self.least)] = self.least
        for row in rows:
            for j, cell in enumerate(row):
                widths[j] = max(widths[j], *map(breadth, cell.split("\n")))
        wrapped = [j for j in range(len(widths)) if j not in self.whole]
        excess = sum(widths) + len(GAP) * (len(widths) - 1) - width
        while excess > 0 and wrapped:
            widest = max(wrapped, key=widths.__getitem__)
            if widths[widest] <= 1:
                break
            widths[widest] -= 1
            excess -= 1
        return widths

    def _line(
        self, texts: list[str], widths: list[int], heading: bool, color: bool
    ) -> str:
        parts: list[str] = []
        for j, text in enumerate(texts):
            dim = "dim" if heading or j in self.dim else ""
            blank = " " * (widths[j] - breadth(text))
            shown = painted(text, dim, color)
            parts.append(blank + shown if j in self.right else shown + blank)
        return GAP.join(parts).rstrip()


def table_lines(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Collection[int] = (0,),
    indent: str = "",
) -> list[str]:
    r"""A table whose columns end at the same place, but for those on the left.

    Examples
    --------
    >>> from regretless.parts.text_tables import table_lines
    >>> print("\n".join(table_lines(("who", "paid"), [("Ann", "7"), ("Bo", "12")])))
    who  paid
    Ann     7
    Bo     12
    """
    right = set(range(len(head))) - {*left}
    lines = TextTable(head, list(rows), right=right).lines(WIDE, color=False)
    return [indent + line for line in lines]


def pair_lines(pairs: Iterable[tuple[str, str]], indent: str = "") -> list[str]:
    """What and how much, in two columns."""
    return [
        indent + line for line in TextTable((), list(pairs)).lines(WIDE, color=False)
    ]


def painted(text: str, style: str, color: bool) -> str:
    """The text in a style, where there is color."""
    if not (color and style and text):
        return text
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def breadth(text: str) -> int:
    """How many cells of a screen a line takes.

    Examples
    --------
    >>> from regretless.parts.text_tables import breadth
    >>> breadth("spam"), breadth("日本")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(each)
        else 1 + (unicodedata.east_asian_width(each) in "WF")
        for each in text
    )


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells; a longer word is cut.

    Examples
    --------
    >>> from regretless.parts.text_tables import wrapped
    >>> wrapped("to be or not to be", 8)
    ['to be or', 'not to', 'be']
    """
    found: list[str] = []
    for paragraph in visible(text).split("\n"):
        line = ""
        for piece in PIECES.findall(paragraph):
            if line and breadth(line + piece) > width:
                found.append(line)
                line = piece.lstrip()
            else:
                line += piece
            while breadth(line) > width and len(line) > 1:
                size = max(1, _fitting(line, width))
                found.append(line[:size])
                line = line[size:]
        found.append(line)
    return found


def _fitting(line: str, width: int) -> int:
    """How many of the first characters fit."""
    taken = 0
    for k, each in enumerate(line):
        taken += breadth(each)
        if taken > width:
            return k
    return len(line)
