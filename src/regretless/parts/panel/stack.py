"""The stack: Bayesian logistic regression on the members' margins, all against all.

    input = [clip(m_k, -1, 1), clip(m_k, -12, 12), 1],  score = w.input
    p = sigma(score),  g = [y > 0] - p
    d = 1/(1 + h input'P input),   w += g d P input,   P -= h d (P input)(P input)'

with h = p(1 - p): Newton's step on the newest row, and the posterior's covariance.

A step costs as much as many margins do, and most rounds have next to nothing to teach.
But to leave out every |g| below a bound would put a floor under the probabilities. So a
round with |g| < e is taken with probability |g|/e, and then counts e/|g| times: the sum
of all steps is what it would be, and its variance grows by a share of e at most.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..generic import compiled
from ..state import Floats
from .members import implicit_step, repeats, sigmoid
from .row_views import SUMS
from .state import DRAWS, FAR, NUMBERS, Constants, filled


class StackState(NamedTuple):
    """What a stack remembers: a panel's state has these, too."""

    stack: Floats  # [width]: w; zeros from D on
    covariance: Floats  # [D, width]: P
    numbers: Floats  # [NUMBERS and more]


class StackRow(NamedTuple):
    """Room for one row of a stack: a tile has these, too."""

    margins: Floats  # [member]
    inputs: Floats  # [width]
    leads: Floats  # [width]: P input


def new_stack(constants: Constants, members: int) -> StackState:
    """A stack before the first round: the mean of all it is given."""
    size = 2 * members + 1
    width = filled(size)
    stack, numbers = np.zeros(width), np.zeros(NUMBERS)
    stack[: size - 1] = 1.0 / (size - 1)
    numbers[FAR] = constants.far
    numbers[DRAWS] = 1.0
    return StackState(stack, np.eye(size, width), numbers)


def new_stack_row(members: int) -> StackRow:
    """Room for what so many members say."""
    width = filled(2 * members + 1)
    return StackRow(np.zeros(members), np.zeros(width), np.zeros(width))


@compiled
def combine(constants: Any, state: Any, tile: Any) -> float:
    """The score of the stack: the log-odds of +1."""
    inputs, margins, w = tile.inputs, tile.margins, state.stack
    members, limit = margins.size, state.numbers[FAR]
    score = w[2 * members]
    for k in range(members):
        near = min(max(margins[k], -constants.near), constants.near)
        far = min(max(margins[k], -limit), limit)
        inputs[k] = near
        inputs[members + k] = far
        score += w[k] * near + w[members + k] * far
    inputs[2 * members] = 1.0
    return score


@compiled
def learn_stack(
    constants: Any, state: Any, tile: Any, score: float, y: float, c: float
) -> bool:
    """Learn from the round just combined, of weight `c`; whether the stack moved."""
    p = sigmoid(score)
    g = (1.0 if y > 0.0 else 0.0) - p
    times = repeats(constants, state, abs(g))
    if times == 0.0:
        return False
    h = max(times * p * (1.0 - p), constants.variance)
    restack(constants, state, tile, c * times * g, c * h)
    return True


@compiled
def learn_carefully(
    constants: Any, state: Any, tile: Any, score: float, y: float, c: float
) -> bool:
    """The same by an implicit step: the gradient is taken where the step ends.

    So a round in which the stack was very sure, and wrong, does not throw it off. The
    score moves by y u d where u = sigma(-(y score + u d)), d = input'P input.
    """
    ym = y * score
    g = sigmoid(-ym)
    times = c * repeats(constants, state, g)
    if times == 0.0:
        return False
    doubt = lead(state, tile)
    u = implicit_step(times, ym, g, doubt)
    p = sigmoid(ym + doubt * u)
    h = max(times * p * (1.0 - p), c * constants.variance)
    d = 1.0 / (1.0 + h * doubt)
    shift(constants, state, tile, y * u, h * d)
    return True


@compiled(**SUMS)
def restack(constants: Any, state: Any, tile: Any, g: float, h: float) -> None:
    """Move the stack by Newton's step."""
    d = 1.0 / (1.0 + h * lead(state, tile))
    shift(constants, state, tile, g * d, h * d)


@compiled(**SUMS)
def lead(state: Any, tile: Any) -> float:
    """P input, written down, and input'P input. Rows of P end in zeros."""
    covariance, inputs, leads = state.covariance, tile.inputs, tile.leads
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
    return doubt


@compiled(**SUMS)
def shift(constants: Any, state: Any, tile: Any, move: float, shrink: float) -> None:
    """Move w by `move` leads, and P by -`shrink` leads leads'."""
    w, covariance, leads = state.stack, state.covariance, tile.leads
    size, width = covariance.shape
    for j in range(width):
        w[j] += move * leads[j]
    for i in range(size):
        row = covariance[i]
        c = shrink * leads[i]
        for j in range(width):
            row[j] -= c * leads[j]
        if row[i] < 1.0:
            row[i] += constants.drift
