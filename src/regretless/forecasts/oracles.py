"""Who could have been followed, had one known: the best mix and the best sequence.

The best fixed convex mix minimizes sum_t loss(u.x_t, y_t) over the simplex, and comes
with a proof of how good it is. As weights add up to one, forecasts may be measured from
the truth: u.x - y = u.(x - y).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..hindsight import BestSequence, Hindsight, best_sequence, on_simplex
from ..parts.losses import Squared
from ..parts.scores import Brier, Log
from ..parts.state import Floats
from ..streams import open_source
from .panel import Panel

__all__ = ["best_mix", "best_path", "why_no_mix"]

STEPS = 20_000
CHECK = 20  # steps between two looks at the gap


def why_no_mix(panel: Panel, score: Any) -> str:
    """Why there is no best mix; nothing where there is one."""
    if not score.convex:
        return f"{score} is not convex"
    if panel.missing.any():
        return "some forecasts are missing"
    return ""


def best_mix(panel: Panel, score: Any, tolerance: float = 1e-4) -> Hindsight:
    """The best fixed weights, to a proved relative gap of `tolerance`."""
    reason = why_no_mix(panel, score)
    if reason:
        raise ValueError(f"there is no best mix: {reason}")
    values, y = panel.values, panel.y
    if isinstance(score, Log):
        return _log_mix(_happened(values, y), tolerance)
    if values.ndim == 3:
        outcomes = np.arange(values.shape[2])
        misses = values - (y[:, None] == outcomes)[:, None, :]
        rows = misses.transpose(0, 2, 1).reshape(-1, values.shape[1])
    else:
        rows = values - y[:, None]
    if isinstance(score, Brier | Squared):
        return _squared_mix(rows, tolerance)
    source = open_source(rows, np.zeros(len(rows)), binary=False)
    return on_simplex(source, score, tolerance=tolerance)


def best_path(losses: Floats, switches: int) -> BestSequence:
    """The best sequence of forecasters, each followed only while it gives forecasts."""
    missing = np.isnan(losses)
    if not missing.any():
        return best_sequence(losses, switches)
    most = float(np.nanmax(np.abs(losses)))
    dear = (2.0 * most + 1.0) * len(losses)  # dearer than any path through the rest
    found = best_sequence(np.where(missing, dear, losses), switches)
    if missing[np.arange(len(losses)), found.path].any():
        raise ValueError(
            f"no sequence with {switches} switches has a forecast in every round"
        )
    return found


def _happened(values: Floats, y: Floats) -> Floats:
    """The probability that each forecaster gave to what happened."""
    if values.ndim == 3:
        index = y.astype(np.int64)[:, None, None]
        return np.take_along_axis(values, index, axis=2)[:, :, 0]
    return np.where(y[:, None] > 0.0, values, 1.0 - values)


def _log_mix(told: Floats, tolerance: float) -> Hindsight:
    """Expectation maximization: u_k <- u_k mean_t(x_tk / u.x_t).

    No weights pay less than T (max_k mean_t(x_tk / u.x_t) - 1) below u (Frank-Wolfe).
    """
    rounds, n = told.shape
    u = np.full(n, 1.0 / n)
    loss, lower, step = math.inf, -math.inf, 0
    for step in range(1, STEPS + 1):
        mixed = told @ u
        share = (told / mixed[:, None]).mean(axis=0)
        loss = -float(np.log(mixed).sum())
        lower = max(lower, loss - rounds * (float(share.max()) - 1.0))
        if loss - lower <= tolerance * abs(loss):
            break
        u = u * share
        u /= u.sum()
    return _solution(u, loss, lower, "log score", told.shape, step)


def _squared_mix(rows: Floats, tolerance: float) -> Hindsight:
    """Min u'Gu over the simplex, G = X'X: accelerated projected gradient steps.

    Only the K x K matrix G is looked at. The gap is 2 (u'Gu - min_k (Gu)_k).
    """
    from ..hindsight.projection import onto_simplex

    gram: Floats = rows.T @ rows
    n = len(gram)
    steps = np.full(n, 0.5 / max(float(np.linalg.eigvalsh(gram)[-1]), 1e-300))
    u = ahead = np.full(n, 1.0 / n)
    best, loss, lower, momentum, step = u, math.inf, -math.inf, 1.0, 0
    for step in range(STEPS):
        if step % CHECK == 0:
            slope = gram @ u
            now = float(u @ slope)
            if now < loss:
                best, loss = u, now
            lower = max(lower, now - 2.0 * (now - float(slope.min())))
            if loss - lower <= tolerance * abs(loss):
                break
        new = onto_simplex(ahead - steps * 2.0 * (gram @ ahead), steps, 1.0)
        if float((ahead - new) @ (new - u)) > 0.0:
            momentum = 1.0  # heading the wrong way: begin anew (O'Donoghue, Candes)
        grown = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * momentum * momentum))
        ahead = new + (momentum - 1.0) / grown * (new - u)
        u, momentum = new, grown
    return _solution(best, loss, lower, "squared loss", rows.shape, step)


def _solution(
    u: Floats, loss: float, lower: float, what: str, shape: Any, steps: int
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
