"""Prediction sets over time: how often they missed, and how wide they were."""

from __future__ import annotations

import numpy as np

from ..engine.coverage_ledger import MARGINAL, Coverage
from .charts import line
from .charts.lines import lines_figure
from .numbers import brief, counted, percent
from .run_charts import Chart


def coverage_charts(found: Coverage) -> tuple[Chart, Chart]:
    """The share of misses beside its bound; then the widths."""
    return _misses(found), _widths(found)


def _misses(found: Coverage) -> Chart:
    rounds, missed, *_ = found.curve.T
    share = missed / rounds
    bounds = np.array([found.bound(int(t)) for t in rounds]) / rounds
    most = np.minimum(found.alpha + bounds, 1.0)
    lines = [
        line(rounds, share, "labels outside, so far", width=2.4),
        line(rounds, most, "at most, on any sequence", "vermillion", "dash"),
        line(rounds, np.full(rounds.size, found.alpha), "aim", "sky", "dot"),
    ]
    seen = (
        f"After {counted(found.rounds, 'round')} {percent(found.share)} of the labels "
        f"were outside; the aim is {percent(found.alpha)}, and the bound "
        f"{percent(float(most[-1]))}. It was reached to {percent(found.worst)} at the "
        f"worst round. Coverage is {MARGINAL}."
    )
    title = f"How often {100 * found.level:g}% {found.of} missed"
    figure = lines_figure(lines, "round", "labels outside", share=True)
    return Chart("coverage", title, seen, figure)


def _widths(found: Coverage) -> Chart:
    rounds, _, total, unbounded = found.curve.T
    intervals = found.of == "intervals"
    bounded = rounds - unbounded if intervals else rounds
    what = "mean width" if intervals else "mean number of labels"
    with np.errstate(invalid="ignore", divide="ignore"):  # a gap where none is bounded
        so_far = total / bounded
        local = np.diff(total, prepend=0.0) / np.diff(bounded, prepend=0.0)
    lines = [
        line(rounds, local, f"{what} in each stretch", "sky", width=1.4, steps=True),
        line(rounds, so_far, f"{what} so far", width=2.4),
    ]
    seen = f"The {what} is {brief(found.width)}"
    if np.isfinite(local[-1]):
        seen += f", and {brief(float(local[-1]))} in the last stretch"
    seen += (
        f". {found.unbounded:,} of {counted(found.rounds, 'interval')} had no bounds, "
        "and are left out."
        if intervals
        else f". {found.unbounded:,} of {counted(found.rounds, 'set')} held any label."
    )
    figure = lines_figure(lines, "round", what)
    return Chart("widths", f"How wide the {found.of} were", seen, figure)
