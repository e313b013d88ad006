"""The stack: Bayesian logistic regression on the members' margins, all against all.

    input = [clip(m_k, -1, 1), clip(m_k, -4, 4), 1],  score = w.input,  g = [y > 0] - p
    d = 1/(1 + h input'P input),   w += g d P input,   P -= h d (P input)(P input)'

with h = p(1 - p): Newton's step on the newest row, and the posterior's covariance.
"""

from __future__ import annotations

from typing import Any

from ...generic import compiled
from .views import SUMS

__all__ = ["combine", "restack"]


@compiled
def combine(constants: Any, state: Any, tile: Any) -> float:
    """The score of the stack: the log-odds of +1."""
    inputs, margins, w = tile.inputs, tile.margins, state.stack
    members = margins.size
    score = w[2 * members]
    for k in range(members):
        near = min(max(margins[k], -constants.near), constants.near)
        far = min(max(margins[k], -constants.far), constants.far)
        inputs[k] = near
        inputs[members + k] = far
        score += w[k] * near + w[members + k] * far
    inputs[2 * members] = 1.0
    return score


@compiled(**SUMS)
def restack(constants: Any, state: Any, tile: Any, g: float, h: float) -> None:
    """Move the stack. Rows of P end in zeros, which make whole vectors of them."""
    w, covariance, inputs, leads = (
        state.stack,
        state.covariance,
        tile.inputs,
        tile.leads,
    )
    size, width = covariance.shape
    for j in range(width):
        leads[j] = 0.0
    for i in range(size):
        row = covariance[i]
        c = inputs[i]
        for j in range(width):
            leads[j] += c * row[j]
    doubt = 0.0
    for j in range(width):
        doubt += leads[j] * inputs[j]
    d = 1.0 / (1.0 + h * doubt)
    for j in range(width):
        w[j] += g * d * leads[j]
    for i in range(size):
        row = covariance[i]
        c = h * d * leads[i]
        for j in range(width):
            row[j] -= c * leads[j]
        if row[i] < 1.0:
            row[i] += constants.drift
