"""Regret bounds of exponentiated gradient, on the simplex and signed.

With w = U p, the game in p has gradients U g. Signed, u = U(p+ - p-) has 2n weights;
what |u|_1 leaves of U is spread evenly over both sides, which does not change u.
"""

from __future__ import annotations

import math

from ...parts.geometries import SignedEntropy, SimplexEntropy
from .assumptions import CONVEX, tuned, within
from .divergences import feasible, target
from .facts import Facts, relative_entropy
from .gradient import LIPSCHITZ, RIGHT_HORIZON
from .made_of import ANY, made_of
from .symbols import ETA, REGRET, ROUNDS, lipschitz
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem


def _signed(facts: Facts) -> bool:
    return isinstance(facts.parts.geometry, SignedEntropy)


def _size(facts: Facts) -> int:
    return facts.n_weights * (2 if _signed(facts) else 1)


def _divergence(facts: Facts) -> float:
    """RE(p || uniform) of the p that stands for u."""
    return relative_entropy(target(facts.parts.geometry, facts.u))


def _data(facts: Facts) -> float:
    return _divergence(facts) / facts.eta + facts.eta / 2.0 * SQUARES(facts)


def _wanted(facts: Facts) -> float:
    """Lambda U X eta of the theorem."""
    return math.sqrt(2.0 * math.log(_size(facts)) / facts.rounds)


def _entry(facts: Facts) -> float:
    """The X of the theorem: as declared, or as the step implies."""
    declared = facts.declared("max_entry")
    if declared is not None:
        return declared
    steepest = lipschitz(facts) * RADIUS(facts) * facts.eta
    return _wanted(facts) / steepest


def _lecture(facts: Facts) -> float:
    reach = lipschitz(facts) * RADIUS(facts) * _entry(facts)
    return reach * math.sqrt(2.0 * facts.rounds * math.log(_size(facts)))


def _lecture_step(facts: Facts) -> float:
    return _wanted(facts) / (lipschitz(facts) * RADIUS(facts) * _entry(facts))


def _several(facts: Facts) -> Measured:
    return Measured(_size(facts) > 1, f"n = {_size(facts)}")


def _feasible(facts: Facts) -> Measured:
    found = f"|u|_1 = {facts.norm1:.6g}, radius {RADIUS(facts):g}"
    if not _signed(facts):
        found = f"min u = {facts.u.min():.4g}, sum u = {float(facts.u.sum()):.6g}"
    return Measured(feasible(facts.parts.geometry, facts.u), found)


IS_EG = made_of(
    "EG with a constant step", loss=ANY, geometry=(SimplexEntropy, SignedEntropy)
)
FEASIBLE = Assumption(
    "u lies on the simplex (signed: in the L1 ball)", _feasible, about_u=True
)
RADIUS = Symbol[Facts](
    "U", "radius of the simplex or ball", lambda facts: facts.parts.geometry.radius
)
X = Symbol[Facts]("X", "largest entry that eta is made for", _entry)
LARGEST = Symbol[Facts]("max |x|_inf", "", lambda facts: facts.ledger.max_abs_entry)
SQUARES = Symbol[Facts](
    "sum |U g_t|_inf^2", "", lambda facts: facts.ledger.sum_dual_gradients
)

EG: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "eg/data",
        "R(u) <= RE(p || uniform)/eta + (eta/2) sum |U g_t|_inf^2",
        "Dekel, lecture 18, with the divergence of u itself",
        _data,
        (IS_EG, CONVEX, FEASIBLE),
        symbols=(
            REGRET,
            Symbol("RE(p || uniform)", "of the p = u/U on the simplex", _divergence),
            ETA,
            RADIUS,
            SQUARES,
        ),
    ),
    RegretBound(
        "eg/lecture",
        "R(u) <= lambda U X sqrt(2 m ln n)",
        "Dekel, lecture 18 (sqrt(2 n log m) there must be sqrt(2 m log n))",
        _lecture,
        (
            IS_EG,
            CONVEX,
            LIPSCHITZ,
            FEASIBLE,
            Assumption("n > 1", _several),
            RIGHT_HORIZON,
            within("|x_t|_inf <= X", LARGEST, X),
            tuned("eta = sqrt(2 ln n / m)/(lambda U X)", ETA, _lecture_step),
        ),
        symbols=(
            REGRET,
            Symbol("lambda", "Lipschitz constant", lipschitz),
            RADIUS,
            X,
            Symbol("m", "rounds", ROUNDS),
            Symbol("n", "weights, twice as many if signed", _size),
        ),
        every_u=True,
    ),
)
