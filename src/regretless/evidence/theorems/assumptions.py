"""Assumptions that several theorems share, each measured on the facts."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...parts.domains import Ball, Everywhere
from ...parts.state import Floats
from .facts import Facts, nonzero
from .theorem import ROUNDING, Assumption, F, Measured, Symbol

__all__ = [
    "CONVEX",
    "IN_DOMAIN",
    "LAST_BITS",
    "NONNEGATIVE",
    "ON_BALL",
    "ROUNDING",
    "SEPARATES",
    "UNIT_BOX",
    "at_most",
    "close",
    "entries_within",
    "is_panel",
    "on_simplex",
    "tuned",
    "within",
]

LAST_BITS = 1e-14


def close(a: float, b: float) -> bool:
    """Equal but for rounding."""
    return math.isclose(a, b, rel_tol=ROUNDING)


def at_most(a: float, b: float) -> bool:
    """A <= b but for rounding."""
    return a <= b * (1.0 + ROUNDING)


def on_simplex(radius: float, u: Floats) -> bool:
    """Whether u >= 0 sums to the radius, but for rounding."""
    return bool((u >= 0.0).all()) and close(float(u.sum()), radius)


def _convex(facts: Facts) -> Measured:
    convex = getattr(facts.parts.loss, "convex", None)
    name = type(facts.parts.loss).__name__
    if convex is None:
        return Measured(False, f"{name} does not declare `convex = True`")
    return Measured(bool(convex), f"{name} is {'' if convex else 'not '}convex")


def _separates(facts: Facts) -> Measured:
    return Measured(facts.margin > 0.0, f"min y u.x = {facts.margin:.6g}")


def _nonnegative(facts: Facts) -> Measured:
    lowest = float(facts.u.min(initial=0.0))
    return Measured(lowest >= 0.0, f"min u_i = {lowest:.6g}")


def _in_domain(facts: Facts) -> Measured:
    domain = facts.parts.domain
    if isinstance(domain, Everywhere):
        return Measured(True, "no projection")
    if isinstance(domain, Ball):
        found = f"|u| = {facts.norm:.6g}, radius {domain.radius:g}"
        return Measured(facts.norm <= domain.radius * (1 + ROUNDING), found)
    low = getattr(domain, "low", None)
    if low is not None:
        inside = bool(((facts.u >= low) & (facts.u <= domain.high)).all())
        return Measured(inside, f"u in [{facts.u.min():.4g}, {facts.u.max():.4g}]")
    found = f"sum u = {float(facts.u.sum()):.6g}, radius {domain.radius:g}"
    return Measured(on_simplex(domain.radius, facts.u), found)


def _on_ball(facts: Facts) -> Measured:
    domain = facts.parts.domain
    if not isinstance(domain, Ball):
        return Measured(False, "weights are not projected onto a ball: give radius=")
    return Measured(True, f"radius {domain.radius:g}")


CONVEX = Assumption[Facts]("the loss is convex", _convex)
SEPARATES = Assumption[Facts]("u separates", _separates, about_u=True)
NONNEGATIVE = Assumption[Facts]("u >= 0", _nonnegative, about_u=True)
IN_DOMAIN = Assumption[Facts](
    "u lies in the learner's domain", _in_domain, about_u=True
)
ON_BALL = Assumption[Facts]("weights stay in a ball", _on_ball)


def within(
    text: str, value: Symbol[F], limit: Symbol[F], *, about_u: bool = False
) -> Assumption[F]:
    """The assumption that a measured value is at most a limit, but for rounding."""

    def check(facts: F) -> Measured:
        found, most = value(facts), limit(facts)
        said = f"{value.name} = {found:.6g}, {limit.name} = {most:.6g}"
        return Measured(at_most(found, most), said)

    return Assumption(text, check, about_u)


def tuned(text: str, value: Symbol[F], wanted: Callable[[F], float]) -> Assumption[F]:
    """The assumption that a parameter is what the theorem wants, but for rounding."""

    def check(facts: F) -> Measured:
        found, right = value(facts), wanted(facts)
        said = f"{value.name} = {found:.6g}, wanted {right:.6g}"
        return Measured(close(found, right), said)

    return Assumption(text, check)


def entries_within(low: float, high: float) -> Assumption[Facts]:
    """Every entry of every x lies in [low, high]."""

    def check(facts: Facts) -> Measured:
        least, most = facts.ledger.min_entry, facts.ledger.max_entry
        return Measured(
            low <= least and most <= high, f"entries in [{least:.6g}, {most:.6g}]"
        )

    return Assumption(f"x in [{low:g}, {high:g}]^d", check)


UNIT_BOX = entries_within(-1.0, 1.0)


def is_panel(facts: Facts) -> Measured:
    """Whether u picks k features with weight one each."""
    k = nonzero(facts)
    good = set(np.unique(facts.u).tolist()) <= {0.0, 1.0} and k > 0
    return Measured(
        good, f"k = {k:.0f}" if good else "u has other weights than 0 and 1"
    )
