"""A line as small as a word, for notebooks: the one chart that needs no extra."""

from __future__ import annotations

from ...parts.notebook_html import escaped
from ...parts.state import Floats
from .palette import LIGHT


def sparkline(x: Floats, y: Floats, label: str) -> str:
    """A line through points whose numbers lie between 0 and 1, above its ground.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.report.charts.sparkline import sparkline
    >>> "points='0.0,60.0 300.0,4.0'" in sparkline(np.arange(2), np.arange(2), "rise")
    True
    """
    points = " ".join(
        f"{300.0 * a:.1f},{60.0 - 56.0 * b:.1f}"
        for a, b in zip(x.tolist(), y.tolist(), strict=True)
    )
    return (
        "<svg width='304' height='64' viewBox='0 0 304 64' role='img' "
        f"aria-label='{escaped(label)}'><polyline points='{points}' fill='none' "
        f"stroke='{LIGHT['blue']}' stroke-width='1.5'/><line x1='0' y1='60' x2='300' "
        f"y2='60' stroke='{LIGHT['faint']}'/></svg>"
    )
