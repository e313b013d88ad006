"""Who could have been followed, had one known: the best mix and the best sequence.

The best fixed convex mix minimizes sum_t loss(u.x_t, y_t) over the simplex, and comes
with a proof of how good it is. As weights add up to one, forecasts may be measured from
the truth: u.x - y = u.(x - y).
"""

from __future__ import annotations

import math

import numpy as np

from ..data import open_source
from ..evidence.hindsight import BestSequence, Hindsight, best_sequence, on_simplex
from ..evidence.hindsight.projection import onto_simplex
from ..parts.losses import Squared
from ..parts.scores import Brier, Log
from ..parts.state import Floats
from .scores import Score
from .table import Table

STEPS = 20_000
NEWTON = 100
FINE, COARSE = 1e-7, 1e-4  # relative gaps
ROUNDING = 1e-13
CHECK = 20  # steps between two looks at the gap


def why_no_mix(table: Table, score: Score) -> str:
    """Why there is no best mix; nothing where there is one."""
    if not score.convex:
        return f"{score} is not convex"
    if table.missing[~np.isnan(table.y)].any():
        return "some forecasts are missing"
    if table.levels is not None:
        return "not solved for quantiles"
    return ""


def best_mix(table: Table, score: Score, tolerance: float | None = None) -> Hindsight:
    """The best fixed weights, to a proved relative gap of `tolerance`.

    None: 1e-7 where only a K x K matrix is iterated on, 1e-4 for losses with kinks.
    """
    reason = why_no_mix(table, score)
    if reason:
        raise ValueError(f"there is no best mix: {reason}")
    told = ~np.isnan(table.y)
    values, y = table.values[told], table.y[told]
    if isinstance(score, Log):
        return _log_mix(_happened(values, y), tolerance or FINE)
    rows = _misses(values, y)
    if isinstance(score, Brier | Squared):
        return _squared_mix(rows, tolerance or FINE)
    source = open_source(rows, np.zeros(len(rows)), binary=False)
    return on_simplex(source, score, tolerance=tolerance or COARSE)


def best_path(losses: Floats, switches: int) -> BestSequence:
    """The best sequence of forecasters, each followed only while it gives forecasts.

    `losses` are rounds x forecasters; nan where one is missing.
    """
    missing = np.isnan(losses)
    if not missing.any():
        return best_sequence(losses, switches)
    most = float(np.nanmax(np.abs(losses)))
    dear = (2.0 * most + 1.0) * len(losses)  # dearer than any path through the rest
    found = best_sequence(np.where(missing, dear, losses), switches)
    if missing[np.arange(len(losses)), found.path].any():
        raise ValueError(
            f"no sequence with {switches} switches has a forecast in every row"
        )
    return found


def _misses(values: Floats, y: Floats) -> Floats:
    """Forecasts less the truth, a column a forecaster."""
    if values.ndim == 2:
        return values - y[:, None]
    happened = y[:, None] == np.arange(int(values.shape[2]))
    misses = values - happened[:, None, :]
    return misses.transpose(0, 2, 1).reshape(-1, values.shape[1])


def _happened(values: Floats, y: Floats) -> Floats:
    """The probability that each forecaster gave to what happened."""
    if values.ndim == 3:
        index = y.astype(np.int64)[:, None, None]
        return np.take_along_axis(values, index, axis=2)[:, :, 0]
    return np.where(y[:, None] > 0.0, values, 1.0 - values)


def _log_mix(told: Floats, tolerance: float) -> Hindsight:
    """Newton steps on the simplex, each a small quadratic problem, with a line search.

    With g_k = -sum_t x_tk / u.x_t no weights pay less than g.u - min g below u.
    """
    u = np.full(told.shape[1], 1.0 / told.shape[1])
    loss, lower, steps = math.inf, -math.inf, 0
    while steps < NEWTON:
        steps += 1
        mixed = told @ u
        loss = -float(np.log(mixed).sum())
        ratios = told / mixed[:, None]
        slope = -ratios.sum(axis=0)
        lower = max(lower, loss + float(slope.min() - slope @ u))
        if loss - lower <= tolerance * abs(loss):
            break
        curved = ratios.T @ ratios
        way = _quadratic(curved, slope - curved @ u, u, loss - lower)[0] - u
        length, slack = 1.0, ROUNDING * abs(loss)
        while length > 1e-6:
            after = -float(np.log(told @ (u + length * way)).sum())
            if after <= loss + 0.1 * length * float(slope @ way) + slack:
                break
            length *= 0.5
        u = u + length * way
    return _solution(u, loss, lower, "log score", told.shape, steps)


def _squared_mix(rows: Floats, tolerance: float) -> Hindsight:
    """Min u'Gu over the simplex, where only the K x K matrix G = X'X is looked at."""
    gram: Floats = rows.T @ rows
    n = len(gram)
    start = np.full(n, 1.0 / n)
    u, lower, steps = _quadratic(2.0 * gram, np.zeros(n), start, 0.0, tolerance)
    return _solution(u, float(u @ gram @ u), lower, "squared loss", rows.shape, steps)


def _quadratic(
    curved: Floats, slope: Floats, u: Floats, aim: float, tolerance: float = 0.0
) -> tuple[Floats, float, int]:
    """Min u'Hu/2 + c.u over the simplex: weights, a lower bound, and steps made.

    Accelerated projected gradient steps, begun anew where they head the wrong way
    (O'Donoghue, Candes 2015), until the gap is a hundredth of `aim`, or `tolerance`
    times the value.
    """
    steps = np.full(u.size, 1.0 / max(float(np.linalg.eigvalsh(curved)[-1]), 1e-300))
    ahead = best = u
    least, lower, momentum, step = math.inf, -math.inf, 1.0, 0
    for step in range(STEPS):
        if step % CHECK == 0:
            here = curved @ u
            now = float(0.5 * u @ here + slope @ u)
            here = here + slope
            gap = float(here @ u - here.min())
            lower = max(lower, now - gap)
            if gap < least:  # values differ by less than rounding long before gaps do
                best, least = u, gap
            if least <= max(0.01 * aim, tolerance * abs(now)):
                break
        new = onto_simplex(ahead - steps * (curved @ ahead + slope), steps, 1.0)
        if float((ahead - new) @ (new - u)) > 0.0:
            momentum = 1.0
        grown = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * momentum * momentum))
        ahead = new + (momentum - 1.0) / grown * (new - u)
        u, momentum = new, grown
    return best, lower, step


def _solution(
    u: Floats, loss: float, lower: float, what: str, shape: tuple[int, ...], steps: int
) -> Hindsight:
    return Hindsight(
        u=u,
        bias=0.0,
        loss=loss,
        objective=loss,
        lower_bound=min(lower, loss),
        problem=f"min sum {what} over u >= 0, sum u = 1, {shape[0]:,} x {shape[1]}",
        passes=steps,
    )
