"""Whom to believe: compare forecasters without ever seeing the true probability.

    D_t = mean over the rows of time t of loss(a, y) - loss(b, y)

A round is a time: rows that share one share its shocks, so only their mean counts. For
the Brier score E D_t = (a_t - p_t)^2 - (b_t - p_t)^2, where p_t is the probability that
is never seen: the mean of D is an unbiased look at who is closer to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import BadRow
from ..evidence.certify.checks import checked_delta
from ..parts.rows import Longs
from ..parts.state import Floats
from .bernstein import guesses_of_numbers
from .checking import checked
from .combining import checked_lag
from .comparison import Comparison
from .entries import column_of, numbers
from .given import ColumnRoles, as_table, default_names
from .scores import Score, about_events, as_score, ends, guess, losses_of, score_name
from .table import Table
from .tournament import Tournament
from .walks import Ranges, Rounds, Variances

FIRST = 100.0  # rho: so many times the first variance term
METHODS = ("ranges", "bernstein")


def compare(  # noqa: PLR0913 - all but three are options
    a: object,
    b: object = None,
    y: object = None,
    delta: float = 0.05,
    *,
    loss: str | Score = "brier",
    names: Sequence[str] | None = None,
    time: object = None,
    group: object = None,
    horizon: object = None,
    known_at: object = None,
    lag: int = 1,
    levels: npt.ArrayLike | None = None,
    method: str | None = None,
    rho: float | None = None,
    low: float | None = None,
    high: float | None = None,
    unit: str = "round",
) -> Comparison | Tournament:
    """Tell which forecaster is better, after every round, valid at all of them at once.

    With probability 1 - delta the mean of the conditional expectations of D_1 .. D_n
    lies in the interval for every n, however forecasts, outcomes and their true
    probabilities depend on the past: one may look whenever one likes and stop when the
    answer pleases. What is assumed is only that forecasts are made before outcomes.

    Parameters
    ----------
    a, b : arrays
        Forecasts of two forecasters: rows, or rows x outcomes. nan is missing, and such
        rows are left out (whether a forecast is missing must not depend on the outcome
        to come). Or `a` alone: a data frame, a dict by name, an array with a column a
        forecaster (rows x forecasters x outcomes, or quantiles), or a Table; then all
        pairs are compared and share `delta`.
    y : array, or the name of a column of the data frame
        What happened: 0 or 1; the number of the outcome, from 0; or a number. Rows
        where it is nan are left out.
    delta : float
        The probability of ever being wrong, in any round and any pair.
    loss : str or a loss
        "brier", "log" (clipped at 0.001; ``Log(clip=...)``), "spherical" for
        probabilities; "absolute", "squared", "pinball" (``Pinball(quantile=...)``) for
        numbers; "wis", "crps", "pinball" for quantiles.
    names : sequence of str
        What the forecasters are called, where the data do not say.
    time : array, or the name of a column
        When. Rows of one time are one round. It must not go backwards, unless there are
        groups.
    group, horizon, known_at : arrays, or names of columns
        Which place a row is about, how many rounds ahead it looks (its own lag), and at
        what time its outcome was known (in place of a lag).
    lag : int
        Outcomes are known so many rounds after their forecast is made. From 2 on, only
        rounds that far apart make a martingale: the rounds fall into `lag` interleaved
        sequences, each bounded with delta/lag, and the interval adds these up: it holds
        the mean difference given what was known `lag` rounds before. E-values are
        averages over the sequences of adjusted running maxima: evidence against "not
        better on average in any of the sequences".
    levels : sequence of float
        The levels of the quantiles, where the last axis of an array has quantiles.
    method : str or None
        "ranges" takes the largest variance that the range of D_t allows; "bernstein"
        learns it, which tells rare events and numbers apart in a fraction of the time
        and needs somewhat longer where both outcomes are about as likely. None: ranges
        for probabilities, bernstein for numbers. To be chosen before the data are seen.
    rho : float
        The variance at which the interval is tightest, fixed before the data. 1 for
        probabilities by ranges; else 100 times the first term of the variance.
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
    scores V = sum_t (mean |a - b|)^2, the mean over the rows of time t.

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
    if method is not None and method not in METHODS:
        raise ValueError(f"method={method!r} is not one of {', '.join(METHODS)}")
    if b is not None and y is None and _several(a):
        b, y = None, b
    single = b is not None
    if single:
        names = names or _own_names(a, b) or default_names(2)
        a = _side_by_side(a, b, names)
    if y is None and not isinstance(a, Table):
        raise TypeError(
            "the outcomes are missing: compare(a, b, y), or compare(forecasts, y=y)"
        )
    roles = ColumnRoles(time=time, group=group, horizon=horizon, known_at=known_at)
    table = as_table(a, y, names=names, levels=levels, **roles)
    score = as_score(loss, table.levels)
    with table.located():
        table = checked(table, score)
        longest = max(checked_lag(lag), table.longest_lag(lag))
        options = _Options(
            checked_delta(delta),
            longest,
            rho,
            low,
            high,
            unit,
            score,
            method or ("ranges" if about_events(score) else "bernstein"),
        )
        _check_range(table, low, high)
        if np.isnan(table.y).all():
            raise ValueError("no outcome is known")
        if not single:
            return compare_all(table, options)
        found = _pair(table, 0, 1, options, pairs=1)
        if found is None:
            p, q = table.names
            raise ValueError(
                f"there is no round in which both {p!r} and {q!r} forecast"
            )
        return found


def _side_by_side(a: object, b: object, names: Sequence[str]) -> Floats:
    pairs = zip((a, b), names, strict=True)
    sides = [numbers(side, column_of(name)) for side, name in pairs]
    if sides[0].shape != sides[1].shape:
        raise ValueError(
            f"a and b must be alike: their shapes are {sides[0].shape} and "
            f"{sides[1].shape}"
        )
    return np.stack(sides, axis=1)


def _several(a: object) -> bool:
    """Whether `a` holds all the forecasters: compare(F, y) can only mean that."""
    if hasattr(a, "columns") or isinstance(a, Mapping):
        return True
    return np.asarray(a).ndim > 1


def _own_names(a: object, b: object) -> tuple[str, str] | None:
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
    score: Score
    method: str


def compare_all(table: Table, options: _Options) -> Tournament:
    """Compare every pair; together they spend delta."""
    found = list(combinations(range(len(table.names)), 2))
    compared = {(i, j): _pair(table, i, j, options, pairs=len(found)) for i, j in found}
    never = tuple(
        (table.names[i], table.names[j])
        for (i, j), one in compared.items()
        if one is None
    )
    if len(never) == len(found):
        raise ValueError("there is no round in which two of them forecast")
    kept = tuple(one for one in compared.values() if one is not None)
    return Tournament(table.names, kept, options.delta, never, table.notes)


def _pair(
    table: Table, i: int, j: int, options: _Options, pairs: int
) -> Comparison | None:
    """The comparison of two; None where they never forecast the same row."""
    both = ~(table.missing[:, i] | table.missing[:, j] | np.isnan(table.y))
    if not both.any():
        return None
    shared = table.take(both)
    a, b, y = shared.values[:, i], shared.values[:, j], shared.y
    score = options.score
    lost = losses_of(score, np.stack([a, b], axis=1), y)
    rows = _distinct(table.round_of[both])  # those that count
    # Rows of a round share its shocks: only their mean is a step of the walk.
    difference = shared.round_means(lost[:, 0] - lost[:, 1])
    ranges = ends(score, a, b, options.low, options.high)
    least, most = (shared.round_means(end) for end in ranges)
    rounds = Rounds(difference, least, most, rows, options.lag)
    rho = _rho(rounds, options)
    if options.method == "ranges":
        walk: Ranges | Variances = Ranges(rounds, rho)
    else:
        if about_events(score):
            guesses = shared.round_means(guess(score, a, b))
        else:
            guesses = guesses_of_numbers(difference, least, most, options.lag)
        walk = Variances(rounds, guesses, rho)
    delta = options.delta / pairs
    n = np.arange(1.0, rows.size + 1)
    mean = np.cumsum(difference) / n
    mean_losses = [float(shared.round_means(side).mean()) for side in lost.T]
    return Comparison(
        names=(table.names[i], table.names[j]),
        loss=score_name(score),
        delta=options.delta,
        pairs=pairs,
        lag=options.lag,
        method=options.method,
        times=table.round_times[rows],
        estimates=mean,
        lcb=np.maximum(mean - walk.widths(1.0, delta) / n, np.cumsum(least) / n),
        ucb=np.minimum(mean + walk.widths(-1.0, delta) / n, np.cumsum(most) / n),
        log_e_pq=walk.log_evidence(-1.0),
        log_e_qp=walk.log_evidence(1.0),
        mean_losses=(mean_losses[0], mean_losses[1]),
        skipped=table.rounds - rows.size,
        more=walk.more(delta),
        unit=options.unit,
        dated=table.times is not None,
        rows=len(y),
        notes=table.notes,
    )


def _distinct(of: Longs) -> Longs:
    """The rounds that occur in a sorted list, each once."""
    return of[np.r_[True, of[1:] != of[:-1]]]


def _rho(rounds: Rounds, options: _Options) -> float:
    """The user's, or what is known before the first outcome that matters."""
    if options.rho is not None:
        if not 0.0 < options.rho < math.inf:
            raise ValueError(f"rho={options.rho!r} must be positive and finite")
        return float(options.rho)
    if about_events(options.score) and options.method == "ranges":
        return 1.0
    v = rounds.variances
    at_stake = v[v > 0.0]
    return FIRST * float(at_stake[0]) if at_stake.size else 1.0


def _check_range(table: Table, low: float | None, high: float | None) -> None:
    if low is None or high is None:
        return
    outside = (table.y < low) | (table.y > high)
    if outside.any():
        row = int(np.argmax(outside))
        told = f"the outcome {table.y[row]:g} is outside [{low:g}, {high:g}]"
        raise BadRow(row, told)
