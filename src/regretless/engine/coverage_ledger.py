"""The ledger of prediction sets: how often they missed, how wide they were."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ..parts import coverage as c
from ..parts.documents import Document
from ..parts.notebook_html import Listed
from ..parts.reprs import shown
from ..parts.state import Floats

MARGINAL = "marginal: of all rows together, not of each kind"


@dataclass(frozen=True, repr=False)
class Coverage(Listed):
    """What came of the prediction sets of a run, each made before its label was seen.

    Attributes
    ----------
    level : float
        The share of labels that were to be inside.
    of : str
        "intervals" or "sets".
    rounds : int
        How many there were.
    missed : int
        Labels outside.
    outside : int
        The same where an empty set counts as a miss. What is shown is never empty: it
        holds the prediction.
    unbounded : int
        Intervals of all numbers, or sets of any label: these always cover.
    width : float
        The mean width of the intervals that are bounded; of sets, the mean number of
        labels.
    interval_score : float
        The mean of width + (2/alpha) (distance outside) over bounded intervals, the
        score of Winkler; 0 of sets.
    worst : float
        The largest share of its bound that |outside - alpha t| reached after any round.
    curve : ndarray
        At most 256 rows (round, missed, sum of widths, unbounded: each so far), evenly
        spaced.
    """

    level: float
    of: str
    rounds: int
    missed: int
    outside: int
    unbounded: int
    width: float
    interval_score: float
    worst: float
    curve: Floats = dataclasses.field(compare=False)

    @property
    def alpha(self) -> float:
        """The share of labels that may be outside."""
        return 1.0 - self.level

    @property
    def share(self) -> float:
        """The share of labels that were outside."""
        return self.missed / max(self.rounds, 1)

    def bound(self, rounds: int | None = None) -> float:
        """How far the number of misses can be from alpha t after t rounds, at most.

        It is known before the game, and holds on every sequence.

        Parameters
        ----------
        rounds : int
            t, all rounds if None.
        """
        t = self.rounds if rounds is None else int(rounds)
        return (1.0 + c.FIRST_STEP) / c.step_after(max(t - 1, 0))

    @property
    def brief(self) -> str:
        """The ledger in one line."""
        (name, missed), (what, width), (_, marginal) = self.lines()
        return f"{name}: {missed} ({marginal}); {what} {width}"

    def lines(self) -> list[tuple[str, str]]:
        """The ledger as (what, how much), for people."""
        t = max(self.rounds, 1)
        intervals = self.of == "intervals"
        most = min(self.alpha + self.bound() / t, 1.0)
        mean = shown(self.width) if self.unbounded < self.rounds else "none"
        width = f"{mean}; {self.unbounded:,} had no bounds"
        if not intervals:
            width = f"{self.width:.4g} labels; {self.unbounded:,} were all labels"
        missed = f"{self.missed:,} labels outside ({self.share:.2%})"
        promised = f"at most {most:.2%} on any sequence"
        return [
            (f"{100 * self.level:g}% {self.of}", f"{missed}; {promised}"),
            ("mean width" if intervals else "mean size", width),
            ("coverage", MARGINAL),
        ]

    def as_dict(self) -> Document:
        """The numbers as plain Python, with the bound and without the curve."""
        found = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name != "curve"
        }
        return {**found, "bound": self.bound() / max(self.rounds, 1)}
