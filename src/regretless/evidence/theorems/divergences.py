"""Divergences between weights that may be too small for a number: in log space.

KL(q || p) = sum q ln q - sum q ln p, and only the second sum changes in a round. A
signed geometry has a p of twice as many shares, for x and for -x, and the q that stands
for u spreads what |u|_1 leaves of the radius evenly over all of them.
"""

from __future__ import annotations

import math

import numpy as np

from ...parts.geometries import SignedEntropy, SimplexEntropy
from ...parts.state import Floats
from .assumptions import at_most, on_simplex

Shares = SimplexEntropy | SignedEntropy


def log_sum_exp(logs: Floats) -> float:
    """Ln sum exp(logs)."""
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).sum()))


def sided(geometry: Shares, x: Floats) -> Floats:
    """x, or (x, -x) where weights are signed."""
    return np.concatenate([x, -x]) if isinstance(geometry, SignedEntropy) else x


def log_shares(geometry: Shares, dual: Floats) -> Floats:
    """Ln p of the shares that the dual of a geometry stands for."""
    logs = sided(geometry, dual)
    return logs - log_sum_exp(logs)


def unnormalized(dual: Floats) -> Floats:
    """Ln w of weights that started at 1/d."""
    return dual - math.log(dual.size)


def target(geometry: Shares, u: Floats) -> Floats:
    """The shares q that stand for u."""
    p = u / geometry.radius
    if not isinstance(geometry, SignedEntropy):
        return p
    sides = np.concatenate([np.maximum(p, 0.0), np.maximum(-p, 0.0)])
    return sides + max(0.0, 1.0 - float(sides.sum())) / sides.size


def feasible(geometry: Shares, u: Floats) -> bool:
    """Whether u lies on the simplex, or in the L1 ball."""
    if isinstance(geometry, SignedEntropy):
        return at_most(float(np.abs(u).sum()), geometry.radius)
    return on_simplex(geometry.radius, u)


def cross_entropy(q: Floats, logs: Floats) -> float:
    """-sum q ln p."""
    return -float(q @ logs)


def p_norm(x: Floats, p: float) -> float:
    """|x|_p."""
    top = float(np.abs(x).max(initial=0.0))
    if top == 0.0:
        return 0.0
    return top * float(((np.abs(x) / top) ** p).sum()) ** (1.0 / p)
