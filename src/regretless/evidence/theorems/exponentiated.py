"""Regret bounds of exponentiated gradient, on the simplex and signed.

With w = U p, the game in p has gradients U g. Signed, u = U(p+ - p-) has 2n weights;
what |u|_1 leaves of U is spread evenly over both sides, which does not change u.
"""

from __future__ import annotations

import math

import numpy as np

from ...parts.geometries import SignedEntropy, SimplexEntropy
from .assumptions import CONVEX, at_most, close
from .facts import Facts, relative_entropy
from .gradient import LIPSCHITZ, RIGHT_HORIZON
from .made_of import ANY, made_of
from .symbols import ETA, REGRET, lipschitz
from .theorem import Assumption, Measured, Symbol, Theorem

__all__ = ["EG"]


def _signed(facts: Facts) -> bool:
    return isinstance(facts.parts.geometry, SignedEntropy)


def _size(facts: Facts) -> int:
    return facts.n_weights * (2 if _signed(facts) else 1)


def _radius(facts: Facts) -> float:
    return facts.parts.geometry.radius


def _divergence(facts: Facts) -> float:
    """RE(p || uniform) of the p that stands for u."""
    p = facts.u / _radius(facts)
    if _signed(facts):
        sides = np.concatenate([np.maximum(p, 0.0), np.maximum(-p, 0.0)])
        rest = max(0.0, 1.0 - float(sides.sum()))
        return relative_entropy(sides + rest / sides.size)
    return relative_entropy(p)


def _data(facts: Facts) -> float:
    eta = facts.parts.step.eta
    return _divergence(facts) / eta + eta / 2.0 * facts.ledger.sum_dual_gradients


def _wanted(facts: Facts) -> float:
    """Lambda U X eta of the theorem."""
    return math.sqrt(2.0 * math.log(_size(facts)) / facts.rounds)


def _entry(facts: Facts) -> float:
    """The X of the theorem: as declared, or as the step implies."""
    declared = facts.declared("max_entry")
    if declared is not None:
        return declared
    steepest = lipschitz(facts) * _radius(facts) * facts.parts.step.eta
    return _wanted(facts) / steepest


def _lecture(facts: Facts) -> float:
    reach = lipschitz(facts) * _radius(facts) * _entry(facts)
    return reach * math.sqrt(2.0 * facts.rounds * math.log(_size(facts)))


def _entries_within(facts: Facts) -> Measured:
    largest, allowed = facts.ledger.max_abs_entry, _entry(facts)
    found = f"max |x|_inf = {largest:.6g}, X = {allowed:.6g}"
    return Measured(at_most(largest, allowed), found)


def _lecture_step(facts: Facts) -> Measured:
    wanted = _wanted(facts) / (lipschitz(facts) * _radius(facts) * _entry(facts))
    eta = facts.parts.step.eta
    return Measured(close(eta, wanted), f"eta = {eta:.6g}, wanted {wanted:.6g}")


def _several(facts: Facts) -> Measured:
    return Measured(_size(facts) > 1, f"n = {_size(facts)}")


def _feasible(facts: Facts) -> Measured:
    radius = _radius(facts)
    if _signed(facts):
        found = f"|u|_1 = {facts.norm1:.6g}, radius {radius:g}"
        return Measured(at_most(facts.norm1, radius), found)
    total = float(facts.u.sum())
    inside = float(facts.u.min()) >= 0.0 and close(total, radius)
    return Measured(inside, f"min u = {facts.u.min():.4g}, sum u = {total:.6g}")


IS_EG = made_of(
    "EG with a constant step", loss=ANY, geometry=(SimplexEntropy, SignedEntropy)
)
FEASIBLE = Assumption(
    "u lies on the simplex (signed: in the L1 ball)", _feasible, about_u=True
)
RADIUS = Symbol[Facts]("U", "radius of the simplex or ball", _radius)

EG: tuple[Theorem[Facts], ...] = (
    Theorem(
        "eg/data",
        "R(u) <= RE(p || uniform)/eta + (eta/2) sum |U g_t|_inf^2",
        "Dekel, lecture 18, with the divergence of u itself",
        lambda facts: facts.regret,
        _data,
        (IS_EG, CONVEX, FEASIBLE),
        kind="regret",
        symbols=(
            REGRET,
            Symbol("RE(p || uniform)", "of the p = u/U on the simplex", _divergence),
            ETA,
            RADIUS,
            Symbol(
                "sum |U g_t|_inf^2", "", lambda facts: facts.ledger.sum_dual_gradients
            ),
        ),
    ),
    Theorem(
        "eg/lecture",
        "R(u) <= lambda U X sqrt(2 m ln n)",
        "Dekel, lecture 18 (sqrt(2 n log m) there must be sqrt(2 m log n))",
        lambda facts: facts.regret,
        _lecture,
        (
            IS_EG,
            CONVEX,
            LIPSCHITZ,
            FEASIBLE,
            Assumption("n > 1", _several),
            RIGHT_HORIZON,
            Assumption("|x_t|_inf <= X", _entries_within),
            Assumption("eta = sqrt(2 ln n / m)/(lambda U X)", _lecture_step),
        ),
        kind="regret",
        symbols=(
            REGRET,
            Symbol("lambda", "Lipschitz constant", lipschitz),
            RADIUS,
            Symbol("X", "largest entry that eta is made for", _entry),
            Symbol("m", "rounds", lambda facts: float(facts.rounds)),
            Symbol("n", "weights, twice as many if signed", lambda f: float(_size(f))),
        ),
        every_u=True,
    ),
)
