"""What is shown to people, as lines of a width: words, tables, sections; with color.

Everything here has ``lines(width, color)``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..parts.text_tables import STYLES, TextTable, painted, wrapped
from ..parts.visible import visible


class Shown(Protocol):
    """Something that can be shown."""

    def lines(self, width: int, color: bool) -> list[str]:
        """The lines, of at most `width` cells; with escape codes if in color."""
        ...


@dataclass(frozen=True)
class Words:
    """Running text, wrapped where the screen ends."""

    text: str
    style: str = ""

    def lines(self, width: int, color: bool) -> list[str]:
        """One or more."""
        found = wrapped(self.text, width)
        return [painted(line, self.style, color) for line in found]


@dataclass(frozen=True)
class Drawing:
    """Lines as they are; what matches a pattern has the style beside it."""

    drawn: Sequence[str]
    styles: Sequence[tuple[str, str]] = ()

    def lines(self, width: int, color: bool) -> list[str]:
        """Not wrapped."""
        found = list(map(visible, self.drawn))
        for pattern, style in self.styles if color else ():
            code = f"\x1b[{STYLES[style]}m\\g<0>\x1b[0m"
            found = [re.sub(pattern, code, line) for line in found]
        return found


@dataclass(frozen=True)
class Section:
    """A heading with what belongs to it, indented, and an empty line."""

    title: str
    body: Sequence[Shown]

    def lines(self, width: int, color: bool) -> list[str]:
        """The heading wrapped, too."""
        inside = [line for one in self.body for line in one.lines(width - 2, color)]
        head = Words(self.title, "bold").lines(width, color)
        return [*head, *(f"  {line}" for line in inside), ""]


def section(title: str, *body: Shown) -> Section:
    """A heading with what belongs to it."""
    return Section(title, body)


def words(text: str) -> Words:
    """Running text, however it was wrapped before."""
    return Words(" ".join(text.split()))


def first_sentence(text: str) -> str:
    """As far as the first full stop."""
    head, stop, _ = " ".join(text.split()).partition(". ")
    return f"{head}." if stop else head


def in_brief(reason: str) -> str:
    """The first sentence, and those that say what to type."""
    first, *others = (" ".join(reason.split()).removesuffix(".") + ".").split(". ")
    typed = [one for one in others if "--" in one]
    return ". ".join([first, *typed]).removesuffix(".")


def table_of(lines: Sequence[tuple[str, ...]]) -> TextTable:
    """A table whose first line is its header; numbers to the right."""
    head, *body = lines
    return TextTable(head, body, right=range(1, len(head) - 1))


def facts_table(facts: Sequence[tuple[str, str]]) -> TextTable:
    """What and how much, in two columns."""
    return TextTable((), facts, dim={0})
