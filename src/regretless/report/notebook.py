"""A run in a notebook: its summary, and a small chart of what a row cost over time."""

from __future__ import annotations

import numpy as np

from ..evidence.judged_run import JudgedRun
from ..evidence.summary import summary_of
from ..parts.notebook_html import LEFT, escaped
from ..parts.reprs import percent, shown
from .charts.sparkline import sparkline

STRETCHES = 32


def as_html(run: JudgedRun) -> str:
    """The summary as HTML. It needs no extra: the chart is a sparkline."""
    found = summary_of(run)
    cells = "".join(
        f"<tr><th {LEFT}>{escaped(name)}</th><td>{escaped(value)}</td>"
        f"<td {LEFT}>{escaped(beside)}</td></tr>"
        for name, value, beside in found.compared
    )
    lines = (found.title, found.labels, run.doubts.words)
    text = "".join(f"<div>{escaped(line)}</div>" for line in lines if line)
    return f"<div>{text}<table>{cells}</table>{_chart(run)}</div>"


def _chart(run: JudgedRun) -> str:
    """The error, or the loss, of a row between two points of the curve."""
    curve = run.ledger.curve
    if len(curve) < 3:
        return ""
    wrong = run.mistakes is not None
    rounds, paid = curve[:, 0], curve[:, 1 if wrong else 2]
    ends = np.unique(np.linspace(0, len(curve) - 1, STRETCHES + 1).astype(int))
    step = np.diff(paid[ends]) / np.maximum(np.diff(rounds[ends]), 1.0)
    top, last = float(step.max(initial=0.0)), float(step[-1])
    if not 0.0 < top < np.inf:
        return ""
    most, end = (percent(one) if wrong else shown(one) for one in (top, last))
    what = "errors" if wrong else "loss"
    told = f"{what} a row, over {run.rounds:,} rows: at most {most}, at the end {end}"
    drawn = sparkline(rounds[ends][1:] / rounds[-1], step / top, told)
    return f"{drawn}<div><small>{told}</small></div>"
