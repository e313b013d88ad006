"""Whom to believe: compare forecasters without ever seeing the true probability.

    D_t = loss(a_t, y_t) - loss(b_t, y_t)

For the Brier score E D_t = (a_t - p_t)^2 - (b_t - p_t)^2, where p_t is the probability
that nobody sees: the mean of D is an unbiased look at who is closer to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..certify.checks import checked_delta
from ..parts.state import Floats
from .comparison import Comparison
from .panel import Panel, as_panel
from .scores import about_events, as_score, ends, losses_of, score_name
from .sequences import adjusted, boundary, log_evidence
from .tournament import Tournament

__all__ = ["compare", "compare_all"]

FIRST = 100.0  # rho for numbers: so many times the first variance term
NEVER = 1e12  # more rounds than that is never


def compare(  # noqa: PLR0913 - all but three are options
    a: Any,
    b: Any = None,
    y: Any = None,
    delta: float = 0.05,
    *,
    loss: Any = "brier",
    names: Sequence[str] | None = None,
    time: Any = None,
    lag: int = 1,
    rho: float | None = None,
    low: float | None = None,
    high: float | None = None,
    unit: str = "round",
) -> Any:
    """Tell which forecaster is better, after every round, valid at all of them at once.

    With probability 1 - delta the mean of the conditional expectations of D_1 .. D_n
    lies in the interval for every n, however forecasts, outcomes and their true
    probabilities depend on the past: one may look whenever one likes and stop when the
    answer pleases. What is assumed is only that forecasts are made before outcomes.

    Parameters
    ----------
    a, b : arrays
        Forecasts of two forecasters: rounds, or rounds x outcomes. nan is missing, and
        such rounds are left out (whether a forecast is missing must not depend on the
        outcome to come). Or `a` alone: a data frame, a dict by name, or an array with a
        column a forecaster (rounds x forecasters x outcomes for several outcomes); then
        all pairs are compared and share `delta`.
    y : array
        What happened: 0 or 1; the number of the outcome, from 0; or a number.
    delta : float
        The probability of ever being wrong, in any round and any pair.
    loss : str or a loss
        "brier", "log" (clipped at 0.001; ``Log(clip=...)``), "spherical" for
        probabilities; "absolute", "squared", "pinball" (``Pinball(quantile=...)``) for
        numbers.
    names : sequence of str
        What the forecasters are called, where the data do not say.
    time : array
        When, for the verdict and the curve; it must not go backwards.
    lag : int
        Outcomes are known so many rounds after their forecast is made. From 2 on, only
        rounds that far apart make a martingale: the rounds fall into `lag` interleaved
        sequences, each bounded with delta/lag, and the interval adds these up; e-values
        are averages over the sequences of adjusted running maxima.
    rho : float
        The variance at which the interval is tightest, fixed before the data. 1 for
        probabilities; for numbers 100 times the first term of the variance.
    low, high : float
        Where every outcome is sure to lie: for the squared loss of numbers alone.
    unit : str
        What a round is called in the verdict, such as "day".

    Returns
    -------
    Comparison, or Tournament where `a` holds all the forecasters
        Print it; or read ``better``, ``since``, ``interval``, ``table()``, ``plot()``.

    Notes
    -----
    The interval is the normal mixture of :mod:`regretless.forecasts.sequences`, where
    V sums (width/2)^2 over the ranges of D_t that both forecasts leave open: for Brier
    scores V = sum (a_t - b_t)^2.

    References
    ----------
    Schapire, COS 511 lecture 15, section 7, asks the question. Choe and Ramdas (2023),
    "Comparing sequential forecasters", answer at any time; Arnold, Henzi and Ziegel
    (2023) treat lags; Choe and Ramdas (2024), "Combining evidence across filtrations",
    the adjusting.

    Examples
    --------
    >>> import numpy as np, regretless as rg
    >>> rain = np.random.default_rng(5).random(400) < 0.9
    >>> found = rg.forecasts.compare([0.7] * 400, [0.8] * 400, rain, unit="day")
    >>> print(found.verdict)
    B is closer to the truth than A, with 95% confidence, since day 127
    >>> print(rg.forecasts.compare([0.7] * 50, [0.8] * 50, rain[:50]).verdict)
    cannot tell A and B apart yet; at this rate about 45 more rounds
    """
    score = as_score(loss)
    options = _Options(
        checked_delta(delta), _checked_lag(lag), rho, low, high, unit, score
    )
    if b is None:
        panel = as_panel(a, y, score, names=names, time=time)
        return compare_all(panel, options)
    sides = [np.asarray(side, np.float64) for side in (a, b)]
    if sides[0].shape != sides[1].shape:
        raise ValueError(
            f"a and b must be alike: their shapes are {sides[0].shape} and "
            f"{sides[1].shape}"
        )
    panel = as_panel(np.stack(sides, axis=1), y, score, names=names, time=time)
    return _pair(panel, 0, 1, options, pairs=1)


class _Options(NamedTuple):
    """All that is not data."""

    delta: float
    lag: int
    rho: float | None
    low: float | None
    high: float | None
    unit: str
    score: Any


def compare_all(panel: Panel, options: _Options) -> Tournament:
    """Compare every pair; together they spend delta."""
    found = list(combinations(range(len(panel.names)), 2))
    compared = tuple(_pair(panel, i, j, options, pairs=len(found)) for i, j in found)
    return Tournament(panel.names, compared, options.delta)


def _pair(panel: Panel, i: int, j: int, options: _Options, pairs: int) -> Comparison:
    p, q = panel.names[i], panel.names[j]
    both = ~(panel.missing[:, i] | panel.missing[:, j])
    rows = np.flatnonzero(both)
    if rows.size == 0:
        raise ValueError(f"there is no round in which both {p!r} and {q!r} forecast")
    a, b, y = panel.values[both, i], panel.values[both, j], panel.y[both]
    score = options.score
    if options.low is not None and options.high is not None:
        _check_range(panel, options.low, options.high)
    lost = losses_of(score, np.stack([a, b], axis=1), y)
    least, most = ends(score, a, b, options.low, options.high)
    n = np.arange(1.0, rows.size + 1)
    differences = lost[:, 0] - lost[:, 1]
    mean = np.cumsum(differences) / n
    delta = options.delta / pairs
    walk = _Walk(differences, ((most - least) / 2.0) ** 2, rows, options)
    wide = walk.boundary(delta) / n
    return Comparison(
        names=(p, q),
        loss=score_name(score),
        delta=options.delta,
        pairs=pairs,
        lag=options.lag,
        times=rows + 1 if panel.times is None else panel.times[both],
        estimates=mean,
        lcb=np.maximum(mean - wide, np.cumsum(least) / n),
        ucb=np.minimum(mean + wide, np.cumsum(most) / n),
        log_e_pq=walk.log_evidence(-1.0),
        log_e_qp=walk.log_evidence(1.0),
        mean_losses=(float(lost[:, 0].mean()), float(lost[:, 1].mean())),
        skipped=panel.rounds - rows.size,
        more=walk.more(delta),
        unit=options.unit,
        dated=panel.times is not None,
    )


class _Walk:
    """The sum of differences and its variance: one sequence, or `lag` interleaved."""

    def __init__(self, differences: Floats, v: Floats, rows: Any, options: _Options):
        self.n = differences.size
        self.lag = options.lag
        self.rho = _rho(v, options) / self.lag
        self.total = float(differences.sum())
        self.V = float(v.sum())
        self.sums: list[Floats] = []
        self.spreads: list[Floats] = []
        for k in range(self.lag):
            mine = rows % self.lag == k if self.lag > 1 else True
            self.sums.append(np.cumsum(np.where(mine, differences, 0.0)))
            self.spreads.append(np.cumsum(np.where(mine, v, 0.0)))

    def boundary(self, delta: float) -> Floats:
        """How far the sum may be from that of its conditional means."""
        share = delta / self.lag
        bounds = [boundary(spread, self.rho, share) for spread in self.spreads]
        return np.sum(bounds, axis=0)

    def log_evidence(self, sign: float) -> Floats:
        """Evidence that the conditional means have this sign."""
        logs = [
            log_evidence(sign * total, spread, self.rho)
            for total, spread in zip(self.sums, self.spreads, strict=True)
        ]
        if self.lag == 1:
            return logs[0]
        each = np.stack([adjusted(log) for log in logs])
        return np.logaddexp.reduce(each, axis=0) - math.log(self.lag)

    def more(self, delta: float) -> float:
        """The rounds still needed if differences and spreads go on as on average."""

        def decided(n: float) -> bool:
            spread = self.V * n / self.n / self.lag
            wide = self.lag * float(boundary(spread, self.rho, delta / self.lag))
            return abs(self.total) * n / self.n > wide

        if decided(self.n):
            return 0.0
        if not decided(self.n + NEVER):
            return math.inf
        low, high = float(self.n), self.n + NEVER
        while high - low > 0.5:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if decided(middle) else (middle, high)
        return high - self.n


def _rho(v: Floats, options: _Options) -> float:
    """The user's, or what is known before the first outcome that matters."""
    if options.rho is not None:
        if not 0.0 < options.rho < math.inf:
            raise ValueError(f"rho={options.rho!r} must be positive and finite")
        return float(options.rho)
    if about_events(options.score):
        return 1.0
    at_stake = v[v > 0.0]
    return FIRST * float(at_stake[0]) if at_stake.size else 1.0


def _checked_lag(lag: int) -> int:
    if isinstance(lag, bool) or int(lag) != lag or lag < 1:
        raise ValueError(f"lag={lag!r} must be a number of rounds, 1 or more")
    return int(lag)


def _check_range(panel: Panel, low: float, high: float) -> None:
    outside = (panel.y < low) | (panel.y > high)
    if outside.any():
        from ..errors import BadRow

        row = int(np.argmax(outside))
        told = f"the outcome {panel.y[row]:g} is outside [{low:g}, {high:g}]"
        raise BadRow(row, told)
