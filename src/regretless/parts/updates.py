"""Updates: how far a learner goes along a row whose loss has this slope.

``advance(update, loss, score, y, lean, eta, length)`` is the c in w' = w - c x (in the
norm of the geometry, where x has the squared length `length`), so that the score after
it is score - c*length.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..generic import generic, implement
from .conjugates import dual_step
from .losses import value

__all__ = ["Explicit", "Implicit", "Polyak", "advance"]


@generic
def advance(
    update: Any,
    loss: Any,
    score: float,
    y: float,
    lean: float,
    eta: float,
    length: float,
) -> float:
    """How far to go; `lean`, which is not zero, is the slope of the loss at `score`."""
    ...


class Explicit(NamedTuple):
    """A gradient step: ``eta`` times the slope where the learner stands."""


@implement(advance, Explicit)
def _(
    update: Explicit,
    loss: Any,
    score: float,
    y: float,
    lean: float,
    eta: float,
    length: float,
) -> float:
    return eta * lean


class Implicit(NamedTuple):
    """A proximal step: ``eta`` times the slope where the learner arrives.

    w' = argmin eta*loss(w.x) + D(w, w_t), which never overshoots: the one number to
    find solves c = eta*slope(score - c*length).
    """


@implement(advance, Implicit)
def _(
    update: Implicit,
    loss: Any,
    score: float,
    y: float,
    lean: float,
    eta: float,
    length: float,
) -> float:
    return eta * dual_step(loss, 0.0, score, y, eta * length)


class Polyak(NamedTuple):
    """As far as the tangent of the loss falls to zero, whatever ``eta`` says."""


@implement(advance, Polyak)
def _(
    update: Polyak,
    loss: Any,
    score: float,
    y: float,
    lean: float,
    eta: float,
    length: float,
) -> float:
    return value(loss, score, y) / (lean * length) if length > 0.0 else 0.0
