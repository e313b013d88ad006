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
from .made_of import ANY, made_of
from .symbols import HINGE, MARGIN, MISTAKES, NORM_U, REGRET, R
from .theorem import Symbol, Theorem

__all__ = ["PASSIVE_AGGRESSIVE"]

CRAMMER = "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer (2006)"


def _mistakes(facts: Facts) -> float:
    return facts.mistakes


def _loss(facts: Facts) -> float:
    return facts.ledger.loss


def _regret(facts: Facts) -> float:
    return facts.regret


def _longest(facts: Facts) -> float:
    return facts.ledger.max_norm**2


def _pa(facts: Facts) -> float:
    return _longest(facts) * (facts.norm / facts.comparison.min_margin) ** 2


def _pa_one(facts: Facts) -> float:
    c = facts.parts.step.eta
    return max(_longest(facts), 1.0 / c) * (facts.norm**2 + 2.0 * c * facts.paid)


def _pa_two(facts: Facts) -> float:
    c = facts.parts.step.eta
    reach = _longest(facts) + 1.0 / (2.0 * c)
    return reach * (facts.norm**2 + 2.0 * c * facts.paid)


def _pa_regret(facts: Facts) -> float:
    c = facts.parts.step.eta
    squares = facts.ledger.sum_squared_gradients
    return facts.norm**2 / (2.0 * c) + c / 2.0 * squares


LIMIT = Symbol[Facts]("C", "the limit", lambda facts: facts.parts.step.eta)
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
        _mistakes,
        _pa,
        (IS_PA, SEPARATES),
        symbols=(MISTAKES, R, NORM_U, MARGIN),
    ),
    Theorem(
        "passive-aggressive/one",
        "M <= max(R^2, 1/C) (|u|^2 + 2 C sum h_t(u))",
        f"{CRAMMER}, theorem 4",
        _mistakes,
        _pa_one,
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
        _loss,
        _pa_two,
        (IS_PA_II,),
        kind="loss",
        part="squared hinge losses",
        symbols=(
            Symbol("sum h_t^2", "the learner's loss", _loss),
            R,
            LIMIT,
            NORM_U,
            HINGE,
            Symbol("sum h_t(u)^2", "", lambda facts: facts.paid),
        ),
    ),
    Theorem(
        "passive-aggressive/regret",
        "R(u) <= |u|^2/(2C) + (C/2) sum |g_t|^2",
        "Kulis, Bartlett (2010), implicit updates",
        _regret,
        _pa_regret,
        (HAS_LIMIT,),
        kind="regret",
        symbols=(
            REGRET,
            NORM_U,
            LIMIT,
            Symbol("sum |g_t|^2", "", lambda facts: facts.ledger.sum_squared_gradients),
        ),
    ),
)
