"""A chart in text: what happened as bars, the bound as a line of dots above them."""

from __future__ import annotations

import math

import numpy as np

from ...parts.state import Floats
from .curves import Curve

BARS = " ▁▂▃▄▅▆▇█"
DOT = "•"


def sketch(curve: Curve, width: int = 64, height: int = 10) -> list[str]:
    """Lines of text: bars for what happened, dots for what was promised.

    Where the bound is far above, the chart is logarithmic, and says so.
    """
    known = np.isfinite(curve.happened) & np.isfinite(curve.bound)
    if not known.any():
        return []
    rounds = np.asarray(curve.rounds, np.float64)[known]
    columns = rounds[0] + (rounds[-1] - rounds[0]) * np.arange(width) / (width - 1)
    # The last one known: both are about whole rounds.
    nearest = [int((rounds <= at).sum()) - 1 for at in columns.tolist()]
    happened = np.maximum(curve.happened[known][nearest], 0.0)
    bound = np.maximum(curve.bound[known][nearest], 0.0)
    top = float(max(happened.max(), bound.max()))
    if top <= 0.0:
        return []
    logs = float(happened.max()) * 25.0 < top
    rows = _grid(
        *(_heights(part, top, height, logs=logs) for part in (happened, bound))
    )
    labels = _labels(top, height, logs=logs)
    wide = max(len(label) for label in labels)
    lines = [f"{label:>{wide}} ┤{row}" for label, row in zip(labels, rows, strict=True)]
    first, last = f"{int(rounds[0]):,}", f"{int(rounds[-1]):,} rounds"
    gap = " " * max(1, width - len(first) - len(last))
    legend = (
        f"█ {curve.about} {_number(happened[-1])}   {DOT} bound {_number(bound[-1])}"
    )
    scale = "   (logarithmic)" * logs
    return [
        *lines,
        f"{'':>{wide}} └{'─' * width}",
        f"{'':>{wide}}  {first}{gap}{last}",
        f"{'':>{wide}}  {legend}{scale}",
    ]


def _heights(values: Floats, top: float, height: int, *, logs: bool) -> Floats:
    if logs:
        values, top = np.log1p(values), math.log1p(top)
    return values / top * height


def _grid(bars: Floats, dots: Floats) -> list[str]:
    height = max(1, math.ceil(max(bars.max(), dots.max()) - 1e-9))
    rows: list[str] = []
    for level in range(height, -1, -1):
        cells: list[str] = []
        for bar, dot in zip(bars.tolist(), dots.tolist(), strict=True):
            # A dot lies on the cell it would fill: a bound that is met stays in sight.
            here = math.ceil(dot - 1e-9) == level
            filled = BARS[round(8 * min(1.0, max(0.0, bar - level)))]
            cells.append(DOT if here else filled)
        rows.append("".join(cells).rstrip())
    return rows


def _labels(top: float, height: int, *, logs: bool) -> list[str]:
    """The value at the upper edge of the first row of bars, and of the middle one."""
    labels: list[str] = [""] * (height + 1)
    for row in (0, height // 2):
        share = 1.0 - row / height
        at = math.expm1(math.log1p(top) * share) if logs else top * share
        labels[row + 1] = _number(at)
    return labels


def _number(value: float) -> str:
    if abs(value) >= 1e7:
        return f"{value:.1e}"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
