"""Updates: how far a learner goes along a row whose loss has this slope.

``advance(update, loss, at)`` is the c in w' = w - c x (in the norm of the geometry,
where x has the squared length `length`), so that the score after it is
standing - c*length.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .conjugates import dual_step
from .generic import generic, implement
from .losses import value

__all__ = [
    "Explicit",
    "Implicit",
    "LeastSquares",
    "Polyak",
    "Projected",
    "advance",
    "eager",
    "gradient_scale",
]


class Standing(NamedTuple):
    """Where a learner stands on a row.

    `slope` is that of the loss at `score`, which was said; it is not zero, unless the
    update is eager. `standing` is the score as the weights have it, where something
    else was said (see ``parts.prediction_rules``).
    """

    score: float
    standing: float
    y: float
    slope: float
    eta: float
    length: float


@generic
def advance(update: Any, loss: Any, at: Standing) -> float:
    """How far to go."""
    ...


@generic
def eager(update: Any) -> bool:
    """Whether a row is taken in where the slope of its loss is zero, too."""
    ...


@generic
def gradient_scale(update: Any, loss_slope: float, importance: float) -> float:
    """The c of the gradient c*x that the geometry observes."""
    ...


class Explicit(NamedTuple):
    """A gradient step: ``eta`` times the slope where the learner stands."""


@implement(advance, Explicit)
def _(update: Explicit, loss: Any, at: Standing) -> float:
    return at.eta * at.slope


class Implicit(NamedTuple):
    """A proximal step: ``eta`` times the slope where the learner arrives.

    w' = argmin eta*loss(w.x) + D(w, w_t), which never overshoots: the one number to
    find solves c = eta*slope(score - c*length).
    """


@implement(advance, Implicit)
def _(update: Implicit, loss: Any, at: Standing) -> float:
    return at.eta * dual_step(loss, 0.0, at.standing, at.y, at.eta * at.length)


class Polyak(NamedTuple):
    """As far as the tangent of the loss falls to zero, whatever ``eta`` says."""


@implement(advance, Polyak)
def _(update: Polyak, loss: Any, at: Standing) -> float:
    return (
        value(loss, at.score, at.y) / (at.slope * at.length) if at.length > 0.0 else 0.0
    )


class LeastSquares(NamedTuple):
    """A proximal step of half the squared gap between the standing score and y.

    Every row counts alike, whatever its loss, so that in a full matrix the weights are
    those of ridge regression on the rows taken in.
    """


@implement(advance, LeastSquares)
def _(update: LeastSquares, loss: Any, at: Standing) -> float:
    return at.eta * (at.standing - at.y) / (1.0 + at.eta * at.length)


class Projected(NamedTuple):
    """To where the standing score is the one that was said, then a gradient step.

    The step is taken in the norm that has met this very gradient.
    """


@implement(advance, Projected)
def _(update: Projected, loss: Any, at: Standing) -> float:
    back = (at.standing - at.score) / at.length if at.length > 0.0 else 0.0
    return back + at.eta * at.slope / (1.0 + at.slope * at.slope * at.length)


@implement(eager, LeastSquares)
def _(update: LeastSquares) -> bool:
    return True


@implement(gradient_scale, LeastSquares)
def _(update: LeastSquares, loss_slope: float, importance: float) -> float:
    return math.sqrt(importance)


for kind in (Explicit, Implicit, Polyak, Projected):

    @implement(eager, kind)
    def _(update: Any) -> bool:
        return False

    @implement(gradient_scale, kind)
    def _(update: Any, loss_slope: float, importance: float) -> float:
        return loss_slope
