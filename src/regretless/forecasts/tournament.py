"""All pairs of forecasters compared at once, with the price of looking at all paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..parts.documents import Document
from ..parts.notebook_html import Printed
from ..parts.text_tables import table_lines
from .comparison import POINTS, Comparison

if TYPE_CHECKING:
    from ..report.charts import Figure


MANY = 8  # forecasters: beyond that, a line for each, not for each pair


@dataclass(frozen=True, repr=False, eq=False)
class Tournament(Printed):
    """Every pair of forecasters; all intervals hold at once, in all rounds.

    Iterate over it, or index it by two names.

    Attributes
    ----------
    names : tuple of str
        The forecasters.
    comparisons : tuple of Comparison
        One a pair, in the order of the names.
    delta : float
        The probability that any interval of any pair ever fails.
    never : tuple of pairs of str
        Who never forecast the same row: nothing can be said about these.
    notes : tuple of str
        What was assumed of the data, in sentences.
    """

    names: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    delta: float
    never: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Comparison]:
        """The pairs."""
        return iter(self.comparisons)

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.comparisons)

    def __getitem__(self, pair: tuple[str, str]) -> Comparison:
        """The comparison of two forecasters, in the order of :attr:`names`."""
        for found in self.comparisons:
            if set(found.names) == set(pair):
                return found
        if set(pair) in map(set, self.never):
            raise KeyError(f"{pair!r} never forecast the same row")
        raise KeyError(f"{pair!r} is not a pair of {', '.join(self.names)}")

    @property
    def beaten(self) -> dict[str, tuple[str, ...]]:
        """For every forecaster, those who are better for certain."""
        return {
            name: tuple(
                found.better
                for found in self.comparisons
                if name in found.names and found.better not in (None, name)
            )
            for name in self.names
        }

    @property
    def unbeaten(self) -> tuple[str, ...]:
        """Those whom no other beats: with probability 1 - delta the best is among them.

        (Where none misses a round: only then is there one best for all.)
        """
        beaten = self.beaten
        return tuple(name for name in self.names if not beaten[name])

    @property
    def order(self) -> tuple[str, ...]:
        """The forecasters, best first: beaten by few, beating many, losing less."""
        beaten = self.beaten
        wins = Counter(name for better in beaten.values() for name in better)
        behind = dict.fromkeys(self.names, 0.0)
        for found in self.comparisons:
            behind[found.names[0]] += found.difference
            behind[found.names[1]] -= found.difference
        return tuple(
            sorted(self.names, key=lambda n: (len(beaten[n]), -wins[n], behind[n]))
        )

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        sure = f"with {100.0 * (1.0 - self.delta):.4g}% confidence"
        left = self.unbeaten
        if len(self.names) == 2:
            return self.comparisons[0].verdict
        if len(left) == 1:
            return f"{left[0]} is better than all {len(self.names) - 1} others, {sure}"
        if len(left) == len(self.names):
            return f"cannot tell any of {len(left)} forecasters apart yet"
        names = " and ".join([", ".join(left[:-1]), left[-1]])
        if len(left) > MANY:
            first = [name for name in self.order if name in left][:3]
            names = f"{len(left)} of them ({', '.join(first)}, ...)"
        out = len(self.names) - len(left)
        others = "1 other is" if out == 1 else f"{out} others are"
        return f"the best is among {names}; {others} worse, {sure}"

    def as_dict(self, points: int | None = POINTS) -> Document:
        """Plain data for JSON; see :meth:`Comparison.as_dict`."""
        return {
            "names": list(self.names),
            "delta": self.delta,
            "verdict": self.verdict,
            "unbeaten": list(self.unbeaten),
            "never_together": [list(pair) for pair in self.never],
            "notes": list(self.notes),
            "pairs": [found.as_dict(points) for found in self.comparisons],
        }

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw all pairs' intervals; write it to `path`, if given.

        Needs the extra ``report``. A name ends in .html, .svg, .png or .pdf.
        """
        from .charts import draw_tournament

        return draw_tournament(self, path)

    def summary(self) -> list[str]:
        """A line for every forecaster: whom it beats, and who beats it; best first."""
        beaten = self.beaten
        worse = Counter(name for better in beaten.values() for name in better)
        rows: list[tuple[str, ...]] = []
        for name in self.order:
            wins, losses = worse[name], len(beaten[name])
            left = len(self.names) - 1 - wins - losses
            rows.append((name, f"{wins:,}", f"{losses:,}", f"{left:,}"))
        return table_lines(("forecaster", "beats", "beaten by", "?"), rows)

    def __str__(self) -> str:
        """The verdict, and a line for every pair; of many, for every forecaster."""
        if len(self.names) > MANY:
            notes = [f"- {note}" for note in self.notes]
            return "\n".join([self.verdict, *self.summary(), *notes])
        rows = [
            (
                " vs ".join(a.names),
                *(f"{end:.4g}" for end in a.interval),
                a.better or "?",
            )
            for a in self.comparisons
        ]
        rows += [
            (" vs ".join(pair), "-", "-", "?  (never together)") for pair in self.never
        ]
        head = ("pair", "lcb", "ucb", "better")
        lines = table_lines(head, rows, left=(0, 3), indent="  ")
        return "\n".join([self.verdict, *lines, *(f"- {note}" for note in self.notes)])
