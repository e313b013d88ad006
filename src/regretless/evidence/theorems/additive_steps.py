"""Proof steps of learners that add: Perceptrons, and gradient descent.

Freund's squeeze of |w| between two bounds; Dekel's proof of theorem 1, where every step
brings w closer to u by eta times what it pays above u, less (eta^2/2)|g|^2; and what
strong convexity adds to it.
"""

from __future__ import annotations

import math

import numpy as np

from ...parts.composition import Composition
from ...parts.domains import Ball, Box, Simplex
from ...parts.geometries import PNorm
from ...parts.penalties import strength
from ...parts.state import Floats
from . import divergences as d
from .assumptions import on_simplex
from .identity import Identity, Sides, Step, is_convex

# The Perceptron, and the p-norm Perceptron in its theta.


def _pythagoras(step: Step, parts: Composition) -> Sides:
    moved = step.eta * step.x
    right = float(step.w @ step.w + moved @ moved)
    return float(step.after @ step.after), right


def _growth(step: Step, parts: Composition) -> Sides:
    right = step.updates * (step.eta * step.longest) ** 2
    return float(step.after @ step.after), right


def _alignment(step: Step, parts: Composition) -> Sides:
    reached = float(step.after @ step.comparator)
    return step.updates * step.eta * step.least_margin, reached


def _p_growth(step: Step, parts: Composition) -> Sides:
    assert isinstance(parts.geometry, PNorm)
    p, moved = parts.geometry.p, step.eta * step.x
    before = d.p_norm(step.dual, p) ** 2
    return (
        d.p_norm(step.dual_after, p) ** 2,
        before + (p - 1.0) * d.p_norm(moved, p) ** 2,
    )


def _p_alignment(step: Step, parts: Composition) -> Sides:
    u = step.comparator
    gained = step.eta * step.y * float(u @ step.x)
    return float(step.dual_after @ u), float(step.dual @ u) + gained


# Gradient descent: Dekel's proof of theorem 1, and strong convexity.


def _gradient(step: Step, parts: Composition) -> Floats:
    return step.slope * step.x + strength(parts.penalty) * step.w


def _in_domain(step: Step, parts: Composition) -> bool:
    u, domain = step.comparator, parts.domain
    if isinstance(domain, Ball):
        return float(np.linalg.norm(u)) <= domain.radius
    if isinstance(domain, Box):
        return bool(((u >= domain.low) & (u <= domain.high)).all())
    return not isinstance(domain, Simplex) or on_simplex(domain.radius, u)


def _projection(step: Step, parts: Composition) -> Sides:
    u = step.comparator
    free = step.w - step.eta * _gradient(step, parts) - u
    return float(np.linalg.norm(step.after - u)), float(np.linalg.norm(free))


def _subgradient(step: Step, parts: Composition) -> Sides:
    slope = float(_gradient(step, parts) @ (step.w - step.comparator))
    return step.loss - step.u_loss, slope


def _progress(step: Step, parts: Composition) -> Sides:
    u = step.comparator
    g, gap, left = _gradient(step, parts), step.w - u, step.after - u
    alpha = 0.5 * float(gap @ gap) - 0.5 * float(left @ left)
    cost = 0.5 * step.eta**2 * float(g @ g)
    return step.eta * (step.loss - step.u_loss) - cost, alpha


def _lipschitz(step: Step, parts: Composition) -> Sides:
    steepest = float(getattr(parts.loss, "lipschitz", math.inf))
    g = step.slope * step.x
    return float(np.linalg.norm(g)), steepest * float(np.linalg.norm(step.x))


def _strong(step: Step, parts: Composition) -> Sides:
    gap = step.w - step.comparator
    bent = 0.5 * strength(parts.penalty) * float(gap @ gap)
    return step.loss - step.u_loss, float(_gradient(step, parts) @ gap) - bent


def _convex_in_domain(step: Step, parts: Composition) -> bool:
    return is_convex(step, parts) and _in_domain(step, parts)


PERCEPTRON = (
    Identity("pythagoras", "|w + y x|^2 <= |w|^2 + |x|^2 on a mistake", _pythagoras),
    Identity("growth", "|w_i|^2 <= i R^2 after i mistakes", _growth),
    Identity("alignment", "w_i.u >= i min y u.x", _alignment, needs_u=True),
)
PNORM = (
    Identity(
        "growth",
        "|theta + y x|_p^2 <= |theta|_p^2 + (p-1)|x|_p^2 on a mistake",
        _p_growth,
    ),
    Identity(
        "alignment",
        "theta'.u = theta.u + y u.x",
        _p_alignment,
        equal=True,
        needs_u=True,
    ),
)
DESCENT = (
    Identity("lipschitz", "|g| <= lambda |x|", _lipschitz),
    Identity(
        "projection",
        "|w' - u| <= |w - eta g - u|",
        _projection,
        needs_u=True,
        when=_in_domain,
        cancels=True,
    ),
    Identity(
        "subgradient",
        "l(w) - l(u) <= g.(w - u)",
        _subgradient,
        needs_u=True,
        when=is_convex,
        cancels=True,
    ),
    Identity(
        "progress",
        "eta (l(w) - l(u)) - (eta^2/2)|g|^2 <= |w - u|^2/2 - |w' - u|^2/2",
        _progress,
        needs_u=True,
        when=_convex_in_domain,
        cancels=True,
    ),
)
STRONG = (
    *DESCENT,
    Identity(
        "strong convexity",
        "l(w) - l(u) <= g.(w - u) - (sigma/2)|w - u|^2",
        _strong,
        needs_u=True,
        when=is_convex,
        cancels=True,
    ),
)
