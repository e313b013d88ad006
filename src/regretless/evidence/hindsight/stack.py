"""The best fixed combination of a panel's members in hindsight, by Newton's method.

    minimize  sum_t ln(1 + exp(-y_t (s_t + u.in_t))) + |u - w_0|^2/2

where s_t is what the combination is added to: 0, or the panel's score under a forest.

The objective bends at least as much as its penalty, so it is within |gradient|^2/2 of
its minimum: that is the gap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...parts.state import Floats

STEPS = 100


@dataclass(frozen=True)
class BestCombination:
    """Fixed weights of the stack's inputs.

    Attributes
    ----------
    u : ndarray
        One weight an input: margins clipped at 1, then farther out, the constant.
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


@dataclass(frozen=True)
class StackRounds:
    """What a stack was given: inputs, what was added to it, labels, and its start."""

    inputs: Floats
    added_to: Floats
    y: Floats
    start: Floats


def combination_losses(rounds: StackRounds, u: Floats) -> Floats:
    """The log loss of predicting s + u.in, in every round."""
    return np.logaddexp(0.0, -rounds.y * (rounds.added_to + rounds.inputs @ u))


def best_combination(rounds: StackRounds) -> BestCombination:
    """The best combination near the start, with its gap."""
    inputs, y, start = rounds.inputs, rounds.y, rounds.start
    u = start.copy()
    value = _objective(rounds, u)
    gap = np.inf
    for _ in range(STEPS):
        ym = y * (rounds.added_to + inputs @ u)
        chance = 1.0 / (1.0 + np.exp(np.clip(ym, -700.0, 700.0)))
        gradient = u - start - inputs.T @ (y * chance)
        gap = 0.5 * float(gradient @ gradient)
        if gap <= 1e-9 * max(1.0, value):
            break
        bend = (inputs.T * (chance * (1.0 - chance))) @ inputs + np.eye(u.size)
        step = np.linalg.solve(bend, gradient)
        size = 1.0
        while _objective(rounds, u - size * step) > value and size > 1e-9:
            size *= 0.5
        u = u - size * step
        value = _objective(rounds, u)
    distance = float((u - start) @ (u - start))
    loss = float(combination_losses(rounds, u).sum())
    return BestCombination(u, loss, distance, gap)


def _objective(rounds: StackRounds, u: Floats) -> float:
    apart = u - rounds.start
    return float(combination_losses(rounds, u).sum()) + 0.5 * float(apart @ apart)
