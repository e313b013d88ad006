"""What an experiment found: a tidy table, one row a bout, and a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ...parts.documents import Document
from ...parts.notebook_html import Printed, as_table
from ...parts.text_tables import table_lines
from ..games import Curve

if TYPE_CHECKING:
    from ...report.charts import Figure


FIRST = ("contest", "game")
Record: TypeAlias = Document
"""One row of a table, by the names of its columns."""
LAST = ("happened", "bound", "share")


@dataclass(frozen=True, repr=False, eq=False)
class Results(Printed):
    """One row a bout: parameters, both sides of its theorem, mistakes and loss.

    Attributes
    ----------
    name, title : str
        The experiment.
    rows : tuple of dict
        The table; a parameter that a game does not have is left out of its rows.
    curves : tuple of Curve or None
        The theorem of each row on the prefixes of its game.
    varied : tuple of str
        The columns that were swept.
    """

    name: str
    title: str
    rows: tuple[Record, ...]
    curves: tuple[Curve | None, ...] = field(repr=False)
    draw: Drawing | None = field(default=None, repr=False)
    varied: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Record]:
        """Row after row."""
        return iter(self.rows)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def columns(self) -> list[str]:
        """All columns, in the order in which they first appear."""
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def to_arrow(self) -> Any:
        """The table for Arrow; missing parameters are null."""
        from ...data.pyarrow_import import arrow

        return arrow().table(
            {name: [row.get(name) for row in self.rows] for name in self.columns}
        )

    def to_pandas(self) -> Any:
        """The table for pandas, which must be installed."""
        return self.to_arrow().to_pandas()

    def as_dict(self) -> Record:
        """Plain data, for machines."""
        rows = [dict(row) for row in self.rows]
        return {"experiment": self.name, "title": self.title, "rows": rows}

    def plot(self, path: str | Path | None = None) -> Figure:
        """The picture of this experiment.

        Parameters
        ----------
        path : str or Path or None
            Where to write it: a page that needs no network (.html), or a picture (.svg,
            .png, .pdf).
        """
        if self.draw is None:
            from .charts import draw_shares

            return draw_shares(self, path)
        return self.draw(self, path)

    def table(self, *, brief: bool = False) -> list[tuple[str, ...]]:
        """The rows in words, the first one the header; `brief`: for narrow screens."""
        seeds = ("seed",) * (len({row["seed"] for row in self.rows}) > 1)
        named = () if brief else ("rounds", "theorem")
        names = list(dict.fromkeys((*FIRST, *self.varied, *seeds, *named, *LAST)))
        body = [tuple(_cell(row.get(name)) for name in names) for row in self.rows]
        return [tuple(names), *body]

    def __str__(self) -> str:
        head, *body = self.table()
        rows = table_lines(head, body, left=())
        return "\n".join([self.title, "-" * len(rows[0]), *rows])

    def _repr_html_(self) -> str:
        head, *body = self.table()
        return as_table(head, body, self.title)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


Drawing: TypeAlias = "Callable[[Results, str | Path | None], Figure]"
"""What draws the picture of an experiment, and writes it where a path is given."""
