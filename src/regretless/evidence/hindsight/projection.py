"""The nearest point of a simplex or an L1 ball, where each weight has its own price.

    argmin_u sum_j (u_j - v_j)^2/(2 s_j)   over u >= 0, sum u = radius
                                           or   |u|_1 <= radius

is u_j = max(0, v_j - s_j theta), with the one theta that makes the sum right.
"""

from __future__ import annotations

import numpy as np

from ...parts.state import Floats


def onto_simplex(v: Floats, steps: Floats, radius: float) -> Floats:
    """The point of ``{u >= 0, sum u = radius}`` nearest to `v`."""
    breaks = v / steps
    order = np.argsort(-breaks)
    # With the k largest ratios positive: sum v - theta sum s = radius.
    thetas = (np.cumsum(v[order]) - radius) / np.cumsum(steps[order])
    last = np.flatnonzero(breaks[order] > thetas)
    theta = thetas[last[-1] if last.size else 0]
    u = np.maximum(0.0, v - steps * theta)
    total = u.sum()
    if not total > 0.0:  # v is so large that nothing is left of radius
        u[order[0]] = total = 1.0
    return u * (radius / total)  # only rounding is left to repair


def onto_l1_ball(v: Floats, steps: Floats, radius: float) -> Floats:
    """The point of ``{|u|_1 <= radius}`` nearest to `v`."""
    size = np.abs(v)
    if size.sum() <= radius:
        return v
    return np.copysign(onto_simplex(size, steps, radius), v)
