"""The steps that the proofs are made of, checked on every round of a small run.

A proof of a mistake or regret bound watches a potential (a norm, or a divergence to u)
and says how far it moves in one round. Each identity here is one such step: two sides,
and whether they must be equal or ordered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..parts.composition import Composition
from ..parts.geometries import Entropy, Euclidean, SimplexEntropy
from ..parts.state import Floats
from ..parts.triggers import OnMistake
from .theorem import TheoremViolated

__all__ = ["Identity", "Step", "check_step", "identities"]

ROUNDING = 1e-9


class Step(NamedTuple):
    """One round on which the learner moved from w to `after`."""

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


Sides = tuple[float, float]


@dataclass(frozen=True)
class Identity:
    """A step of a proof: left = right, or left <= right."""

    name: str
    statement: str
    sides: Callable[[Step, Composition], Sides]
    equal: bool = False
    needs_u: bool = False


def _pythagoras(step: Step, parts: Composition) -> Sides:
    right = float(step.w @ step.w + step.x @ step.x)
    return float(step.after @ step.after), right


def _growth(step: Step, parts: Composition) -> Sides:
    return float(step.after @ step.after), step.updates * step.longest**2


def _alignment(step: Step, parts: Composition) -> Sides:
    u: Any = step.u
    return step.updates * step.least_margin, float(step.after @ u)


def _divergence(u: Floats, w: Floats) -> float:
    """Sum u ln(u/w) - u + w, over u > 0 and all w."""
    on = u > 0
    inside = float((u[on] * np.log(u[on] / w[on])).sum())
    return inside - float(u.sum()) + float(w.sum())


def _winnow_step(step: Step, parts: Composition) -> Sides:
    u: Any = step.u
    moved = float(step.after.sum() - step.w.sum())
    toward = parts.step.eta * parts.loss.gain * step.y * float(u @ step.x)
    fall = _divergence(u, step.after) - _divergence(u, step.w)
    return fall, moved - toward


def _winnow_lemma(step: Step, parts: Composition) -> Sides:
    z = step.slope * step.x
    return float((step.w * z * z).sum()), 2.0 * step.loss


def _simplex_step(step: Step, parts: Composition) -> Sides:
    u: Any = step.u
    radius = parts.geometry.radius
    p, after, target = step.w / radius, step.after / radius, u / radius
    g = radius * step.slope * step.x
    log_z = math.log(float((p * np.exp(-step.eta * g)).sum()))
    fall = _divergence(target, after) - _divergence(target, p)
    return fall, step.eta * float(target @ g) + log_z


def _simplex_fall(step: Step, parts: Composition) -> Sides:
    u: Any = step.u
    fall = _divergence(u, step.after) - _divergence(u, step.w)
    log_cosh = float(np.logaddexp(step.eta, -step.eta)) - math.log(2.0)
    return fall, log_cosh - step.eta * step.y * float(u @ step.x)


PERCEPTRON = (
    Identity("pythagoras", "|w + y x|^2 <= |w|^2 + |x|^2 on a mistake", _pythagoras),
    Identity("growth", "|w_i|^2 <= i R^2 after i mistakes", _growth),
    Identity("alignment", "w_i.u >= i min y u.x", _alignment, needs_u=True),
)
WINNOW = (
    Identity("lemma 5.1", "sum_i w_i z_i^2 <= 2 f_t(w_t) on a mistake", _winnow_lemma),
    Identity(
        "divergence",
        "D(u||w') - D(u||w) = sum(w' - w) - sum u_i ln(w'_i/w_i)",
        _winnow_step,
        equal=True,
        needs_u=True,
    ),
)
SIMPLEX = (
    Identity(
        "divergence",
        "KL(u||w') - KL(u||w) = eta <u, g> + ln sum w_j exp(-eta g_j)",
        _simplex_step,
        equal=True,
        needs_u=True,
    ),
)
NORMALIZED_WINNOW = (
    *SIMPLEX,
    Identity(
        "fall",
        "RE(u||w') - RE(u||w) <= ln cosh(eta) - eta y u.x on a mistake",
        _simplex_fall,
        needs_u=True,
    ),
)


def identities(parts: Composition) -> tuple[Identity, ...]:
    """The steps of the proofs about a learner made of `parts`."""
    conservative = isinstance(parts.trigger, OnMistake)
    geometry = parts.geometry
    if isinstance(geometry, Euclidean):
        return PERCEPTRON if conservative else ()
    if isinstance(geometry, Entropy):
        return WINNOW if parts.threshold == 0.5 else WINNOW[1:]
    if isinstance(geometry, SimplexEntropy):
        unit = conservative and geometry.radius == 1.0
        return NORMALIZED_WINNOW if unit else SIMPLEX
    return ()


def check_step(identity: Identity, step: Step, parts: Composition) -> None:
    """Raise :class:`TheoremViolated` where a step of a proof fails."""
    left, right = identity.sides(step, parts)
    slack = ROUNDING * max(1.0, abs(left), abs(right))
    if left > right + slack or (identity.equal and left < right - slack):
        raise TheoremViolated(
            identity.name, identity.statement, left, right, step.round
        )
