"""What all metrics share: rows in, in one pass; numbers out, each with its baseline.

A baseline answers without looking at x. Classes: the one answer, or the one rate, that
is best in hindsight. Amounts: the mean of the labels before.
"""

from __future__ import annotations

import abc
from typing import Any, ClassVar, Self

import numpy as np

from ...engine.storage import COUNTS, Stored, keep
from ...parts.documents import Document
from ...parts.notebook_html import as_table
from ...parts.reprs import shown
from ...parts.state import Floats
from ...parts.text_tables import table_lines
from .metric import DeclaredMetric

WINDOW = 1_000  # rows that :attr:`Metrics.rolling` is about


class Metrics(Stored, abc.ABC):
    """How good predictions were, each made before its label was seen.

    Parameters
    ----------
    window : int
        How many of the last rows :attr:`rolling` is about.

    Attributes
    ----------
    rows : int
        How many were fed.
    """

    kind: ClassVar[str]
    """What labels are: "two classes", "many classes" or "amounts"."""
    width: ClassVar[int]  # numbers that the window keeps of a row
    declared: ClassVar[tuple[DeclaredMetric[Any], ...]]
    """The metrics, in the order in which they are shown."""
    kept = keep("_recent", rows=COUNTS)

    def __init__(self, window: int = WINDOW) -> None:
        if window != int(window) or window < 0:
            raise ValueError(f"window={window!r} must be a whole number from 0 on")
        self.rows = 0
        self.window = int(window)
        self._recent = np.zeros((self.width, self.window))

    def feed(self, *columns: Floats) -> None:
        """Add rows."""
        n = columns[0].size
        self._add(*columns)
        self.rows += n
        if self.window and n:
            size, first = min(n, self.window), self.rows
            places = np.arange(first - size, first) % self.window
            for kept, column in zip(self._recent, columns, strict=True):
                kept[places] = column[n - size :]

    @property
    def wrong(self) -> int | None:
        """How many rows are wrong; None of amounts."""
        return None

    @property
    def mean_squared_error(self) -> float | None:
        """The mean of (y - prediction)^2; None of classes."""
        return None

    @property
    def rolling(self) -> Self:
        """The same metrics of the last :attr:`window` rows alone."""
        size = min(self.rows, self.window)
        places = np.arange(self.rows - size, self.rows) % max(self.window, 1)
        found = self.blank()
        found.feed(*self._recent[:, places])
        return found

    @abc.abstractmethod
    def blank(self) -> Self:
        """Metrics of this kind that know no row, and keep no window."""

    @abc.abstractmethod
    def _add(self, *columns: Floats) -> None:
        """Add rows to what is kept of all of them."""

    @property
    def has_chances(self) -> bool:
        """Whether probabilities are known."""
        return False

    def values(self) -> dict[str, float]:
        """The metrics by name."""
        return {metric.name: metric.of(self) for metric in self.declared}

    def baseline(self) -> dict[str, float]:
        """What answering without looking would have had, by the same names."""
        return {
            metric.name: metric.baseline(self)
            for metric in self.declared
            if self.has_chances or not metric.chances
        }

    def as_dict(self) -> Document:
        """All of it as plain data: None where a number is not known."""
        return {
            "kind": self.kind,
            "rows": self.rows,
            **plain(self.values()),
            "baseline": plain(self.baseline()),
        }

    def texts(self) -> dict[str, str]:
        """The metrics in four figures; "" where one is not known."""
        return {name: shown(value) for name, value in self.values().items()}

    def compared(self) -> list[tuple[DeclaredMetric[Any], str, str]]:
        """Every metric, as a text, and its baseline; "" where one is not known."""
        texts, base = self.texts(), self.baseline()
        return [
            (metric, texts[metric.name], shown(base.get(metric.name)))
            for metric in self.declared
        ]

    def _table(self) -> list[tuple[str, str, str]]:
        return [
            (metric.name.replace("_", " "), text, base)
            for metric, text, base in self.compared()
        ]

    def __str__(self) -> str:
        body = table_lines(("", "predicted", "baseline"), self._table())
        return "\n".join([f"{self.rows:,} rows", *body])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = (f"{self.rows:,} rows", "predicted", "baseline")
        return as_table(head, self._table())


def plain(values: dict[str, float]) -> dict[str, float | None]:
    """Numbers for JSON, which knows no nan."""
    return {
        name: float(value) if np.isfinite(value) else None
        for name, value in values.items()
    }


def ratio(part: float, whole: float) -> float:
    """A share; nan of nothing."""
    return part / whole if whole else float("nan")
