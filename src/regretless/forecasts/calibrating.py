"""Does 70% mean 70%? Reliability, resolution, uncertainty, and sharpness.

Forecasts fall into bins; f_k and o_k are the mean forecast and how often it happened in
bin k, n_k of N rounds. Exactly::

    Brier = sum n_k (f_k - o_k)^2/N - sum n_k (o_k - o)^2/N + o (1 - o) + within
             reliability               resolution              uncertainty

where `within` is what forecasts that differ inside a bin add, near 0 for narrow bins.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from ..data.chunk import Mask
from ..evidence.certify.checks import checked_delta
from ..parts.documents import Document
from ..parts.notebook_html import Printed
from ..parts.rows import Longs
from ..parts.state import Floats
from ..parts.text_tables import table_lines
from .checking import checked
from .entries import column_of, numbers
from .given import as_table
from .scores import as_score

if TYPE_CHECKING:
    from ..report.charts import Figure


@dataclass(frozen=True, repr=False, eq=False)
class Calibration(Printed):
    """A reliability curve, the Brier score taken apart, and what to make of it.

    Attributes
    ----------
    forecasts, frequencies, counts : ndarray
        For every bin the mean forecast, how often it happened, how many rounds.
    low, high : ndarray
        Between these lie all frequencies with probability 1 - delta if the forecasts
        are calibrated.
    delta : float
        That probability's other side, for all bins together.
    brier, reliability, resolution, uncertainty, within : float
        The mean Brier score and its parts: brier = reliability - resolution +
        uncertainty + within.
    sharpness : float
        The variance of the forecasts.
    rounds : int
        How many forecasts there are.
    """

    forecasts: Floats
    frequencies: Floats
    counts: Longs
    low: Floats
    high: Floats
    delta: float
    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    sharpness: float
    rounds: int

    @property
    def outside(self) -> Mask:
        """Which bins lie outside their band."""
        return (self.frequencies < self.low) | (self.frequencies > self.high)

    @property
    def calibrated(self) -> bool:
        """Whether nothing speaks against calibration."""
        return not bool(self.outside.any())

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        sure = f"{100.0 * (1.0 - self.delta):.4g}%"
        if self.calibrated:
            return f"consistent with calibration at {sure}"
        bad = np.flatnonzero(self.outside)
        worst = bad[np.argmax(np.abs(self.forecasts - self.frequencies)[bad])]
        return (
            f"not calibrated, with {sure} confidence: {bad.size} of "
            f"{len(self.forecasts)} bins lie outside; forecasts near "
            f"{self.forecasts[worst]:.2f} came true {self.frequencies[worst]:.0%} "
            "of the time"
        )

    def as_dict(self) -> Document:
        """Plain data for JSON."""
        plain: Document = {"verdict": self.verdict, "calibrated": self.calibrated}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            array = isinstance(value, np.ndarray)
            plain[field.name] = value.tolist() if array else value
        return plain

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the reliability curve; write it to `path`, if given.

        Needs the extra ``report``. A name ends in .html, .svg, .png or .pdf.
        """
        from .charts import draw_calibration

        return draw_calibration(self, path)

    def __str__(self) -> str:
        """The verdict, the parts of the Brier score, and the curve."""
        lines = [self.verdict]
        lines.append(
            f"  Brier {self.brier:.5f} = reliability {self.reliability:.5f} - "
            f"resolution {self.resolution:.5f} + uncertainty {self.uncertainty:.5f} "
            f"{'+' if self.within >= 0 else '-'} within bins {abs(self.within):.5f}"
        )
        lines.append(
            f"  sharpness (variance of {self.rounds:,} forecasts) {self.sharpness:.5f}"
        )
        columns = (self.forecasts, self.frequencies, self.low, self.high, self.counts)
        outside = self.outside.tolist()
        rows = [
            (
                f"{p:.3f}",
                f"{q:.3f}",
                f"{low:.3f} to {high:.3f}",
                f"{n:,}",
                "outside" * bad,
            )
            for p, q, low, high, n, bad in zip(*columns, outside, strict=True)
        ]
        head = ("forecast", "happened", "if calibrated", "rounds", "")
        return "\n".join([*lines, *table_lines(head, rows, left=(4,), indent="  ")])


def calibration(
    p: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    bins: int = 10,
    even: bool = False,
    delta: float = 0.05,
) -> Calibration:
    """Compare forecast probabilities with how often the event happened.

    Parameters
    ----------
    p : array
        Probabilities; nan is left out.
    y : array
        0 or 1.
    bins : int
        At most so many.
    even : bool
        Bins of the same width; else of about the same number of forecasts.
    delta : float
        With calibrated forecasts and outcomes that are independent given them, the
        probability that any bin lies outside its band. The bands are binomial, at
        delta/bins each: outcomes with different probabilities of the same mean spread
        less (Hoeffding 1956).

    Returns
    -------
    Calibration
        Print it.

    References
    ----------
    Murphy (1973) for the parts; Stephenson, Coelho and Jolliffe (2008) for what is
    within bins; Brocker and Smith (2007) for consistency bands.

    Examples
    --------
    >>> from regretless.forecasts import calibration, simulate_interview
    >>> day = simulate_interview(days=4000, seed=1)
    >>> print(calibration(day.truth, day.rain).verdict)
    consistent with calibration at 95%
    >>> calibration(day.alice, day.rain).calibrated
    False
    """
    if int(bins) != bins or bins < 1:
        raise ValueError(f"bins={bins!r} must be a number of bins, 1 or more")
    checked_delta(delta)
    told = numbers(p, column_of("A"))
    if told.ndim != 1:
        raise ValueError(f"forecasts have {told.ndim} dimensions: they need one")
    table = checked(as_table(told[:, None], y), as_score("brier"), least=1)
    heard = ~(table.missing[:, 0] | np.isnan(table.y))
    if not heard.any():
        raise ValueError("there are no forecasts")
    return _binned(table.values[heard, 0], table.y[heard], int(bins), even, delta)


def _binned(p: Floats, y: Floats, bins: int, even: bool, delta: float) -> Calibration:
    inner = np.arange(1, bins) / bins
    edges = inner if even else np.unique(np.quantile(p, inner))
    place = np.searchsorted(edges, p, side="right")
    _, where, counts = np.unique(place, return_inverse=True, return_counts=True)
    f = np.bincount(where, p) / counts
    o = np.bincount(where, y) / counts
    n, base = p.size, float(y.mean())
    e, d = p - f[where], y - o[where]
    share = delta / len(counts) / 2.0
    chance = np.clip(f, 0.0, 1.0)
    return Calibration(
        forecasts=f,
        frequencies=o,
        counts=counts,
        low=binom.ppf(share, counts, chance) / counts,
        high=binom.isf(share, counts, chance) / counts,
        delta=delta,
        brier=float(((p - y) ** 2).mean()),
        reliability=float((counts * (f - o) ** 2).sum() / n),
        resolution=float((counts * (o - base) ** 2).sum() / n),
        uncertainty=base * (1.0 - base),
        within=float((e * e - 2.0 * e * d).mean()),
        sharpness=float(p.var()),
        rounds=n,
    )


@dataclass(frozen=True, repr=False, eq=False)
class Calibrations(Printed):
    """The calibration of several forecasters, who share `delta`."""

    each: dict[str, Calibration]
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        bad = [name for name, one in self.each.items() if not one.calibrated]
        if not bad:
            return f"all {len(self.each)} are consistent with calibration"
        told = ", ".join(bad[:5]) + (", ..." if len(bad) > 5 else "")
        return f"not calibrated: {told} ({len(bad)} of {len(self.each)})"

    def as_dict(self) -> Document:
        """Plain data for JSON."""
        return {
            "verdict": self.verdict,
            "notes": list(self.notes),
            "forecasters": {name: one.as_dict() for name, one in self.each.items()},
        }

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw all reliability curves; write it to `path`, if given."""
        from .charts import draw_calibrations

        return draw_calibrations(self, path)

    def __str__(self) -> str:
        """A line for each, the worst first."""
        rows: list[tuple[str, ...]] = []
        order = sorted(self.each, key=lambda name: -self.each[name].reliability)
        for name in order:
            one = self.each[name]
            k = int(np.argmax(np.abs(one.forecasts - one.frequencies)))
            worst = f"{one.forecasts[k]:.2f} came true {one.frequencies[k]:.0%}"
            out = f"{int(one.outside.sum())} of {len(one.forecasts)}"
            scores = (f"{one.brier:.4f}", f"{one.reliability:.5f}")
            rows.append((name, f"{one.rounds:,}", *scores, out, worst))
        head = ("forecaster", "rounds", "Brier", "reliability", "outside", "worst bin")
        lines = table_lines(head, rows, left=(0, 5), indent="  ")
        return "\n".join([self.verdict, *lines, *(f"- {note}" for note in self.notes)])


def calibrations(
    forecasts: object,
    y: object = None,
    *,
    bins: int = 10,
    delta: float = 0.05,
    time: object = None,
    group: object = None,
) -> Calibrations:
    """The calibration of several forecasters of an event; together they spend delta.

    Parameters
    ----------
    forecasts, y : as in :func:`compare`
        Probabilities, a column a forecaster, and what happened: 0 or 1.
    bins, delta : as in :func:`calibration`
        At most so many bins each; the probability that any bin of anybody lies outside
        its band although all are calibrated.
    time, group : arrays, or names of columns
        As in :func:`compare`.
    """
    table = as_table(forecasts, y, time=time, group=group)
    with table.located():
        table = checked(table, as_score("brier"), least=1)
    if table.values.ndim == 3:
        raise ValueError("calibration is for an event that happens or not")
    told = ~np.isnan(table.y)
    columns = zip(table.names, table.values[told].T, strict=True)
    notes = list(table.notes)
    if table.rounds < len(table.y):
        notes.append("outcomes of one time depend on each other: bands are too narrow")
    share = checked_delta(delta) / len(table.names)
    return Calibrations(
        {
            name: calibration(column, table.y[told], bins=bins, delta=share)
            for name, column in columns
            if not np.isnan(column).all()
        },
        tuple(notes),
    )
