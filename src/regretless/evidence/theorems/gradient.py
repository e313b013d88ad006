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
from .assumptions import CONVEX, IN_DOMAIN, LAST_BITS, ON_BALL, tuned, within
from .facts import Facts
from .made_of import ANY, MadeOf, made_of
from .symbols import (
    ETA,
    GRADIENTS,
    LAST,
    NORM_U,
    REGRET,
    ROUNDS,
    largest_label,
    lipschitz,
)
from .theorem import Assumption, Measured, RegretBound, Symbol, Theorem

CESA_BIANCHI = "Cesa-Bianchi, lecture 16"
DEKEL = "Dekel, lecture 18 (sqrt(n) there must be sqrt(m))"


def constant_steps(facts: Facts) -> float:
    """|u|^2/(2 eta) + (eta/2) sum |g_t|^2."""
    eta = facts.eta
    return facts.norm**2 / (2.0 * eta) + eta / 2.0 * GRADIENTS(facts)


def _kept(facts: Facts) -> float:
    eta = facts.eta
    return approached(facts) / (2.0 * eta) + eta / 2.0 * GRADIENTS(facts)


def approached(facts: Facts) -> float:
    """|u|^2 - |w_T - u|^2, rounded up: where u is long, little is left of two squares.

    It is w_T.(2u - w_T), whose terms are no larger than |w_T| (2|u| + |w_T|).
    """
    length = facts.norm + facts.against.distance
    size = length * (2.0 * facts.norm + length)
    return facts.against.approach + LAST_BITS * size


def _is_lipschitz(facts: Facts) -> Measured:
    constant = lipschitz(facts)
    name = type(facts.parts.loss).__name__
    if math.isinf(constant):
        return Measured(False, f"{name} has no Lipschitz constant")
    return Measured(True, f"lambda = {constant:g} for {name}")


def _reach(facts: Facts) -> float:
    """The X of Dekel's theorem: as declared, or as the step implies."""
    declared = facts.declared("max_norm")
    if declared is not None:
        return declared
    implied = lipschitz(facts) * facts.eta * math.sqrt(facts.rounds)
    return BALL(facts) / implied


def _right_horizon(facts: Facts) -> Measured:
    horizon = facts.declared("horizon")
    if horizon is None:
        return Measured(True, f"m = {facts.rounds}")
    return Measured(
        horizon == facts.rounds, f"horizon = {horizon:g}, m = {facts.rounds}"
    )


def _lecture_step(facts: Facts) -> float:
    slope = lipschitz(facts) * _reach(facts) * math.sqrt(facts.rounds)
    return BALL(facts) / slope


def _lecture(facts: Facts) -> float:
    reach = lipschitz(facts) * _reach(facts) * BALL(facts)
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
    across = 2.0 * BALL(facts) ** 2 / _last_step(facts)
    return across + RATED(facts) / 2.0


def _declared_gradient(facts: Facts) -> float:
    """The G that c = sqrt(2) U/G was made for."""
    return math.sqrt(2.0) * BALL(facts) / SCALE(facts)


def _square_reach(facts: Facts) -> float:
    """The X that the step is made for, by G = 4 U X^2."""
    return math.sqrt(_declared_gradient(facts) / (4.0 * BALL(facts)))


def _square(facts: Facts) -> float:
    return 8.0 * UX(facts) ** 2 * math.sqrt(2.0 * facts.rounds)


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
FALLING = (_descent(InverseSqrt, ANY), CONVEX, ON_BALL, IN_DOMAIN)
ADAPTING = (_descent(Adaptive, ANY), CONVEX, ON_BALL, IN_DOMAIN)
ON_SQUARES = made_of(
    "gradient descent on squares with steps c/sqrt(t)",
    loss=Squared,
    geometry=Euclidean,
    step=InverseSqrt,
    domain=ANY,
)
BALL = Symbol[Facts]("U", "radius of the ball", lambda facts: facts.parts.domain.radius)
SCALE = Symbol[Facts]("scale", "", lambda facts: facts.parts.step.scale)
LAST_STEP = Symbol[Facts]("eta_T", "last step", _last_step)
RATED = Symbol[Facts](
    "sum eta_t |g_t|^2",
    "its squares times the steps eta_t",
    lambda facts: facts.ledger.sum_rated_gradients,
)
LARGEST_ROW = Symbol[Facts]("max |x|", "", lambda facts: facts.ledger.max_norm)
LARGEST = Symbol[Facts]("max |g|", "", lambda facts: facts.ledger.max_gradient)
LARGEST_LABEL = Symbol[Facts]("max |y|", "", largest_label)
G = Symbol[Facts]("G", "the |g_t| that steps are made for", _declared_gradient)
X = Symbol[Facts]("X", "largest |x_t| that eta is made for", _reach)
SQUARE_X = Symbol[Facts]("X", "the |x_t| that steps are made for", _square_reach)
UX = Symbol[Facts]("U X", "", lambda facts: BALL(facts) * SQUARE_X(facts))

OGD: tuple[Theorem[Facts], ...] = (
    RegretBound(
        "ogd/data",
        "R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2",
        f"{CESA_BIANCHI}; {DEKEL}",
        constant_steps,
        (IS_DESCENT, CONVEX, IN_DOMAIN),
        symbols=(REGRET, NORM_U, ETA, GRADIENTS),
    ),
    RegretBound(
        "ogd/final",
        "R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2 - |w_T - u|^2/(2 eta)",
        f"{CESA_BIANCHI}, the last term kept",
        _kept,
        (IS_DESCENT, CONVEX, IN_DOMAIN),
        follows="ogd/data",
        symbols=(REGRET, NORM_U, ETA, GRADIENTS, LAST),
    ),
    RegretBound(
        "ogd/lecture",
        "R(u) <= lambda X B sqrt(m)",
        DEKEL,
        _lecture,
        (
            _descent(Constant, ANY),
            CONVEX,
            LIPSCHITZ,
            ON_BALL,
            IN_DOMAIN,
            RIGHT_HORIZON,
            within("|x_t| <= X", LARGEST_ROW, X),
            tuned("eta = B/(lambda X sqrt(m))", ETA, _lecture_step),
        ),
        symbols=(
            REGRET,
            Symbol("lambda", "Lipschitz constant", lipschitz),
            X,
            Symbol("B", "radius of the ball", BALL),
            Symbol("m", "rounds", ROUNDS),
        ),
        every_u=True,
    ),
    RegretBound(
        "ogd/anytime-data",
        "R(u) <= 2 U^2/eta_T + (1/2) sum eta_t |g_t|^2",
        f"data form of {CESA_BIANCHI}",
        _falling_data,
        FALLING,
        symbols=(REGRET, BALL, LAST_STEP, RATED),
        every_u=True,
    ),
    RegretBound(
        "ogd/anytime",
        "R(u) <= U G sqrt(8 T)",
        f"{CESA_BIANCHI} (its G is max |g|, not its square)",
        lambda facts: BALL(facts) * G(facts) * math.sqrt(8.0 * facts.rounds),
        (*FALLING, within("|g_t| <= G", LARGEST, G)),
        symbols=(REGRET, BALL, G, ROUNDS),
        every_u=True,
    ),
    RegretBound(
        "ogd/square",
        "R(u) <= 8 (U X)^2 sqrt(2 T)",
        CESA_BIANCHI,
        _square,
        (
            ON_SQUARES,
            ON_BALL,
            IN_DOMAIN,
            within("|x_t| <= X", LARGEST_ROW, SQUARE_X),
            within("|y_t| <= U X", LARGEST_LABEL, UX),
        ),
        symbols=(REGRET, BALL, SQUARE_X, ROUNDS),
        every_u=True,
    ),
    RegretBound(
        "ogd/adaptive-data",
        "R(u) <= 2 U^2/eta_T + (1/2) sum eta_t |g_t|^2",
        "data form of the adaptive step",
        _falling_data,
        ADAPTING,
        symbols=(REGRET, BALL, LAST_STEP, RATED),
        every_u=True,
    ),
    RegretBound(
        "ogd/adaptive",
        "R(u) <= U sqrt(8 sum |g_t|^2)",
        "Duchi, Hazan, Singer (2011); Orabona (2019), theorem 4.14",
        lambda facts: BALL(facts) * math.sqrt(8.0 * GRADIENTS(facts)),
        (
            *ADAPTING,
            tuned(
                "the step's scale is sqrt(2) U",
                SCALE,
                lambda facts: math.sqrt(2.0) * BALL(facts),
            ),
        ),
        symbols=(REGRET, BALL, GRADIENTS),
        every_u=True,
    ),
)
