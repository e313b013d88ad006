"""A step of a proof as an object: two sides, on one round of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...parts.composition import Composition
from ...parts.state import Floats
from .assumptions import ROUNDING
from .theorem import TheoremViolated


class Step(NamedTuple):
    """One round on which the learner moved from w to `after`, in log space or not.

    `dual` and `dual_after` are the geometry's own numbers (logarithms of weights, the
    theta of a p-norm); `u_loss` is what u pays in this round, its penalty included.
    """

    round: int
    updates: int
    w: Floats
    after: Floats
    x: Floats
    y: float
    score: float
    loss: float
    eta: float
    slope: float
    longest: float
    least_margin: float
    u: Floats | None
    u_loss: float = 0.0
    dual: Floats = np.zeros(0)
    dual_after: Floats = np.zeros(0)

    @property
    def comparator(self) -> Floats:
        """U. Identities that need it are asked where there is one, and only there."""
        if self.u is None:
            raise ValueError("this step has no comparator")
        return self.u


Sides = tuple[float, float]


def _always(step: Step, parts: Composition) -> bool:
    return True


@dataclass(frozen=True)
class Identity:
    """A step of a proof: left = right, or left <= right, where `when` says so.

    `cancels`: the sides are differences of larger numbers, whose rounding they keep.
    """

    name: str
    statement: str
    sides: Callable[[Step, Composition], Sides]
    equal: bool = False
    needs_u: bool = False
    when: Callable[[Step, Composition], bool] = _always
    cancels: bool = False


def is_convex(step: Step, parts: Composition) -> bool:
    """Whether the loss declares itself convex."""
    return bool(getattr(parts.loss, "convex", False))


def check_step(identity: Identity, step: Step, parts: Composition) -> None:
    """Raise :class:`TheoremViolated` where a step of a proof fails."""
    if not identity.when(step, parts):
        return
    left, right = identity.sides(step, parts)
    size = _size(step) if identity.cancels else 1.0
    slack = ROUNDING * max(1.0, abs(left), abs(right), size)
    if left > right + slack or (identity.equal and left < right - slack):
        raise TheoremViolated(
            identity.name, identity.statement, left, right, step.round
        )


def _size(step: Step) -> float:
    """What the sides were made of before they cancelled."""
    far = 0.0 if step.u is None else float(step.u @ step.u)
    return max(far, float(step.w @ step.w), abs(step.loss), abs(step.u_loss))
