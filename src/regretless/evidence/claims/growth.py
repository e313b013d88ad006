"""Does the error grow, or go up and down? Errors of blocks of rows, over time.

A frozen hypothesis has the same risk on all rows that come after it, and a learner errs
less and less, so a clear rise of either says that the rows to come are harder than
those that were counted. The slope b of a line through the block means has the statistic
t = b / se(b); on rows that are alike it is above 3.5 about once in a thousand times.

Where rows come in blocks of their own kind, the errors e of blocks with m rows vary
more than coins would, around their mean (of a learner: around a curve that falls) ::

    z = (sum (e - p)^2 m / (p (1 - p)) - df) / sqrt(2 df + sum 1 / (m p (1 - p)))
"""

from __future__ import annotations

import numpy as np

from ...parts.state import Floats
from ..played_run import PlayedRun
from ..snapshots import Recorder

CLEARLY, PERHAPS = 3.5, 2.6
UNEVEN = 6.0
WOBBLE = 1.5  # times as much is allowed to a learner, whose weights move
BLOCKS = 48  # that the rounds of a learner are cut into
FEWEST = 24  # blocks that a line is drawn through
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


def dispersion_of(run: PlayedRun) -> float:
    """How many times the variance of a learner's errors is that of coins; from 1 on."""
    blocks = _blocks(run)
    if blocks is None:
        return 1.0
    errors, rows = blocks
    p = np.clip(_falling(errors, rows), 0.5 / rows.sum(), 1.0 - 0.5 / rows.sum())
    chi2 = float(((errors - rows * p) ** 2 / (rows * p * (1.0 - p))).sum())
    return max(1.0, chi2 / (errors.size - 1.0))


def _blocks(run: PlayedRun) -> tuple[Floats, Floats] | None:
    """Errors and rows of blocks of a learner's later rounds; None: they are few."""
    curve: Floats = run.ledger.curve
    late = curve[curve[:, 0] >= EARLY * run.rounds]
    late = late[:: max(1, len(late) // BLOCKS)]
    if run.mistakes is None or len(late) <= FEWEST:
        return None
    steps = np.diff(late, axis=0)
    return steps[:, 1], steps[:, 0]


def unevenness_of(run: PlayedRun, recorder: Recorder | None = None) -> float:
    """How much more errors vary from block to block than coins would: the largest z."""
    blocks, found = _blocks(run), 0.0
    if blocks is not None:
        found = _spread(*blocks, _falling(*blocks)) / WOBBLE
    recorder = recorder or run.recorder
    for one in () if recorder is None else recorder.snapshots.held:
        rates = one.course.rates()
        if one.start is None and rates.size >= FEWEST:
            rows = np.full(rates.size, float(one.course.size))
            level = np.full(rates.size, rates.mean())
            found = max(found, _spread(rates * rows, rows, level))
    return found


def _spread(errors: Floats, rows: Floats, level: Floats) -> float:
    """The statistic z of errors around their levels."""
    p = np.clip(level, 0.5 / rows.sum(), 1.0 - 0.5 / rows.sum())
    noise = rows * p * (1.0 - p)
    chi2 = float(((errors - rows * p) ** 2 / noise).sum())
    df = errors.size - np.unique(level).size
    return (chi2 - df) / float(np.sqrt(2.0 * df + (1.0 / noise).sum()))


def _falling(errors: Floats, rows: Floats) -> Floats:
    """The curve of error rates that falls, or stays, and is closest to these."""
    pools: list[list[float]] = []  # errors, rows, blocks
    for wrong, n in zip(errors.tolist(), rows.tolist(), strict=True):
        pools.append([wrong, n, 1.0])
        while (
            len(pools) > 1
            and pools[-2][0] * pools[-1][1] <= pools[-1][0] * pools[-2][1]
        ):
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    return np.repeat([a / n for a, n, _ in pools], [int(k) for _, _, k in pools])
