"""Mistake and loss bounds of the passive-aggressive learners.

With tau_t the step of round t and h_t the hinge losses, every round lowers |w - u|^2 by
at least tau_t (2 h_t - tau_t |x_t|^2 - 2 h_t(u)), and it was |u|^2 to begin with.
"""

from __future__ import annotations

from ...parts.geometries import Euclidean
from ...parts.losses import EpsilonInsensitive, Hinge, SquaredHinge
from ...parts.updates import Implicit, Polyak
from .assumptions import SEPARATES
from .facts import Facts
from .gradient import constant_steps
from .made_of import ANY, made_of
from .symbols import GRADIENTS, HINGE, MARGIN, MISTAKES, NORM_U, REGRET, R
from .theorem import RegretBound, Symbol, Theorem

CRAMMER = "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer (2006)"


def _longest(facts: Facts) -> float:
    return facts.ledger.max_norm**2


def _start(facts: Facts) -> float:
    """|u|^2 + 2 C sum h_t(u), or of squares."""
    return facts.norm**2 + 2.0 * facts.eta * facts.paid


LIMIT = Symbol[Facts]("C", "the limit", lambda facts: facts.eta)
IS_PA = made_of("PA", loss=Hinge(), geometry=Euclidean, step=ANY, update=Polyak)
IS_PA_I = made_of("PA-I", loss=Hinge(), geometry=Euclidean, update=Implicit)
IS_PA_II = made_of("PA-II", loss=SquaredHinge(), geometry=Euclidean, update=Implicit)
HAS_LIMIT = made_of(
    "passive-aggressive with a limit C",
    loss=(Hinge, SquaredHinge, EpsilonInsensitive),
    geometry=Euclidean,
    update=Implicit,
)

PASSIVE_AGGRESSIVE: tuple[Theorem[Facts], ...] = (
    Theorem(
        "passive-aggressive/separable",
        "M <= R^2 |u|^2/margin^2",
        f"{CRAMMER}, theorem 2",
        lambda facts: _longest(facts) * (facts.norm / facts.margin) ** 2,
        (IS_PA, SEPARATES),
        symbols=(MISTAKES, R, NORM_U, MARGIN),
    ),
    Theorem(
        "passive-aggressive/one",
        "M <= max(R^2, 1/C) (|u|^2 + 2 C sum h_t(u))",
        f"{CRAMMER}, theorem 4",
        lambda facts: max(_longest(facts), 1.0 / facts.eta) * _start(facts),
        (IS_PA_I,),
        symbols=(
            MISTAKES,
            R,
            LIMIT,
            NORM_U,
            HINGE,
            Symbol("sum h_t(u)", "", lambda facts: facts.paid),
        ),
    ),
    Theorem(
        "passive-aggressive/two",
        "sum h_t^2 <= (R^2 + 1/(2C)) (|u|^2 + 2 C sum h_t(u)^2)",
        f"{CRAMMER}, theorem 5",
        lambda facts: (_longest(facts) + 1.0 / (2.0 * facts.eta)) * _start(facts),
        (IS_PA_II,),
        kind="loss",
        part="squared hinge losses",
        symbols=(
            Symbol("sum h_t^2", "the learner's loss", lambda facts: facts.loss),
            R,
            LIMIT,
            NORM_U,
            HINGE,
            Symbol("sum h_t(u)^2", "", lambda facts: facts.paid),
        ),
    ),
    RegretBound(
        "passive-aggressive/regret",
        "R(u) <= |u|^2/(2C) + (C/2) sum |g_t|^2",
        "Kulis, Bartlett (2010), implicit updates",
        constant_steps,
        (HAS_LIMIT,),
        symbols=(REGRET, NORM_U, LIMIT, GRADIENTS),
    ),
)
