"""All theorems about a run, side by side with what happened."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from ...errors import did_you_mean
from ...parts.documents import Document
from ...parts.notebook_html import escaped
from ...parts.text_tables import table_lines
from .theorem import Verdict

LEGEND = (
    "u: the comparator; x_t, y_t, w_t, g_t: row, label, weights, gradient of round t"
)


@dataclass(frozen=True, repr=False)
class Theorems:
    """The verdicts, those that apply first.

    Index it by the name of a theorem, or iterate over it.
    """

    verdicts: tuple[Verdict, ...]
    compared: bool = True  # whether comparators were looked at

    def __iter__(self) -> Iterator[Verdict]:
        """The verdicts in order."""
        return iter(self.verdicts)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.verdicts)

    def __getitem__(self, name: str) -> Verdict:
        """The verdict of the theorem of this name."""
        known = {verdict.theorem.name: verdict for verdict in self.verdicts}
        if name not in known:
            hint, there = did_you_mean(name, known), ", ".join(map(repr, known))
            raise KeyError(
                f"there is no theorem {name!r} about this run{hint}: there are {there}"
            )
        return known[name]

    @property
    def applying(self) -> tuple[Verdict, ...]:
        """Those whose assumptions hold on this data."""
        return tuple(verdict for verdict in self.verdicts if verdict.applies)

    @property
    def waiting(self) -> tuple[Verdict, ...]:
        """Those that lack nothing but a comparator."""
        return tuple(verdict for verdict in self.verdicts if verdict.waits)

    def as_dicts(self) -> list[Document]:
        """Plain data, one dict a theorem.

        The statement is None where the theorem does not apply: it says nothing here.
        """
        return [
            {
                "name": verdict.theorem.name,
                "statement": verdict.theorem.statement if verdict.applies else None,
                "source": verdict.theorem.source,
                "applies": verdict.applies,
                "waits": verdict.waits,
                "bound": verdict.value,
                "happened": verdict.happened,
                "ratio": verdict.ratio,
                "where": verdict.where,
                "reason": verdict.reason,
                "assumptions": [item._asdict() for item in verdict.assumptions],
            }
            for verdict in self.verdicts
        ]

    def __str__(self) -> str:
        """A table of those that apply, then the rest with the reason."""
        lines: list[str] = []
        if self.applying:
            head, *rows = table_lines(
                ("theorem", "happened", "bound", "ratio"),
                [
                    (
                        a.theorem.name,
                        *map(_number, (a.happened, a.value)),
                        _number(a.ratio, 3),
                    )
                    for a in self.applying
                ],
            )
            lines += [head, "-" * len(head)]
            for row, verdict in zip(rows, self.applying, strict=True):
                lines.append(row)
                lines += _wrapped(verdict.theorem.statement)
                lines.append(f"    {verdict.theorem.source}")
                if verdict.where:
                    lines += _wrapped(f"where {verdict.where}")
                if verdict.facts is not None:
                    lines += _wrapped(f"u: {verdict.facts.describe()}")
                holds = [f"{item.text} ({item.found})" for item in verdict.assumptions]
                lines += _wrapped("; ".join(holds))
            lines += ["", LEGEND]
        others = [verdict for verdict in self.verdicts if not verdict.applies]
        if others:
            lines += ["", "do not apply here"]
            for verdict in others:
                text = f"{verdict.theorem.name}: {verdict.reason}"
                lines += textwrap.wrap(
                    text, 86, initial_indent="  ", subsequent_indent="      "
                )
        return "\n".join(lines)

    __repr__ = __str__

    def as_html(self) -> str:
        """A table, for notebooks and pages."""
        rows = "".join(
            "<tr>"
            f"<td>{escaped(verdict.theorem.name)}</td>"
            f"<td>{_statement(verdict)}</td>"
            f"<td>{_number(verdict.happened)}</td><td>{_number(verdict.value)}</td>"
            f"<td>{_number(verdict.ratio, 3)}</td>"
            f"<td>{escaped(verdict.reason or verdict.theorem.source)}</td></tr>"
            for verdict in self.verdicts
        )
        head = "".join(
            f"<th>{name}</th>"
            for name in ("theorem", "statement", "happened", "bound", "ratio", "")
        )
        return f"<table><tr>{head}</tr>{rows}</table>"

    _repr_html_ = as_html


def _statement(verdict: Verdict) -> str:
    """The statement with its letters, where it says something."""
    if not verdict.applies:
        return ""
    where = f"<br>where {escaped(verdict.where)}" if verdict.where else ""
    return f"<code>{escaped(verdict.theorem.statement)}</code>{where}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 88, initial_indent=" " * 4, subsequent_indent=" " * 6)


def _number(number: float | None, digits: int = 6) -> str:
    if number is None:
        return ""
    if abs(number) < 1e9 and number == int(number):
        return f"{int(number):,}"
    return f"{number:,.{digits}g}"
