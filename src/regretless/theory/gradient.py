"""Regret bounds of gradient descent, free, projected, and on strongly convex losses.

All follow from one inequality: for every u in the domain, with D the diameter ::

    R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2                 constant steps
    R(u) <= D^2/(2 eta_T) + (1/2) sum eta_t |g_t|^2             steps that fall
"""

from __future__ import annotations

import math

from ..parts.losses import Squared
from ..parts.steps import Adaptive, Constant, InverseSqrt, InverseTime
from .assumptions import CONVEX, IN_DOMAIN, ON_BALL, close, step_is
from .facts import Facts
from .theorem import Assumption, Measured, Theorem

__all__ = ["LIPSCHITZ", "OGD", "PEGASOS", "lipschitz"]

CESA_BIANCHI = "Cesa-Bianchi, lecture 16"
DEKEL = "Dekel, lecture 18 (sqrt(n) there must be sqrt(m))"


def _regret(facts: Facts) -> float:
    return facts.regret


def _constant(facts: Facts) -> float:
    eta = facts.parts.step.eta
    squares = facts.ledger.sum_squared_gradients
    return facts.norm**2 / (2.0 * eta) + eta / 2.0 * squares


def lipschitz(facts: Facts) -> float:
    """The Lipschitz constant of the loss in the score; infinite where there is none."""
    return float(getattr(facts.parts.loss, "lipschitz", math.inf))


def _radius(facts: Facts) -> float:
    return float(facts.parts.domain.radius)


def _lecture(facts: Facts) -> float:
    reach = lipschitz(facts) * facts.ledger.max_norm * _radius(facts)
    return reach * math.sqrt(facts.rounds)


def _is_lipschitz(facts: Facts) -> Measured:
    constant = lipschitz(facts)
    name = type(facts.parts.loss).__name__
    if math.isinf(constant):
        return Measured(False, f"{name} has no Lipschitz constant")
    return Measured(True, f"lambda = {constant:g} for {name}")


def _lecture_step(facts: Facts) -> Measured:
    reach = lipschitz(facts) * facts.ledger.max_norm * math.sqrt(facts.rounds)
    wanted = _radius(facts) / reach if reach > 0 else math.inf
    eta = facts.parts.step.eta
    return Measured(close(eta, wanted), f"eta = {eta:.6g}, wanted {wanted:.6g}")


def _falling_data(facts: Facts) -> float:
    """D^2/(2 eta_T) + (1/2) sum eta_t |g_t|^2 on a ball, D = 2 U."""
    radius, step, ledger = _radius(facts), facts.parts.step, facts.ledger
    if isinstance(step, InverseSqrt):
        last = step.scale / math.sqrt(facts.rounds)
    elif ledger.sum_squared_gradients > 0:
        last = step.scale / math.sqrt(ledger.sum_squared_gradients)
    else:
        return 0.0
    return 2.0 * radius**2 / last + ledger.sum_rated_gradients / 2.0


def _declared_gradient(facts: Facts) -> float:
    """The G that c = sqrt(2) U/G was made for."""
    return math.sqrt(2.0) * _radius(facts) / facts.parts.step.scale


def _anytime(facts: Facts) -> float:
    return _radius(facts) * _declared_gradient(facts) * math.sqrt(8.0 * facts.rounds)


def _gradients_below(facts: Facts) -> Measured:
    declared = _declared_gradient(facts)
    found = f"max |g| = {facts.ledger.max_gradient:.6g}, G = {declared:.6g}"
    return Measured(facts.ledger.max_gradient <= declared * (1 + 1e-9), found)


def _adaptive(facts: Facts) -> float:
    return _radius(facts) * math.sqrt(8.0 * facts.ledger.sum_squared_gradients)


def _adaptive_scale(facts: Facts) -> Measured:
    wanted = math.sqrt(2.0) * _radius(facts)
    scale = facts.parts.step.scale
    return Measured(close(scale, wanted), f"scale = {scale:.6g}, wanted {wanted:.6g}")


def _square(facts: Facts) -> float:
    reach = _radius(facts) * facts.ledger.max_norm
    return 8.0 * reach**2 * math.sqrt(2.0 * facts.rounds)


def _is_square(facts: Facts) -> Measured:
    loss = facts.parts.loss
    return Measured(isinstance(loss, Squared), type(loss).__name__)


def _labels_within(facts: Facts) -> Measured:
    reach = _radius(facts) * facts.ledger.max_norm
    largest = max(abs(facts.ledger.min_label), abs(facts.ledger.max_label))
    return Measured(largest <= reach, f"max |y| = {largest:.6g}, U X = {reach:.6g}")


def _square_step(facts: Facts) -> Measured:
    wanted = 4.0 * _radius(facts) * facts.ledger.max_norm**2
    declared = _declared_gradient(facts)
    return Measured(close(declared, wanted), f"G = {declared:.6g}, wanted {wanted:.6g}")


def _curvature(facts: Facts) -> float:
    """The sigma of (w x - y)^2 with one weight and every |x| the same, else 0."""
    ledger = facts.ledger
    one = isinstance(facts.parts.loss, Squared) and facts.n_weights == 1
    if not one or ledger.updates < ledger.rounds:
        return 0.0
    same = close(ledger.sum_squared_norms, ledger.rounds * ledger.max_norm**2)
    return 2.0 * ledger.max_norm**2 if same else 0.0


def _strongly(facts: Facts) -> Measured:
    sigma = getattr(facts.parts.penalty, "sigma", 0.0)
    curvature = _curvature(facts)
    if curvature > 0.0:
        declared = facts.parts.step.strength
        found = f"(w x - y)^2 with sigma = {curvature:g}, steps for {declared:g}"
        return Measured(declared <= curvature * (1 + 1e-9), found)
    if sigma == 0.0:
        name = type(facts.parts.loss).__name__
        return Measured(False, f"{name} alone is not strongly convex in w")
    declared = facts.parts.step.strength
    found = f"(sigma/2)|w|^2 with sigma = {sigma:g}, steps for {declared:g}"
    return Measured(declared <= sigma * (1 + 1e-9), found)


def _strong_data(facts: Facts) -> float:
    return facts.ledger.sum_rated_gradients / 2.0


def _strong(facts: Facts) -> float:
    sigma = facts.parts.step.strength
    largest = facts.ledger.max_gradient
    return largest**2 / (2.0 * sigma) * (1.0 + math.log(facts.rounds))


LIPSCHITZ = Assumption("the loss is Lipschitz", _is_lipschitz)
STRONGLY_CONVEX = Assumption("each round is sigma-strongly convex", _strongly)
FALLING = (CONVEX, step_is(InverseSqrt), ON_BALL, IN_DOMAIN)

OGD: tuple[Theorem[Facts], ...] = (
    Theorem(
        "ogd/data",
        "R(u) <= |u|^2/(2 eta) + (eta/2) sum |g_t|^2",
        f"{CESA_BIANCHI}; {DEKEL}",
        _regret,
        _constant,
        (CONVEX, step_is(Constant), IN_DOMAIN),
    ),
    Theorem(
        "ogd/lecture",
        "R(u) <= lambda X B sqrt(m)",
        DEKEL,
        _regret,
        _lecture,
        (
            CONVEX,
            LIPSCHITZ,
            step_is(Constant),
            ON_BALL,
            IN_DOMAIN,
            Assumption("eta = B/(lambda X sqrt(m))", _lecture_step),
        ),
    ),
    Theorem(
        "ogd/anytime-data",
        "R(u) <= 2 U^2 sqrt(T)/c + (1/2) sum eta_t |g_t|^2",
        f"data form of {CESA_BIANCHI}",
        _regret,
        _falling_data,
        FALLING,
    ),
    Theorem(
        "ogd/anytime",
        "R(u) <= U G sqrt(8 T), eta_t = sqrt(2) U/(G sqrt(t))",
        f"{CESA_BIANCHI} (its G is max |g|, not its square)",
        _regret,
        _anytime,
        (*FALLING, Assumption("|g_t| <= G", _gradients_below)),
    ),
    Theorem(
        "ogd/square",
        "R(u) <= 8 (U X)^2 sqrt(2 T)",
        CESA_BIANCHI,
        _regret,
        _square,
        (
            Assumption("the loss is squared", _is_square),
            *FALLING,
            Assumption("|y| <= U X", _labels_within),
            Assumption("the step is made for G = 4 U X^2", _square_step),
        ),
    ),
    Theorem(
        "ogd/adaptive-data",
        "R(u) <= 2 U^2/eta_T + (1/2) sum eta_t |g_t|^2",
        "data form of the adaptive step",
        _regret,
        _falling_data,
        (CONVEX, step_is(Adaptive), ON_BALL, IN_DOMAIN),
    ),
    Theorem(
        "ogd/adaptive",
        "R(u) <= U sqrt(8 sum |g_t|^2)",
        "Duchi, Hazan, Singer (2011); Orabona (2019), theorem 4.14",
        _regret,
        _adaptive,
        (
            CONVEX,
            step_is(Adaptive),
            ON_BALL,
            IN_DOMAIN,
            Assumption("the step's scale is sqrt(2) U", _adaptive_scale),
        ),
    ),
)

PEGASOS: tuple[Theorem[Facts], ...] = (
    Theorem(
        "strongly-convex/data",
        "R(u) <= sum |g_t|^2/(2 sigma t)",
        CESA_BIANCHI,
        _regret,
        _strong_data,
        (CONVEX, step_is(InverseTime), STRONGLY_CONVEX, IN_DOMAIN),
    ),
    Theorem(
        "strongly-convex/log",
        "R(u) <= (G^2/(2 sigma)) (1 + ln T), G = max |g_t|",
        f"{CESA_BIANCHI} (every eigenvalue of the Hessian must be >= sigma)",
        _regret,
        _strong,
        (CONVEX, step_is(InverseTime), STRONGLY_CONVEX, IN_DOMAIN),
    ),
)
