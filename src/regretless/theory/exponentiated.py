"""Regret bounds of exponentiated gradient, on the simplex and signed.

With w = U p, the game in p has gradients U g. Signed, u = U(p+ - p-) has 2n weights;
what |u|_1 leaves of U is spread evenly over both sides, which does not change u.
"""

from __future__ import annotations

import math

import numpy as np

from ..parts.geometries import SignedEntropy
from .assumptions import CONSTANT_STEP, CONVEX, close
from .facts import Facts, relative_entropy
from .gradient import LIPSCHITZ, lipschitz
from .theorem import Assumption, Measured, Theorem

__all__ = ["EG"]


def _signed(facts: Facts) -> bool:
    return isinstance(facts.parts.geometry, SignedEntropy)


def _size(facts: Facts) -> int:
    return facts.n_weights * (2 if _signed(facts) else 1)


def _divergence(facts: Facts) -> float:
    """RE(p || uniform) of the p that stands for u."""
    p = facts.u / facts.parts.geometry.radius
    if _signed(facts):
        sides = np.concatenate([np.maximum(p, 0.0), np.maximum(-p, 0.0)])
        rest = max(0.0, 1.0 - float(sides.sum()))
        return relative_entropy(sides + rest / sides.size)
    return relative_entropy(p)


def _data(facts: Facts) -> float:
    eta = facts.parts.step.eta
    return _divergence(facts) / eta + eta / 2.0 * facts.ledger.sum_dual_gradients


def _reach(facts: Facts) -> float:
    radius = facts.parts.geometry.radius
    return lipschitz(facts) * radius * facts.ledger.max_abs_entry


def _lecture(facts: Facts) -> float:
    return _reach(facts) * math.sqrt(2.0 * facts.rounds * math.log(_size(facts)))


def _lecture_step(facts: Facts) -> Measured:
    best = math.sqrt(2.0 * math.log(_size(facts)) / facts.rounds)
    wanted = best / _reach(facts) if _reach(facts) > 0 else math.inf
    eta = facts.parts.step.eta
    return Measured(close(eta, wanted), f"eta = {eta:.6g}, wanted {wanted:.6g}")


def _feasible(facts: Facts) -> Measured:
    radius = facts.parts.geometry.radius
    if _signed(facts):
        found = f"|u|_1 = {facts.norm1:.6g}, radius {radius:g}"
        return Measured(facts.norm1 <= radius * (1 + 1e-9), found)
    total = float(facts.u.sum())
    inside = float(facts.u.min()) >= 0.0 and math.isclose(total, radius, rel_tol=1e-9)
    return Measured(inside, f"min u = {facts.u.min():.4g}, sum u = {total:.6g}")


FEASIBLE = Assumption("u lies on the simplex (signed: in the L1 ball)", _feasible)

EG: tuple[Theorem[Facts], ...] = (
    Theorem(
        "eg/data",
        "R(u) <= RE(p || uniform)/eta + (eta/2) sum |U g_t|_inf^2",
        "Dekel, lecture 18, with the divergence of u itself",
        lambda facts: facts.regret,
        _data,
        (CONVEX, CONSTANT_STEP, FEASIBLE),
    ),
    Theorem(
        "eg/lecture",
        "R(u) <= lambda U X sqrt(2 m ln n), n the number of weights (2n signed)",
        "Dekel, lecture 18 (sqrt(2 n log m) there must be sqrt(2 m log n))",
        lambda facts: facts.regret,
        _lecture,
        (
            CONVEX,
            LIPSCHITZ,
            CONSTANT_STEP,
            FEASIBLE,
            Assumption("eta = sqrt(2 ln n / m)/(lambda U X)", _lecture_step),
        ),
    ),
)
