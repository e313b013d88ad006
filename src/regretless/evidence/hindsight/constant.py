"""The best constant: min_c sum_t loss(c, y_t).

The mean for the squared loss, a quantile for the absolute and pinball losses. Any other
convex loss is squeezed between two points whose slopes have different signs: the two
tangents meet at a lower bound, and where they meet is the next point to try.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...parts.losses import Absolute, Pinball, Squared
from ...parts.part_types import Loss
from ...parts.state import Floats
from .convexity import checked_loss
from .solution import Hindsight

FARTHEST = 2.0**60
PROBES = 400


class _Probe(NamedTuple):
    """A constant, its loss, and a slope there."""

    at: float
    loss: float
    slope: float


Pay = Callable[[float], _Probe]


def best_constant(
    y: npt.ArrayLike, loss: Loss = Squared(), *, tolerance: float = 1e-9
) -> Hindsight:
    """The constant score with the smallest sum of losses.

    Parameters
    ----------
    y : array
        The labels.
    loss : a loss
        Convex.
    tolerance : float
        The relative gap to reach, where the answer is not exact.

    Returns
    -------
    Hindsight
        ``u`` holds one number, the constant.

    Examples
    --------
    >>> from regretless import Absolute
    >>> from regretless.evidence.hindsight import best_constant
    >>> best_constant([1.0, 2.0, 9.0]).u, best_constant([1.0, 2.0, 9.0], Absolute()).u
    (array([4.]), array([2.]))
    """
    targets = np.ascontiguousarray(y, np.float64).reshape(-1)
    if targets.size == 0:
        raise ValueError("there are no labels")
    if not np.isfinite(targets).all():
        raise ValueError("y holds a number that is not finite")
    loss = checked_loss(loss, float(targets.min()), float(targets.max()))
    pay = _payer(loss, targets)
    exact = _closed_form(loss, targets)
    if exact is not None:
        best = pay(exact)
        bound = best.loss
    else:
        best, bound = _squeeze(pay, targets, tolerance)
    return Hindsight(
        u=np.array([best.at]),
        bias=0.0,
        loss=best.loss,
        objective=best.loss,
        lower_bound=min(bound, best.loss),
        problem=f"min sum {loss} over constants, {targets.size:,} labels",
        passes=1,
    )


def _closed_form(loss: Loss, targets: Floats) -> float | None:
    if isinstance(loss, Squared):
        return float(targets.mean())
    if isinstance(loss, Absolute | Pinball):
        share = loss.quantile if isinstance(loss, Pinball) else 0.5
        return float(np.quantile(targets, share, method="inverted_cdf"))
    return None


def _payer(loss: Loss, targets: Floats) -> Pay:
    from ...engine.kernels.compiled import entry
    from ...engine.kernels.constant import pay_labels

    kernel = entry(pay_labels, (loss, targets, 0.0))

    def pay(at: float) -> _Probe:
        return _Probe(at, *kernel(loss, targets, at))

    return pay


def _squeeze(pay: Pay, targets: Floats, tolerance: float) -> tuple[_Probe, float]:
    """The best probe, and a lower bound."""
    low, high = _bracket(pay, targets)
    best = min(low, high, key=lambda probe: probe.loss)
    bound = -math.inf
    for i in range(PROBES):
        if low.slope == 0.0 or high.slope == 0.0 or low.at == high.at:
            flat = low if low.slope == 0.0 else high
            return flat, flat.loss
        # The tangents: low.loss + low.slope (c - low.at), and the same at high.
        rise = high.slope - low.slope
        meet = low.at + (high.loss - low.loss - high.slope * (high.at - low.at)) / -rise
        meet = min(max(meet, low.at), high.at)
        bound = max(bound, low.loss + low.slope * (meet - low.at))
        if best.loss - bound <= tolerance * abs(best.loss):
            break
        middle = 0.5 * (low.at + high.at)
        probe = pay(meet if i % 2 == 0 else middle)
        if not low.at < probe.at < high.at:
            probe = pay(middle)
            if not low.at < middle < high.at:
                break
        best = min(best, probe, key=lambda probe: probe.loss)
        if probe.slope < 0.0:
            low = probe
        else:
            high = probe
    return best, bound


def _bracket(pay: Pay, targets: Floats) -> tuple[_Probe, _Probe]:
    """Two probes whose slopes have different signs."""
    low = high = pay(float(np.median(targets)))
    reach = 1.0
    while low.slope > 0.0 or high.slope < 0.0:
        if reach > FARTHEST:
            raise ValueError("no constant is best: the loss falls for ever")
        low = pay(low.at - reach) if low.slope > 0.0 else low
        high = pay(high.at + reach) if high.slope < 0.0 else high
        reach *= 2.0
    return low, high
