"""Rounds: how what experts say is given. Votes, predictions, or losses.

All lie end to end, one row a round, one column an expert; nan is asleep. ``gather``
makes the losses of a round, infinity where an entry is not allowed, so that the loop
refuses the row.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .expert_state import MOST, ExpertState
from .generic import generic, implement
from .losses import value
from .part_types import Loss
from .rules.interface import decide, spent
from .state import Floats


@generic
def count(rounds: Any) -> int:
    """How many rounds there are."""
    ...


@generic
def gather(rounds: Any, i: int, state: ExpertState) -> int:
    """Make the losses of round `i`; return where in ``losses_of`` they begin."""
    ...


@generic
def losses_of(rounds: Any, given: Floats, made: Floats) -> Floats:
    """Which of two arrays has the losses: ``rounds.values`` or ``state.costs``.

    (A function that counts no references may only return an array it was given.)
    """
    ...


@generic(fastmath={"reassoc", "contract"})
def consult(
    rounds: Any, i: int, state: ExpertState, first: int, m: int, unit: float
) -> tuple[float, float]:
    """Two sums over the experts `first`.., weighed by ``state.block``.

    The weights for 1 and for 0; or the weighted predictions times `unit` and 0.
    """
    ...


@generic
def advise(
    rounds: Any, i: int, one: float, zero: float, total: float
) -> tuple[float, float, float]:
    """The score, the margin towards 1, and the loss of the score, from the sums."""
    ...


@generic
def settle(
    rounds: Any, i: int, rule: Any, score: float, margin: float, mixed: float, t: float
) -> tuple[float, bool]:
    """What the learner pays in round `i`, and whether it made a mistake."""
    ...


@generic
def exhausted(
    rounds: Any, rule: Any, state: ExpertState, costs: Floats, at: int
) -> bool:
    """Whether the rule has no expert left after this round."""
    ...


class Losses(NamedTuple):
    """The losses themselves."""

    values: Floats
    width: int


@implement(count, Losses)
def _(rounds: Losses) -> int:
    return rounds.values.size // rounds.width


@implement(gather, Losses)
def _(rounds: Losses, i: int, state: ExpertState) -> int:
    return i * rounds.width


@implement(losses_of, Losses)
def _(rounds: Losses, given: Floats, made: Floats) -> Floats:
    return given


@implement(consult, Losses)
def _(
    rounds: Losses, i: int, state: ExpertState, first: int, m: int, unit: float
) -> tuple[float, float]:
    return 0.0, 0.0


@implement(advise, Losses)
def _(
    rounds: Losses, i: int, one: float, zero: float, total: float
) -> tuple[float, float, float]:
    return math.nan, 0.0, 0.0


class Predictions(NamedTuple):
    """Real predictions, the outcomes, and the loss that compares them."""

    values: Floats
    width: int
    outcomes: Floats
    loss: Loss


@implement(gather, Predictions)
def _(rounds: Predictions, i: int, state: ExpertState) -> int:
    y = rounds.outcomes[i]
    for k in range(rounds.width):
        p = rounds.values[np.uint64(i * rounds.width + k)]
        cost = p
        if not math.isnan(p):
            cost = value(rounds.loss, p, y)
            if not (abs(p) <= MOST and abs(cost) <= MOST):
                cost = math.inf
        state.costs[np.uint64(k)] = cost
    return 0


@implement(consult, Predictions)
def _(
    rounds: Predictions, i: int, state: ExpertState, first: int, m: int, unit: float
) -> tuple[float, float]:
    total = 0.0
    at = i * rounds.width + first
    for j in range(m):
        p = rounds.values[np.uint64(at + j)]
        if not math.isnan(p):
            total += state.block[j] * (p * unit)
    return total, 0.0


@implement(advise, Predictions)
def _(
    rounds: Predictions, i: int, one: float, zero: float, total: float
) -> tuple[float, float, float]:
    score = one / total
    return score, 0.0, value(rounds.loss, score, rounds.outcomes[i])


@implement(settle, Losses)
@implement(settle, Predictions)
def _(
    rounds: Losses | Predictions,
    i: int,
    rule: Any,
    score: float,
    margin: float,
    mixed: float,
    t: float,
) -> tuple[float, bool]:
    return mixed, False


@implement(exhausted, Losses)
@implement(exhausted, Predictions)
def _(
    rounds: Losses | Predictions, rule: Any, state: ExpertState, costs: Floats, at: int
) -> bool:
    return False


class Votes(NamedTuple):
    """Votes 0 or 1 and outcomes 0 or 1; a wrong vote costs one."""

    values: Floats
    width: int
    outcomes: Floats


@implement(count, Predictions)
@implement(count, Votes)
def _(rounds: Predictions | Votes) -> int:
    return rounds.outcomes.size


@implement(gather, Votes)
def _(rounds: Votes, i: int, state: ExpertState) -> int:
    y = rounds.outcomes[i]
    for k in range(rounds.width):
        v = rounds.values[np.uint64(i * rounds.width + k)]
        if v in (0.0, 1.0):
            state.costs[k] = abs(v - y)
        else:
            state.costs[k] = v if math.isnan(v) else math.inf
    return 0


@implement(losses_of, Predictions)
@implement(losses_of, Votes)
def _(rounds: Predictions | Votes, given: Floats, made: Floats) -> Floats:
    return made


@implement(consult, Votes)
def _(
    rounds: Votes, i: int, state: ExpertState, first: int, m: int, unit: float
) -> tuple[float, float]:
    one = 0.0
    zero = 0.0
    at = i * rounds.width + first
    for j in range(m):
        v = rounds.values[np.uint64(at + j)]
        if v == 1.0:
            one += state.block[j]
        elif v == 0.0:
            zero += state.block[j]
    return one, zero


@implement(advise, Votes)
def _(
    rounds: Votes, i: int, one: float, zero: float, total: float
) -> tuple[float, float, float]:
    return one / (one + zero), one - zero, 0.0


@implement(settle, Votes)
def _(
    rounds: Votes,
    i: int,
    rule: Any,
    score: float,
    margin: float,
    mixed: float,
    t: float,
) -> tuple[float, bool]:
    return decide(rule, score, margin, mixed, rounds.outcomes[i], t)


@implement(exhausted, Votes)
def _(rounds: Votes, rule: Any, state: ExpertState, costs: Floats, at: int) -> bool:
    return spent(rule, state, costs, at)
