"""A metric is one declaration: screens, documents, pages and choices come from it.

The classes of metrics list theirs (:attr:`~.base.Metrics.declared`), in the order in
which they are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ...parts.reprs import shown

DIGITS = "{:.4f}".format
"""From a number to its text with four digits behind the point."""
ALWAYS = "always answering {often}: {base}{worse}"
Kept = TypeVar("Kept")
"""The metrics of a task, from whose sums one of them is computed."""


@dataclass(frozen=True, eq=False)
class Line(Generic[Kept]):
    """How the summary of a run shows a metric.

    Attributes
    ----------
    beside : str
        What the number is to be read beside. ``{base}`` is the baseline, ``{worse}``
        says that the number is no better; of classes ``{often}`` is the most frequent
        one, of two ``{yes}`` the positive one, ``{share}`` its share of the rows, and
        ``{cut}`` the threshold.
    form : callable
        From the number to its text.
    name : str
        What it is called there; "": its title.
    known : callable or None
        Whether there is such a number.
    missing : str
        What stands beside it where there is none; "": then there is no line.
    at_cut : bool
        Whether it depends on where the classes are told apart.
    """

    beside: str
    form: Callable[[float], str] = shown
    name: str = ""
    known: Callable[[Kept], bool] | None = None
    missing: str = ""
    at_cut: bool = False


@dataclass(frozen=True, eq=False)
class DeclaredMetric(Generic[Kept]):
    """A number that says how good predictions were.

    Attributes
    ----------
    name : str
        As in documents; "log_loss".
    baseline : callable
        What answering without looking would have had.
    value : callable or None
        The number; None: the attribute of that name.
    title : str
        As people read it; "": the name.
    larger : bool
        Whether more is better.
    chances : bool
        Whether it needs probabilities.
    decides : bool
        Whether it is asked if predictions are better than the baseline.
    chooses : bool
        Whether the best of several learners can be chosen by it: ``--best-by``.
    in_brief : bool
        Whether ``predict`` shows it in its line.
    beside : str
        Who has the baseline, on pages; "": it is not shown there.
    line : Line or None
        How the summary of a run shows it; None: not at all.
    """

    name: str
    baseline: Callable[[Kept], float]
    value: Callable[[Kept], float] | None = None
    title: str = ""
    larger: bool = False
    chances: bool = False
    decides: bool = False
    chooses: bool = False
    in_brief: bool = False
    beside: str = "without looking"
    line: Line[Kept] | None = None

    @property
    def heading(self) -> str:
        """What it is called where people read it."""
        return self.title or self.name.replace("_", " ")

    def of(self, kept: Kept) -> float:
        """The number; nan where it is not known."""
        found: float = (
            getattr(kept, self.name) if self.value is None else self.value(kept)
        )
        return found
