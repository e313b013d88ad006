"""Whom to believe: compare forecasters without ever seeing the true probability.

    D_t = loss(a_t, y_t) - loss(b_t, y_t)

For the Brier score E D_t = (a_t - p_t)^2 - (b_t - p_t)^2, where p_t is the probability
that nobody sees: the mean of D is an unbiased look at who is closer to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..certify.checks import checked_delta
from .bernstein import guesses_of_numbers
from .comparison import Comparison
from .panel import Panel, as_panel
from .scores import about_events, as_score, ends, guess, losses_of, score_name
from .tournament import Tournament
from .walks import Ranges, Rounds, Variances

__all__ = ["compare", "compare_all"]

FIRST = 100.0  # rho for numbers: so many times the first variance term
METHODS = ("ranges", "bernstein")


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
    method: str = "ranges",
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
    y : array, or the name of a column of the data frame
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
    method : str
        "ranges" takes the largest variance that the range of D_t allows; "bernstein"
        learns it, which tells rare events apart in a fraction of the time and needs
        somewhat longer where both outcomes are about as likely. To be chosen before
        the data are seen.
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
        checked_delta(delta), _checked_lag(lag), rho, low, high, unit, score, method
    )
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not one of {', '.join(METHODS)}")
    if b is not None and y is None and _several(a):
        b, y = None, b
    if y is None:
        raise TypeError(
            "the outcomes are missing: compare(a, b, y), or compare(forecasts, y=y)"
        )
    if b is None:
        panel = as_panel(a, y, score, names=names, time=time)
        return compare_all(panel, options)
    if names is None:
        names = _own_names(a, b)
    sides = [np.asarray(side, np.float64) for side in (a, b)]
    if sides[0].shape != sides[1].shape:
        raise ValueError(
            f"a and b must be alike: their shapes are {sides[0].shape} and "
            f"{sides[1].shape}"
        )
    panel = as_panel(np.stack(sides, axis=1), y, score, names=names, time=time)
    return _pair(panel, 0, 1, options, pairs=1)


def _several(a: Any) -> bool:
    """Whether `a` holds all the forecasters: compare(F, y) can only mean that."""
    if hasattr(a, "columns") or isinstance(a, Mapping):
        return True
    return np.asarray(a).ndim > 1


def _own_names(a: Any, b: Any) -> tuple[str, str] | None:
    """The names of two columns of a data frame."""
    found = [getattr(side, "name", None) for side in (a, b)]
    if None in found or found[0] == found[1]:
        return None
    return str(found[0]), str(found[1])


class _Options(NamedTuple):
    """All that is not data."""

    delta: float
    lag: int
    rho: float | None
    low: float | None
    high: float | None
    unit: str
    score: Any
    method: str


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
    differences = lost[:, 0] - lost[:, 1]
    rounds = Rounds(differences, least, most, rows, options.lag)
    rho = _rho(rounds, options)
    if options.method == "ranges":
        walk: Any = Ranges(rounds, rho)
    else:
        if about_events(score):
            guesses = guess(score, a, b)
        else:
            guesses = guesses_of_numbers(differences, least, most, options.lag)
        walk = Variances(rounds, guesses, rho)
    delta = options.delta / pairs
    n = np.arange(1.0, rows.size + 1)
    mean = np.cumsum(differences) / n
    return Comparison(
        names=(p, q),
        loss=score_name(score),
        delta=options.delta,
        pairs=pairs,
        lag=options.lag,
        method=options.method,
        times=rows + 1 if panel.times is None else panel.times[both],
        estimates=mean,
        lcb=np.maximum(mean - walk.widths(1.0, delta) / n, np.cumsum(least) / n),
        ucb=np.minimum(mean + walk.widths(-1.0, delta) / n, np.cumsum(most) / n),
        log_e_pq=walk.log_evidence(-1.0),
        log_e_qp=walk.log_evidence(1.0),
        mean_losses=(float(lost[:, 0].mean()), float(lost[:, 1].mean())),
        skipped=panel.rounds - rows.size,
        more=walk.more(delta),
        unit=options.unit,
        dated=panel.times is not None,
    )


def _rho(rounds: Rounds, options: _Options) -> float:
    """The user's, or what is known before the first outcome that matters."""
    if options.rho is not None:
        if not 0.0 < options.rho < math.inf:
            raise ValueError(f"rho={options.rho!r} must be positive and finite")
        return float(options.rho)
    if about_events(options.score):
        return 1.0
    v = rounds.variances
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
