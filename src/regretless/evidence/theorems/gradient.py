"""Regret bounds of gradient descent, free and projected.

All follow from one inequality: for every u in the domain, with D the diameter and w_T
the last weights ::

    R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2 - |w_T - u|^2/(2 eta)   constant steps
    R(u) <= D^2/(2 eta_T) + (1/2) sum eta_t |g_t|^2                     falling steps

(A simplex is entered at its middle w_0, and |w_0 - u| <= |u|.) A bound that was
declared for the data is true if nothing larger was met: the forms of the lectures use
what was declared, the data forms what was measured.
"""

from __future__ import annotations

import math

from ...parts.domains import Ball, Box, Everywhere, Simplex
from ...parts.geometries import Euclidean
from ...parts.losses import Squared
from ...parts.steps import Adaptive, Constant, InverseSqrt
from .assumptions import CONVEX, IN_DOMAIN, LAST_BITS, ON_BALL, at_most, close
from .facts import Facts
from .made_of import ANY, MadeOf, made_of
from .symbols import ETA, NORM_U, REGRET, ROUNDS, largest_label
from .symbols import lipschitz as _lipschitz
from .symbols import radius as _radius
from .theorem import Assumption, Measured, Symbol, Theorem

__all__ = ["IS_DESCENT", "LIPSCHITZ", "OGD", "RIGHT_HORIZON", "SETS", "approached"]

CESA_BIANCHI = "Cesa-Bianchi, lecture 16"
DEKEL = "Dekel, lecture 18 (sqrt(n) there must be sqrt(m))"


def _regret(facts: Facts) -> float:
    return facts.regret


def _squares(facts: Facts) -> float:
    return facts.ledger.sum_squared_gradients


def _constant(facts: Facts) -> float:
    eta = facts.parts.step.eta
    return facts.norm**2 / (2.0 * eta) + eta / 2.0 * _squares(facts)


def _kept(facts: Facts) -> float:
    eta = facts.parts.step.eta
    return approached(facts) / (2.0 * eta) + eta / 2.0 * _squares(facts)


def approached(facts: Facts) -> float:
    """|u|^2 - |w_T - u|^2, rounded up: where u is long, little is left of two squares.

    It is w_T.(2u - w_T), whose terms are no larger than |w_T| (2|u| + |w_T|).
    """
    length = facts.norm + facts.comparison.distance
    size = length * (2.0 * facts.norm + length)
    return facts.comparison.approach + LAST_BITS * size


def _is_lipschitz(facts: Facts) -> Measured:
    constant = _lipschitz(facts)
    name = type(facts.parts.loss).__name__
    if math.isinf(constant):
        return Measured(False, f"{name} has no Lipschitz constant")
    return Measured(True, f"lambda = {constant:g} for {name}")


def _reach(facts: Facts) -> float:
    """The X of Dekel's theorem: as declared, or as the step implies."""
    declared = facts.declared("max_norm")
    if declared is not None:
        return declared
    implied = _lipschitz(facts) * facts.parts.step.eta * math.sqrt(facts.rounds)
    return _radius(facts) / implied


def _right_horizon(facts: Facts) -> Measured:
    horizon = facts.declared("horizon")
    if horizon is None:
        return Measured(True, f"m = {facts.rounds}")
    return Measured(
        horizon == facts.rounds, f"horizon = {horizon:g}, m = {facts.rounds}"
    )


def _rows_within(facts: Facts) -> Measured:
    largest, allowed = facts.ledger.max_norm, _reach(facts)
    found = f"max |x| = {largest:.6g}, X = {allowed:.6g}"
    return Measured(at_most(largest, allowed), found)


def _lecture_step(facts: Facts) -> Measured:
    eta = facts.parts.step.eta
    slope = _lipschitz(facts) * _reach(facts) * math.sqrt(facts.rounds)
    wanted = _radius(facts) / slope
    return Measured(close(eta, wanted), f"eta = {eta:.6g}, wanted {wanted:.6g}")


def _lecture(facts: Facts) -> float:
    reach = _lipschitz(facts) * _reach(facts) * _radius(facts)
    return reach * math.sqrt(facts.rounds)


def _last_step(facts: Facts) -> float:
    """eta_T, infinite where no gradient was met."""
    step = facts.parts.step
    if isinstance(step, InverseSqrt):
        return step.scale / math.sqrt(facts.rounds)
    squares = facts.ledger.sum_dual_gradients
    return step.scale / math.sqrt(squares) if squares > 0 else math.inf


def _falling_data(facts: Facts) -> float:
    """D^2/(2 eta_T) + (1/2) sum eta_t |g_t|^2 on a ball, D = 2 U."""
    across = 2.0 * _radius(facts) ** 2 / _last_step(facts)
    return across + facts.ledger.sum_rated_gradients / 2.0


def _declared_gradient(facts: Facts) -> float:
    """The G that c = sqrt(2) U/G was made for."""
    return math.sqrt(2.0) * _radius(facts) / facts.parts.step.scale


def _anytime(facts: Facts) -> float:
    return _radius(facts) * _declared_gradient(facts) * math.sqrt(8.0 * facts.rounds)


def _gradients_below(facts: Facts) -> Measured:
    declared = _declared_gradient(facts)
    found = f"max |g| = {facts.ledger.max_gradient:.6g}, G = {declared:.6g}"
    return Measured(at_most(facts.ledger.max_gradient, declared), found)


def _adaptive(facts: Facts) -> float:
    return _radius(facts) * math.sqrt(8.0 * _squares(facts))


def _adaptive_scale(facts: Facts) -> Measured:
    wanted = math.sqrt(2.0) * _radius(facts)
    scale = facts.parts.step.scale
    return Measured(close(scale, wanted), f"scale = {scale:.6g}, wanted {wanted:.6g}")


def _square_reach(facts: Facts) -> float:
    """The X that the step is made for, by G = 4 U X^2."""
    return math.sqrt(_declared_gradient(facts) / (4.0 * _radius(facts)))


def _square(facts: Facts) -> float:
    reach = _radius(facts) * _square_reach(facts)
    return 8.0 * reach**2 * math.sqrt(2.0 * facts.rounds)


def _square_rows(facts: Facts) -> Measured:
    largest, allowed = facts.ledger.max_norm, _square_reach(facts)
    found = f"max |x| = {largest:.6g}, X = {allowed:.6g}"
    return Measured(at_most(largest, allowed), found)


def _labels_within(facts: Facts) -> Measured:
    reach = _radius(facts) * _square_reach(facts)
    largest = largest_label(facts)
    return Measured(
        at_most(largest, reach), f"max |y| = {largest:.6g}, U X = {reach:.6g}"
    )


SETS = (Everywhere, Ball, Box, Simplex)
LIPSCHITZ = Assumption("the loss is Lipschitz", _is_lipschitz)
RIGHT_HORIZON = Assumption("the horizon was right", _right_horizon)


def _descent(step: type, domain: object = SETS) -> MadeOf:
    names = {
        Constant: "constant steps",
        InverseSqrt: "steps c/sqrt(t)",
        Adaptive: "steps c/sqrt(sum |g|^2)",
    }
    return made_of(
        f"gradient descent with {names[step]}",
        loss=ANY,
        geometry=Euclidean,
        step=step,
        domain=domain,
    )


IS_DESCENT = _descent(Constant)
BALL = Symbol[Facts]("U", "radius of the ball", _radius)
FALLING = (_descent(InverseSqrt, ANY), CONVEX, ON_BALL, IN_DOMAIN)
ADAPTING = (_descent(Adaptive, ANY), CONVEX, ON_BALL, IN_DOMAIN)
SUM_SQUARES = Symbol[Facts]("sum |g_t|^2", "", _squares)
RATED = Symbol[Facts](
    "sum eta_t |g_t|^2",
    "its squares times the steps eta_t",
    lambda facts: facts.ledger.sum_rated_gradients,
)

OGD: tuple[Theorem[Facts], ...] = (
    Theorem(
        "ogd/data",
        "R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2",
        f"{CESA_BIANCHI}; {DEKEL}",
        _regret,
        _constant,
        (IS_DESCENT, CONVEX, IN_DOMAIN),
        kind="regret",
        symbols=(REGRET, NORM_U, ETA, SUM_SQUARES),
    ),
    Theorem(
        "ogd/final",
        "R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2 - |w_T - u|^2/(2 eta)",
        f"{CESA_BIANCHI}, the last term kept",
        _regret,
        _kept,
        (IS_DESCENT, CONVEX, IN_DOMAIN),
        follows="ogd/data",
        kind="regret",
        symbols=(
            REGRET,
            NORM_U,
            ETA,
            SUM_SQUARES,
            Symbol(
                "|w_T - u|",
                "w_T the last weights",
                lambda facts: facts.comparison.distance,
            ),
        ),
    ),
    Theorem(
        "ogd/lecture",
        "R(u) <= lambda X B sqrt(m)",
        DEKEL,
        _regret,
        _lecture,
        (
            _descent(Constant, ANY),
            CONVEX,
            LIPSCHITZ,
            ON_BALL,
            IN_DOMAIN,
            RIGHT_HORIZON,
            Assumption("|x_t| <= X", _rows_within),
            Assumption("eta = B/(lambda X sqrt(m))", _lecture_step),
        ),
        kind="regret",
        symbols=(
            REGRET,
            Symbol("lambda", "Lipschitz constant", _lipschitz),
            Symbol("X", "largest |x_t| that eta is made for", _reach),
            Symbol("B", "radius of the ball", _radius),
            Symbol("m", "rounds", lambda facts: float(facts.rounds)),
        ),
        every_u=True,
    ),
    Theorem(
        "ogd/anytime-data",
        "R(u) <= 2 U^2/eta_T + (1/2) sum eta_t |g_t|^2",
        f"data form of {CESA_BIANCHI}",
        _regret,
        _falling_data,
        FALLING,
        kind="regret",
        symbols=(REGRET, BALL, Symbol("eta_T", "last step", _last_step), RATED),
        every_u=True,
    ),
    Theorem(
        "ogd/anytime",
        "R(u) <= U G sqrt(8 T)",
        f"{CESA_BIANCHI} (its G is max |g|, not its square)",
        _regret,
        _anytime,
        (*FALLING, Assumption("|g_t| <= G", _gradients_below)),
        kind="regret",
        symbols=(
            REGRET,
            BALL,
            Symbol("G", "the |g_t| that steps are made for", _declared_gradient),
            ROUNDS,
        ),
        every_u=True,
    ),
    Theorem(
        "ogd/square",
        "R(u) <= 8 (U X)^2 sqrt(2 T)",
        CESA_BIANCHI,
        _regret,
        _square,
        (
            made_of(
                "gradient descent on squares with steps c/sqrt(t)",
                loss=Squared,
                geometry=Euclidean,
                step=InverseSqrt,
                domain=ANY,
            ),
            ON_BALL,
            IN_DOMAIN,
            Assumption("|x_t| <= X", _square_rows),
            Assumption("|y_t| <= U X", _labels_within),
        ),
        kind="regret",
        symbols=(
            REGRET,
            BALL,
            Symbol("X", "the |x_t| that steps are made for", _square_reach),
            ROUNDS,
        ),
        every_u=True,
    ),
    Theorem(
        "ogd/adaptive-data",
        "R(u) <= 2 U^2/eta_T + (1/2) sum eta_t |g_t|^2",
        "data form of the adaptive step",
        _regret,
        _falling_data,
        ADAPTING,
        kind="regret",
        symbols=(REGRET, BALL, Symbol("eta_T", "last step", _last_step), RATED),
        every_u=True,
    ),
    Theorem(
        "ogd/adaptive",
        "R(u) <= U sqrt(8 sum |g_t|^2)",
        "Duchi, Hazan, Singer (2011); Orabona (2019), theorem 4.14",
        _regret,
        _adaptive,
        (*ADAPTING, Assumption("the step's scale is sqrt(2) U", _adaptive_scale)),
        kind="regret",
        symbols=(REGRET, BALL, SUM_SQUARES),
        every_u=True,
    ),
)
