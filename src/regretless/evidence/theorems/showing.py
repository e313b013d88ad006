"""Theorems on a run for people: as text and as HTML, here and nowhere else."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...parts.notebook_html import NUMBER, as_pairs, escaped, scrolled
from ...parts.reprs import number
from ...parts.text_tables import TextTable, table_lines

if TYPE_CHECKING:
    from .theorem import Verdict

LEGEND = (
    "u: the comparator; x_t, y_t, w_t, g_t: row, label, weights, gradient of round t"
)
HEAD = ("theorem", "happened", "bound", "ratio")


def cells(verdict: Verdict) -> tuple[str, str, str, str]:
    """A theorem that applies: its name, what happened, the bound, the ratio."""
    happened = "any u" if verdict.happened is None else number(verdict.happened)
    sides = happened, number(verdict.value), number(verdict.ratio, 3)
    return verdict.theorem.name, *sides


def sides_table(verdicts: Sequence[Verdict]) -> list[str]:
    """What happened beside what was promised, a line each."""
    return table_lines(HEAD, map(cells, verdicts))


def screen_table(verdicts: Sequence[Verdict]) -> TextTable:
    """The same with the statements, for a screen of any width."""
    rows = [
        (*cells(one), "\n".join([one.theorem.statement, *_where(one)]))
        for one in verdicts
    ]
    return TextTable(
        (*HEAD, "statement"), rows, right=range(1, 4), whole=range(4), dim={4}
    )


def as_words(verdicts: Sequence[Verdict]) -> str:
    """A table of those that apply, each with its details; then the rest, and why."""
    applying, others = _parted(verdicts)
    lines: list[str] = []
    if applying:
        head, *rows = sides_table(applying)
        lines += [head, "-" * len(head)]
        for row, verdict in zip(rows, applying, strict=True):
            lines.append(row)
            for detail in (verdict.theorem.statement, *_details(verdict)):
                lines += textwrap.wrap(
                    detail, 88, initial_indent=" " * 4, subsequent_indent=" " * 6
                )
        lines += ["", LEGEND]
    if others:
        lines += ["", "do not apply here"]
        for one in others:
            lines += textwrap.wrap(
                f"{one.theorem.name}: {one.reason}",
                86,
                initial_indent="  ",
                subsequent_indent="      ",
            )
    return "\n".join(lines)


def as_html(verdicts: Sequence[Verdict]) -> str:
    """The same for notebooks and pages."""
    applying, others = _parted(verdicts)
    table = rest = ""
    if applying:
        head = "".join(
            f'<th scope="col"{NUMBER * (j > 0)}>{name}</th>'
            for j, name in enumerate(HEAD)
        )
        rows = "".join(map(_rows_of, applying))
        table = scrolled(
            f'<table class="theorems"><thead><tr>{head}</tr></thead>'
            f"<tbody>{rows}</tbody></table>",
            "Theorems that apply",
        )
    if others:
        opened = "" if applying else " open"
        why = as_pairs((one.theorem.name, one.reason) for one in others)
        rest = (
            f"<details{opened}><summary>{len(others)} that do not apply, and why"
            f"</summary>{why}</details>"
        )
    return f"<div>{table}{rest}</div>"


def _rows_of(verdict: Verdict) -> str:
    """A theorem in two rows: its numbers, then what it says and needs."""
    name, *sides = map(escaped, cells(verdict))
    share = 100.0 * min(max(verdict.ratio or 0.0, 0.0), 1.0)
    sides[-1] += (
        '<span class="meter" aria-hidden="true">'
        f'<i style="width:{share:.1f}%"></i></span>'
    )
    numbers = "".join(f'<td class="n">{side}</td>' for side in sides)
    details = "".join(f"<br>{escaped(one)}" for one in _details(verdict))
    return (
        f'<tr class="one" data-theorem="{name}"><th scope="row">{name}</th>{numbers}'
        '</tr><tr class="more"><td colspan="4">'
        f"<code>{escaped(verdict.theorem.statement)}</code>{details}</td></tr>"
    )


def _details(verdict: Verdict) -> list[str]:
    """Where it is proved, its letters, the comparator, what it needs and was found."""
    lines = [verdict.theorem.source, *_where(verdict)]
    if verdict.facts is not None:
        lines.append(f"comparator: {verdict.facts.describe()}")
    holds = [f"{item.text} ({item.found})" for item in verdict.assumptions]
    return [*lines, *([f"assumes: {'; '.join(holds)}"] if holds else [])]


def _where(verdict: Verdict) -> list[str]:
    return [f"where {verdict.where}"] if verdict.where else []


def _parted(verdicts: Sequence[Verdict]) -> tuple[list[Verdict], list[Verdict]]:
    """Those that apply, and those that do not."""
    parted: tuple[list[Verdict], list[Verdict]] = [], []
    for one in verdicts:
        parted[not one.applies].append(one)
    return parted
