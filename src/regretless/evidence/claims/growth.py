"""Does the error grow? A line through the errors of blocks of rows, and its slope.

A frozen hypothesis has the same risk on all rows that come after it, and a learner errs
less and less, so a clear rise of either says that the rows to come are harder than
those that were counted. The slope b of a line through the block means has the statistic
t = b / se(b); on rows that are alike it is above 3.5 about twice in ten thousand times.
"""

from __future__ import annotations

import numpy as np

from ...parts.state import Floats
from ..played_run import PlayedRun
from ..snapshots import Recorder

CLEARLY, PERHAPS = 3.5, 2.0
FEWEST = 12  # blocks that a line is drawn through
EARLY = 0.25  # of the rounds of a learner, which it learns most in


def slope_of(rates: Floats) -> float:
    """The statistic t of the slope of a line through numbers; 0 where they are few.

    Examples
    --------
    >>> import numpy as np
    >>> from regretless.evidence.claims.growth import slope_of
    >>> rng = np.random.default_rng(0)
    >>> flat, rising = rng.random(50), rng.random(50) + np.linspace(0, 1, 50)
    >>> slope_of(flat) < 2 < 3.5 < slope_of(rising)
    True
    """
    n = rates.size
    if n < FEWEST:
        return 0.0
    t = np.arange(n) - 0.5 * (n - 1)
    scale = float(t @ t)
    slope = float(t @ rates) / scale
    rest = rates - rates.mean() - slope * t
    noise = float(rest @ rest) / (n - 2) / scale
    return slope / noise**0.5 if noise > 0.0 else 0.0


def growth_of(run: PlayedRun, recorder: Recorder | None = None) -> float:
    """How clearly errors, or losses, grow: of the learner, and of its frozen copies."""
    curve: Floats = run.ledger.curve
    column = 2 if run.mistakes is None else 1
    late = curve[curve[:, 0] >= EARLY * run.rounds]
    found = 0.0
    if len(late) > FEWEST:
        steps = np.diff(late, axis=0)
        found = slope_of(steps[:, column] / np.maximum(steps[:, 0], 1.0))
    recorder = recorder or run.recorder
    held = [] if recorder is None else recorder.snapshots.held
    courses = (one.course.rates() for one in held if one.start is None)
    return max([found, *map(slope_of, courses)])
