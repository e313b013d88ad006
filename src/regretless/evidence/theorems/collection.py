"""All theorems about a run, side by side with what happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...errors import did_you_mean
from ...parts.documents import Document
from ...parts.notebook_html import Printed
from .showing import as_html, as_words
from .theorem import Verdict


@dataclass(frozen=True, repr=False)
class Theorems(Printed):
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
        return as_words(self.verdicts)

    def as_html(self) -> str:
        """The same as HTML, for notebooks and pages."""
        return as_html(self.verdicts)

    _repr_html_ = as_html
