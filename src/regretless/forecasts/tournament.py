"""All pairs of forecasters compared at once, with the price of looking at all paid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..notebooks import as_text
from .comparison import POINTS, Comparison

__all__ = ["Tournament"]


@dataclass(frozen=True, repr=False, eq=False)
class Tournament:
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
    """

    names: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    delta: float

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
        """Those whom nobody beats: with probability 1 - delta the best is among them.

        (Where nobody misses a round: only then is there one best for all.)
        """
        beaten = self.beaten
        return tuple(name for name in self.names if not beaten[name])

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        sure = f"with {100.0 * (1.0 - self.delta):.4g}% confidence"
        left = self.unbeaten
        if len(left) == 1:
            return f"{left[0]} is better than all {len(self.names) - 1} others, {sure}"
        if len(left) == len(self.names):
            return f"cannot tell any of {len(left)} forecasters apart yet"
        names = " and ".join([", ".join(left[:-1]), left[-1]])
        out = len(self.names) - len(left)
        others = "1 other is" if out == 1 else f"{out} others are"
        return f"the best is among {names}; {others} worse, {sure}"

    def as_dict(self, points: int | None = POINTS) -> dict[str, Any]:
        """Plain data for JSON; see :meth:`Comparison.as_dict`."""
        return {
            "names": list(self.names),
            "delta": self.delta,
            "verdict": self.verdict,
            "unbeaten": list(self.unbeaten),
            "pairs": [found.as_dict(points) for found in self.comparisons],
        }

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw all pairs' intervals; write a page of HTML if `path` is given.

        Needs the extra ``report`` (plotly). Returns the plotly figure.
        """
        from .charts import draw_tournament

        return draw_tournament(self, path)

    def __str__(self) -> str:
        """The verdict, and a line for every pair."""
        wide = max(len(" vs ".join(found.names)) for found in self.comparisons)
        rows = [
            f"  {' vs '.join(found.names):<{wide}}  {found.interval[0]:>10.4g}  "
            f"{found.interval[1]:>10.4g}  {found.better or '?'}"
            for found in self.comparisons
        ]
        head = f"  {'pair':<{wide}}  {'lcb':>10}  {'ucb':>10}  better"
        return "\n".join([self.verdict, head, *rows])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_text(self)
