"""A bout: a learner against an adversary, with every bound beside what happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...evidence.theorems import Theorems, Verdict
from ...evidence.theorems.showing import sides_table
from ...parts.documents import Document
from ...parts.notebook_html import Printed, escaped
from ...parts.state import Floats
from .curves import Curve
from .game import Game
from .registry import name_of
from .sketch import sketch

if TYPE_CHECKING:
    from ...report.charts import Figure
    from ...runs.run import Run


@dataclass(frozen=True, repr=False, eq=False)
class Bout(Printed):
    """What came out of a game.

    Attributes
    ----------
    game : Game
        The adversary.
    seed : int
        Where its randomness started.
    run : Run
        The run, as ``play`` returns it.
    theorems : Theorems
        Every theorem about the learner, against the comparator that the adversary had
        in mind, or the best in hindsight.
    curves : tuple of Curve
        The theorems that apply, on the prefixes of the game.
    """

    game: Game
    seed: int
    run: Run
    theorems: Theorems
    curves: tuple[Curve, ...]

    @property
    def learner(self) -> object:
        """Who played."""
        return self.run.learner

    @property
    def headline(self) -> Verdict | None:
        """The theorem that the game is aimed at, or the one most nearly reached.

        None where no theorem applies.
        """
        applying = {one.theorem.name: one for one in self.theorems.applying}
        for name in self.game.reaches:
            if name in applying:
                return applying[name]
        return max(applying.values(), key=_reached, default=None)

    @property
    def curve(self) -> Curve | None:
        """The curve of the headline.

        Where that theorem speaks of the end alone (it needs the horizon), the one most
        nearly reached of those that speak of every round.
        """
        head = self.headline
        if head is None:
            return None
        own = next(one for one in self.curves if one.name == head.theorem.name)
        others = [one for one in self.curves if one.about == own.about]
        return own if own.points > 1 else max(others, key=_shown)

    def as_dict(self) -> Document:
        """Plain data, for machines."""
        head = self.headline
        return {
            "learner": repr(self.learner),
            "game": name_of(self.game),
            "adversary": repr(self.game),
            "adaptive": self.game.adaptive,
            "seed": self.seed,
            "rounds": self.run.rounds,
            "mistakes": self.run.mistakes,
            "loss": self.run.loss,
            "headline": None if head is None else head.theorem.name,
            "theorems": self.theorems.as_dicts(),
            "curves": [one.as_dict() for one in self.curves],
        }

    def plot(self, path: str | Path | None = None) -> Figure:
        """What happened under every bound.

        Parameters
        ----------
        path : str or Path or None
            Where to write it: a page that needs no network (.html), or a picture (.svg,
            .png, .pdf).

        Raises
        ------
        ModuleNotFoundError
            Where vl-convert is missing: ``pip install 'regretless[report]'``.
        """
        from .charts import draw_bout

        return draw_bout(self, path)

    @property
    def title(self) -> str:
        """Who against whom."""
        seed = f", seed {self.seed}" if self.game.random else ""
        rounds = f"{self.run.rounds:,} round{'s' * (self.run.rounds != 1)}"
        return f"{self.learner!r} against {self.game!r}: {rounds}{seed}"

    def __str__(self) -> str:
        lines = [self.title, "-" * min(88, len(self.title))]
        verdicts = self.theorems.applying
        if not verdicts:
            return "\n".join([*lines, "no theorem applies", str(self.theorems)])
        lines += sides_table(verdicts)
        curve = self.curve
        return "\n".join([*lines, "", *(sketch(curve) if curve is not None else [])])

    def _repr_html_(self) -> str:
        caption = escaped(self.title)
        return f"<p><b>{caption}</b></p>{self.theorems.as_html()}"


def _reached(verdict: Verdict) -> tuple[bool, float]:
    """Inequalities first: an identity is always reached."""
    return not verdict.theorem.equal, verdict.ratio or 0.0


def _shown(curve: Curve) -> tuple[bool, float]:
    return curve.points > 1, float(curve.happened[-1] / max(curve.bound[-1], 1e-300))


@dataclass(frozen=True, repr=False, eq=False)
class Bouts(Printed):
    """The same game from several seeds.

    Attributes
    ----------
    bouts : tuple of Bout
        One a seed.
    """

    bouts: tuple[Bout, ...]

    def __iter__(self) -> Iterator[Bout]:
        """One bout after the other."""
        return iter(self.bouts)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.bouts)

    def __getitem__(self, i: int) -> Bout:
        """The bout of the i-th seed."""
        return self.bouts[i]

    @property
    def ratios(self) -> Floats:
        """The share of the bound that each one reached."""
        heads = [one.headline for one in self.bouts]
        return np.array([np.nan if head is None else head.ratio for head in heads])

    def as_dict(self) -> Document:
        """Plain data, for machines."""
        return {"bouts": [one.as_dict() for one in self.bouts]}

    def plot(self, path: str | Path | None = None) -> Figure:
        """The curves of all seeds, their median and their range."""
        from .charts import draw_bouts

        return draw_bouts(self, path)

    def __str__(self) -> str:
        first = self.bouts[0]
        head = first.headline
        if head is None:
            return f"{first.title}, and {len(self) - 1} more seeds"
        shares = self.ratios
        heads = [one.headline for one in self.bouts]
        happened = [one.happened or 0.0 for one in heads if one is not None]
        played = f"{first.run.rounds:,} rounds, {len(self)} seeds"
        mean, share = f"{np.mean(happened):,.6g}", f"{np.nanmean(shares):.3f}"
        span = f"{min(happened):,.6g} to {max(happened):,.6g}"
        shared = f"{np.nanmin(shares):.3f} to {np.nanmax(shares):.3f}"
        return "\n".join(
            [
                f"{first.learner!r} against {first.game!r}: {played}",
                f"{head.theorem.name}: {head.theorem.statement}",
                f"  happened  {mean} on average, {span}",
                f"  share     {share} on average, {shared}",
            ]
        )
