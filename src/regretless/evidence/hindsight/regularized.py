"""The best u under a penalty: min_u sum_t loss(u.x_t, y_t) + (strength/2)|u|^2."""

from __future__ import annotations

import math

from ...data import Source
from ...parts.part_types import Loss
from .convexity import checked_loss, refuse_unsolvable
from .descent import Descent, Goal, Weighed, passes_allowed
from .passes import Passes
from .solution import Hindsight

NOTHING = 1e-12  # of the loss at u = 0: a gap below it is rounding


def penalized(
    source: Source,
    loss: Loss,
    strength: float,
    *,
    tolerance: float = 1e-3,
    bias: bool = False,
    threshold: float = 0.0,
    max_passes: int | None = None,
    seed: int = 0,
) -> Hindsight:
    """Minimize ``sum_t loss(u.x_t - threshold, y_t) + (strength/2)|u|^2`` over all u.

    Parameters
    ----------
    source : Source
        The data, which must be readable again. A stream larger than memory is read in
        passes; in memory are one number a row, the weights, and 256 MB of rows.
    loss : a loss
        Convex, with a conjugate and a dual step (see ``regretless.parts.conjugates``).
    strength : float
        Of the penalty, positive. The bias is penalized like every other weight.
    tolerance : float
        The relative duality gap to reach.
    bias : bool
        Whether every row has one more feature, always 1.
    threshold : float
        Subtracted from u.x to make the score.
    max_passes : int or None
        After so many passes the answer is what it is; its gap says so. None: 1,000,
        or more where there are few rows.
    seed : int
        Of the order in which rows are visited.

    Returns
    -------
    Hindsight
        The weights and the proof.

    Examples
    --------
    >>> from regretless import Squared
    >>> from regretless.evidence.hindsight import penalized
    >>> from regretless.data import open_source
    >>> rows = open_source([[1.0], [2.0]], [1.0, 2.0], binary=False)
    >>> answer = penalized(rows, Squared(), 2.0, tolerance=1e-9)
    >>> answer.u.round(4), round(answer.objective, 4)
    (array([0.8333]), 0.8333)
    """
    positive("strength", strength)
    positive("tolerance", tolerance)
    passes = Passes(source, bias=bias)
    loss = prepared(loss, passes)
    descent = Descent(passes, loss, threshold=threshold, seed=seed)
    most = passes_allowed(max_passes, passes.n_rows)
    weighed = descent.solve(strength, relative_goal(tolerance), most=most)
    return conclude(descent, weighed)


def prepared(loss: Loss, passes: Passes) -> Loss:
    """The loss, checked for everything that coordinate descent needs."""
    loss = checked_loss(loss, passes.lowest, passes.highest)
    refuse_unsolvable(loss)
    return loss


def relative_goal(tolerance: float) -> Goal:
    """The gap to reach: a share of the objective, and more than rounding."""
    floor = 0.0

    def goal(weighed: Weighed) -> float:
        nonlocal floor
        floor = max(floor, NOTHING * weighed.loss)
        return max(floor, tolerance * abs(weighed.objective))

    return goal


def conclude(descent: Descent, weighed: Weighed) -> Hindsight:
    """The answer of a penalized solve."""
    u, bias = descent.passes.split(descent.weights)
    return Hindsight(
        u=u,
        bias=bias,
        loss=weighed.loss,
        objective=weighed.objective,
        lower_bound=min(weighed.lower_bound, weighed.objective),
        problem=(
            f"min sum {descent.loss} + ({weighed.strength:g}/2)|u|^2 over "
            f"{descent.passes.shape}"
        ),
        passes=descent.made,
        strength=weighed.strength,
    )


def positive(name: str, number: float) -> None:
    """Raise ``ValueError`` unless `number` is positive and finite."""
    if not 0 < number < math.inf:
        raise ValueError(f"{name}={number!r} must be positive and finite")
