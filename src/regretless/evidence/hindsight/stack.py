"""The best fixed combination of a panel's members in hindsight, by Newton's method.

    minimize  sum_t ln(1 + exp(-y_t u.in_t)) + |u - w_0|^2/2

The objective bends at least as much as its penalty, so it is within |gradient|^2/2 of
its minimum: that is the gap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats

__all__ = ["BestCombination", "best_combination", "combination_loss"]

STEPS = 100


@dataclass(frozen=True)
class BestCombination:
    """Fixed weights of the stack's inputs.

    Attributes
    ----------
    u : ndarray
        One weight an input: margins clipped at 1, margins clipped at 4, the constant.
    loss : float
        Its log loss over all rounds.
    distance : float
        |u - w_0|^2, from where the stack began.
    gap : float
        Loss + distance/2 is at most so far above the least possible.
    """

    u: Floats
    loss: float
    distance: float
    gap: float

    def describe(self) -> str:
        """The comparator in words."""
        return (
            f"a fixed combination of the members, |u - w_0|^2 = {self.distance:.6g}, "
            f"its loss {self.loss:,.6g}"
        )


def combination_loss(inputs: Floats, y: Floats, u: Floats) -> float:
    """The log loss of predicting u.in in every round."""
    return float(np.logaddexp(0.0, -y * (inputs @ u)).sum())


def best_combination(inputs: Floats, y: Floats, start: Floats) -> BestCombination:
    """The best combination near `start`, with its gap."""
    u = start.copy()
    value = _objective(inputs, y, u, start)
    gap = np.inf
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(np.clip(y * (inputs @ u), -700.0, 700.0)))
        gradient = u - start - inputs.T @ (y * chance)
        gap = 0.5 * float(gradient @ gradient)
        if gap <= 1e-9 * max(1.0, value):
            break
        bend = (inputs.T * (chance * (1.0 - chance))) @ inputs + np.eye(u.size)
        step = np.linalg.solve(bend, gradient)
        size = 1.0
        while _objective(inputs, y, u - size * step, start) > value and size > 1e-9:
            size *= 0.5
        u = u - size * step
        value = _objective(inputs, y, u, start)
    distance = float((u - start) @ (u - start))
    return BestCombination(u, combination_loss(inputs, y, u), distance, gap)


def _objective(inputs: Floats, y: Floats, u: Floats, start: Floats) -> float:
    return combination_loss(inputs, y, u) + 0.5 * float((u - start) @ (u - start))
