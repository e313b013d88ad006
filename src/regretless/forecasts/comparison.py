"""Two forecasters compared: the curve, the verdict in words, and the evidence."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..data.chunk import Array
from ..data.pyarrow_import import ArrowTable, arrow
from ..parts.documents import Document
from ..parts.notebook_html import Printed
from ..parts.rows import Longs
from ..parts.state import Floats

if TYPE_CHECKING:
    from ..report.charts import Figure


POINTS = 256  # of the curve, in as_dict
TOLD = (
    *("loss", "verdict", "better", "delta", "pairs", "lag", "method", "rounds", "rows"),
    *("skipped", "difference", "e_pq", "e_qp"),
)
LARGEST = 709.0  # the logarithm of nearly the largest float


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Printed):
    """Which of two forecasters, p and q, is better, as far as it can be told.

    The curve has one entry for each round in which both gave a forecast. Differences
    are the loss of p less the loss of q: where they are positive, q is better.

    Attributes
    ----------
    names : tuple of two str
        p and q.
    loss : str
        What they are compared by.
    delta : float
        The probability that the interval ever fails to hold the true mean difference,
        in any round; of all pairs together, where there are several.
    pairs : int
        How many pairs share `delta`.
    lag : int
        How many rounds after its forecast an outcome is known.
    method : str
        Where the width of the interval comes from: "ranges" or "bernstein".
    times : ndarray
        When: the number of the round (from 1), or the user's own times.
    estimates, lcb, ucb : ndarray
        The mean difference up to each round, and the interval.
    log_e_pq, log_e_qp : ndarray
        Logarithms of the e-values: evidence that p is better, that q is.
    mean_losses : tuple of two float
        Of p and q, over the rounds that count.
    skipped : int
        Rounds in which p or q gave no forecast.
    more : float
        About how many more rounds the verdict needs if all goes on like this: 0 where
        it stands, infinity where there is nothing to tell apart.
    unit : str
        What a round is called.
    dated : bool
        Whether `times` are the user's own.
    rows : int
        How many rows the rounds have in all.
    notes : tuple of str
        What was assumed of the data, in sentences.
    """

    names: tuple[str, str]
    loss: str
    delta: float
    pairs: int
    lag: int
    method: str
    times: Array
    estimates: Floats
    lcb: Floats
    ucb: Floats
    log_e_pq: Floats
    log_e_qp: Floats
    mean_losses: tuple[float, float]
    skipped: int
    more: float
    unit: str = "round"
    dated: bool = False
    rows: int = 0
    notes: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        """How many rounds count."""
        return len(self.estimates)

    @property
    def units(self) -> str:
        """The unit, many of it."""
        hissing = self.unit.endswith(("s", "x", "ch", "sh"))
        return f"{self.unit}{'es' if hissing else 's'}"

    @cached_property
    def signs(self) -> Longs:
        """The verdict after every round: +1 q is better, -1 p is, 0 cannot tell."""
        return np.where(self.lcb > 0.0, 1, np.where(self.ucb < 0.0, -1, 0))

    @property
    def better(self) -> str | None:
        """The name of the better one; None where that cannot be told yet."""
        sign = int(self.signs[-1])
        return None if sign == 0 else self.names[0 if sign < 0 else 1]

    @property
    def since(self) -> float | str | None:
        """Since when the present verdict stands; None where there is none."""
        sign = int(self.signs[-1])
        if sign == 0:
            return None
        others = np.flatnonzero(self.signs != sign)
        return self._when(int(others[-1]) + 1 if others.size else 0)

    @property
    def first(self) -> float | str | None:
        """When there was a verdict for the first time; None if never."""
        decided = np.flatnonzero(self.signs)
        return self._when(int(decided[0])) if decided.size else None

    @property
    def difference(self) -> float:
        """The mean difference of all rounds."""
        return float(self.estimates[-1])

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean difference lies."""
        return float(self.lcb[-1]), float(self.ucb[-1])

    @property
    def e_pq(self) -> float:
        """Evidence that p is better: how unlikely that is to appear if it is not."""
        return float(np.exp(min(self.log_e_pq[-1], LARGEST)))

    @property
    def e_qp(self) -> float:
        """Evidence that q is better."""
        return float(np.exp(min(self.log_e_qp[-1], LARGEST)))

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        p, q = self.names
        sure = f"with {100.0 * (1.0 - self.delta):.4g}% confidence"
        if self.better is None:
            return f"cannot tell {p} and {q} apart yet; {self._outlook()}"
        worse = p if self.better == q else q
        closer = "closer to the truth" if self.loss == "Brier" else "better"
        when = f"{self.since}" if self.dated else f"{self.unit} {self.since}"
        return f"{self.better} is {closer} than {worse}, {sure}, since {when}"

    def table(self) -> ArrowTable:
        """The curve as an Arrow table: time, lcb, ucb, e_pq, e_qp."""
        pa = arrow()
        return pa.table(
            {
                "time": pa.array(self.times),
                "lcb": self.lcb,
                "ucb": self.ucb,
                "e_pq": np.exp(np.minimum(self.log_e_pq, LARGEST)),
                "e_qp": np.exp(np.minimum(self.log_e_qp, LARGEST)),
            }
        )

    def as_dict(self, points: int | None = POINTS) -> Document:
        """Plain data for JSON, with at most `points` rows of the curve (None: all)."""
        table = self.table()
        if points is not None and self.rounds > points:
            rows = np.linspace(0, self.rounds - 1, points).round().astype(np.int64)
            table = table.take(rows)
        curve = {name: table[name].to_pylist() for name in table.column_names}
        curve["time"] = [_plain(when) for when in curve["time"]]
        return {
            **dict(zip("pq", self.names, strict=True)),
            **{name: getattr(self, name) for name in TOLD},
            "since": _plain(self.since),
            "first": _plain(self.first),
            "more_rounds": None if np.isinf(self.more) else self.more,
            "notes": list(self.notes),
            **dict(zip(("mean_loss_p", "mean_loss_q"), self.mean_losses, strict=True)),
            **dict(zip(("lcb", "ucb"), self.interval, strict=True)),
            "curve": curve,
        }

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the interval and the evidence; write it to `path`, if given.

        Needs the extra ``report``. A name ends in .html, .svg, .png or .pdf.
        """
        from .charts import draw_comparison

        return draw_comparison(self, path)

    def __str__(self) -> str:
        """The verdict, and the numbers behind it."""
        p, q = self.names
        low, high = self.interval
        left_out = f", {self.skipped:,} left out" if self.skipped else ""
        p_lost, q_lost = self.mean_losses
        counted = f"{self.rounds:,} {self.units}{left_out}"
        lines = [self.verdict]
        lines.append(
            f"  mean {self.loss} loss: {p} {p_lost:.6g}, {q} {q_lost:.6g} ({counted})"
        )
        lines.append(
            f"  difference {self.difference:.4g}, between {low:.4g} and {high:.4g}"
        )
        lines.append(
            f"  evidence (e-values) that {p} is better: {self.e_pq:.3g}, "
            f"that {q} is: {self.e_qp:.3g}"
        )
        scope = f"The interval holds in all {self.units} at once"
        if self.pairs > 1:
            scope += f", and so do those of all {self.pairs} pairs"
        if self.lag > 1:
            scope += (
                f"; outcomes come {self.lag} {self.units} late, so it adds up "
                f"{self.lag} interleaved sequences, each with its share of delta, and "
                "is about means given what was known when a forecast was made"
            )
        for note in (scope, *self.notes):
            lines += textwrap.wrap(
                note + ".", 86, initial_indent="  ", subsequent_indent="  "
            )
        return "\n".join(lines)

    def _outlook(self) -> str:
        if np.isinf(self.more):
            return "at this rate, never"
        return f"at this rate about {_rounded(self.more):,} more {self.units}"

    def _when(self, i: int) -> float | str:
        if self.times.dtype.kind in "iuf":
            return self.times[i].item()
        if self.times.dtype.kind == "M":  # days as days, whatever unit they came in
            days = self.times.astype("M8[D]")
            whole = bool((days == self.times).all())
            return str(days[i] if whole else self.times[i].astype("M8[s]"))
        return str(self.times[i])


def _rounded(number: float) -> int:
    """Two digits are all that an outlook is worth."""
    scale = 10 ** max(len(str(int(number))) - 2, 0)
    return max(round(number / scale) * scale, 1)


def _plain(when: object) -> float | str | None:
    return when if when is None or isinstance(when, int | float) else str(when)
